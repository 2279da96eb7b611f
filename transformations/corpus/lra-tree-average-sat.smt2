; Averages of averages stay between the smallest and the largest start.
(set-logic HORN)

(declare-fun mean (Real) Bool)

(assert (mean 2.0))
(assert (mean 5.0))
(assert (forall ((x Real) (y Real)) (=> (and (mean x) (mean y)) (mean (/ (+ x y) 2.0)))))
(assert (forall ((x Real)) (=> (and (mean x) (> x 5.0)) false)))
(assert (forall ((x Real)) (=> (and (mean x) (< x 2.0)) false)))

(check-sat)
