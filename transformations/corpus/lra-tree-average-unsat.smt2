; Averages of averages come close to four.
(set-logic HORN)

(declare-fun mean (Real) Bool)

(assert (mean 2.0))
(assert (mean 5.0))
(assert (forall ((x Real) (y Real)) (=> (and (mean x) (mean y)) (mean (/ (+ x y) 2.0)))))
(assert (forall ((x Real)) (=> (and (mean x) (< 3.8 x) (< x 4.0)) false)))

(check-sat)
