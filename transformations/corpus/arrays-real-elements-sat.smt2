; An account for each number; payments in keep every balance that was not negative.
(set-logic HORN)

(declare-fun accounts ((Array Int Real) Int) Bool)

(assert (forall ((a (Array Int Real)) (who Int)) (=> (>= (select a who) 0.0) (accounts a who))))
(assert (forall ((a (Array Int Real)) (who Int) (x Real))
  (=> (and (accounts a who) (> x 0.0)) (accounts (store a who (+ (select a who) x)) who))))
(assert (forall ((a (Array Int Real)) (who Int)) (=> (and (accounts a who) (< (select a who) 0.0)) false)))

(check-sat)
