; The length of a list is never negative.
(set-logic HORN)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun len (List Int) Bool)

(assert (len nil 0))
(assert (forall ((x Int) (l List) (n Int)) (=> (len l n) (len (cons x l) (+ n 1)))))
(assert (forall ((l List) (n Int)) (=> (and (len l n) (< n 0)) false)))

(check-sat)
