; A pair on a rising diagonal; the third of three questions hits.
(set-logic HORN)

(declare-fun walk (Int Int) Bool)

(assert (walk 1 3))
(assert (forall ((x Int) (y Int)) (=> (walk x y) (walk (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (walk x y) (< x 1)) false)))
(assert (forall ((x Int) (y Int)) (=> (and (walk x y) (< y x)) false)))
(assert (forall ((x Int) (y Int)) (=> (and (walk x y) (= y (+ x 6))) false)))

(check-sat)
