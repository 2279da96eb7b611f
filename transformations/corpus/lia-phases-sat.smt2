; A loop first raises one number, then another, and their difference is bounded.
(set-logic HORN)

(declare-fun phase (Int Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 0) (phase 0 n 0))))
(assert (forall ((x Int) (y Int) (k Int))
  (=> (and (phase x y k) (< x y)) (phase (+ x 1) y (+ k 2)))))
(assert (forall ((x Int) (y Int) (k Int))
  (=> (and (phase x y k) (= x y) (> k 0)) (phase x y (- k 1)))))
(assert (forall ((x Int) (y Int) (k Int)) (=> (and (phase x y k) (> k (* 2 y))) false)))
(assert (forall ((x Int) (y Int) (k Int)) (=> (and (phase x y k) (or (> x y) (< k 0))) false)))

(check-sat)
