; Even and odd numbers defined by one another, and a step that mixes them up.
(set-logic HORN)

(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)

(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (odd (+ n 1)))))
(assert (forall ((n Int)) (=> (odd n) (even (+ n 1)))))
(assert (forall ((n Int)) (=> (and (odd n) (> n 4)) (odd (* 2 n)))))
(assert (forall ((n Int)) (=> (and (even n) (odd n)) false)))

(check-sat)
