; Two counters that move together stay equal.
(set-logic HORN)

(declare-fun loop (Int Int) Bool)

(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (loop x y))))
(assert (forall ((x Int) (y Int) (u Int) (v Int))
  (=> (and (loop x y) (= u (+ x 1)) (= v (+ y 1))) (loop u v))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (not (= x y))) false)))

(check-sat)
