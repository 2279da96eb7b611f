; A question that asks about no predicate at all and is answered yes.
(set-logic HORN)

(declare-fun p (Int) Bool)

(assert (forall ((n Int)) (=> (= n 1) (p n))))
(assert (forall ((n Int) (m Int)) (=> (and (= (+ n m) 9) (= (- n m) 3)) false)))

(check-sat)
