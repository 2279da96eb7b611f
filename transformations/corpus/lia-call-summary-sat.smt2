; A procedure that adds by counting, called twice, gives the sum.
(set-logic HORN)

(declare-fun add (Int Int Int) Bool)
(declare-fun main (Int Int) Bool)

(assert (forall ((x Int)) (add x 0 x)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (> y 0) (add x (- y 1) z)) (add x y (+ z 1)))))
(assert (forall ((x Int) (u Int) (v Int)) (=> (and (add x 3 u) (add u 4 v)) (main x v))))
(assert (forall ((x Int) (v Int)) (=> (and (main x v) (not (= v (+ x 7)))) false)))

(check-sat)
