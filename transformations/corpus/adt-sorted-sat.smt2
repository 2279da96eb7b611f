; A list built by putting smaller numbers in front has its smallest number first.
(set-logic HORN)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun sorted (List Int) Bool)

(assert (forall ((x Int)) (sorted (cons x nil) x)))
(assert (forall ((l List) (m Int) (x Int)) (=> (and (sorted l m) (<= x m)) (sorted (cons x l) x))))
(assert (forall ((l List) (m Int)) (=> (and (sorted l m) ((_ is cons) l) (> m (head l))) false)))

(check-sat)
