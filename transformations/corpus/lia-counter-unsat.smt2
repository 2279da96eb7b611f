; A counter without a bound reaches five.
(set-logic HORN)

(declare-fun count (Int) Bool)

(assert (forall ((n Int)) (=> (= n 0) (count n))))
(assert (forall ((n Int)) (=> (count n) (count (+ n 1)))))
(assert (forall ((n Int)) (=> (and (count n) (= n 5)) false)))

(check-sat)
