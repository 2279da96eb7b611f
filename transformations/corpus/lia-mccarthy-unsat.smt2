; McCarthy's function of ninety-nine, by the definition, is ninety-one.
(set-logic HORN)

(declare-fun mc (Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (<= n 100) (mc (+ n 11) a) (mc a b)) (mc n b))))
(assert (forall ((r Int)) (=> (and (mc 99 r) (> r 90)) false)))

(check-sat)
