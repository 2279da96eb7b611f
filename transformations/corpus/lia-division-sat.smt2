; A number below a hundred cannot be halved seven times before it is one.
(set-logic HORN)

(declare-fun halve (Int Int) Bool)

(assert (forall ((n Int)) (=> (and (<= 1 n) (< n 100)) (halve n 0))))
(assert (forall ((n Int) (steps Int))
  (=> (and (halve n steps) (> n 1)) (halve (div n 2) (+ steps 1)))))
(assert (forall ((n Int) (steps Int)) (=> (and (halve n steps) (>= steps 7)) false)))

(check-sat)
