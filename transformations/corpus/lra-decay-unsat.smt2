; A quantity that shrinks by half each time falls below one tenth.
(set-logic HORN)

(declare-fun amount (Real) Bool)

(assert (amount 1.0))
(assert (forall ((x Real)) (=> (amount x) (amount (* 0.5 x)))))
(assert (forall ((x Real)) (=> (and (amount x) (< x 0.1)) false)))

(check-sat)
