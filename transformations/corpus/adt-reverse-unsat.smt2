; Reversing a list onto another gives the list three, two, one.
(set-logic HORN)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun rev (List List List) Bool)

(assert (forall ((acc List)) (rev nil acc acc)))
(assert (forall ((x Int) (l List) (acc List) (r List)) (=> (rev l (cons x acc) r) (rev (cons x l) acc r))))
(assert (forall ((r List) (a Int) (l List))
  (=> (and (rev (cons 1 (cons 2 (cons a nil))) nil r) (= r (cons 3 l))) false)))

(check-sat)
