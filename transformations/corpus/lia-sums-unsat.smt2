; Sums of earlier sums: forty-four can be put together from six, nine and twenty.
(set-logic HORN)

(declare-fun sum (Int Int) Bool)

(assert (sum 6 1))
(assert (sum 9 1))
(assert (sum 20 1))
(assert (forall ((a Int) (b Int) (m Int) (n Int)) (=> (and (sum a m) (sum b n)) (sum (+ a b) (+ m n)))))
(assert (forall ((n Int)) (=> (and (sum 44 n) (<= n 5)) false)))

(check-sat)
