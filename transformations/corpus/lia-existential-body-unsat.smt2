; A body asks for a divisor; nine and twelve both have one.
(set-logic HORN)

(declare-fun candidate (Int) Bool)
(declare-fun composite (Int) Bool)

(assert (candidate 2))
(assert (forall ((n Int)) (=> (and (candidate n) (< n 12)) (candidate (+ n 1)))))
(assert (forall ((n Int))
  (=> (exists ((k Int)) (and (candidate n) (candidate k) (= n (* 3 k)))) (composite n))))
(assert (forall ((n Int)) (=> (and (composite n) (composite (+ n 3)) (> n 8)) false)))

(check-sat)
