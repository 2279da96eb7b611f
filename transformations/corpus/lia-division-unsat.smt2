; Halving a number again and again ends at one.
(set-logic HORN)

(declare-fun halve (Int Int) Bool)

(assert (forall ((n Int)) (=> (= n 100) (halve n 0))))
(assert (forall ((n Int) (steps Int))
  (=> (and (halve n steps) (> n 1)) (halve (div n 2) (+ steps 1)))))
(assert (forall ((n Int) (steps Int)) (=> (and (halve n steps) (= n 1) (= steps 6)) false)))

(check-sat)
