; A quantity that shrinks by half each time never exceeds one.
(set-logic HORN)

(declare-fun amount (Real) Bool)

(assert (amount 1.0))
(assert (forall ((x Real)) (=> (amount x) (amount (/ x 2.0)))))
(assert (forall ((x Real)) (=> (and (amount x) (> x 1.0)) false)))

(check-sat)
