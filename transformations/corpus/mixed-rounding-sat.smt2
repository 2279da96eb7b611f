; Rounding down never gives more than there was.
(set-logic HORN)

(declare-fun bill (Real Int) Bool)

(assert (forall ((price Real)) (=> (>= price 0.0) (bill price (to_int price)))))
(assert (forall ((p Real) (n Int)) (=> (and (bill p n) (> (to_real n) p)) false)))

(check-sat)
