; A counter that stops at ten never passes ten.
(set-logic HORN)

(declare-fun count (Int) Bool)

(assert (forall ((n Int)) (=> (= n 0) (count n))))
(assert (forall ((n Int) (m Int)) (=> (and (count n) (< n 10) (= m (+ n 1))) (count m))))
(assert (forall ((n Int)) (=> (and (count n) (> n 10)) false)))

(check-sat)
