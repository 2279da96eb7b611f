; Three phases that go through a range one after another end at its far edge.
(set-logic HORN)

(declare-fun a (Int Int) Bool)
(declare-fun b (Int Int) Bool)
(declare-fun c (Int Int) Bool)

(assert (a 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (a x y) (< x 10)) (a (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (a x y) (>= x 10)) (b x y))))
(assert (forall ((x Int) (y Int)) (=> (and (b x y) (< x 20)) (b (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (b x y) (>= x 20)) (c x y))))
(assert (forall ((x Int) (y Int)) (=> (and (c x y) (> x 0)) (c (- x 1) (+ y 3)))))
(assert (forall ((x Int) (y Int)) (=> (and (c x y) (= x 0) (distinct y 70)) false)))

(check-sat)
