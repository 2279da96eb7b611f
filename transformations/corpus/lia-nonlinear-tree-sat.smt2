; Joining two parts never gives less than three times the number of joints.
(set-logic HORN)

(declare-fun part (Int Int) Bool)

(assert (part 5 0))
(assert (part 3 0))
(assert (forall ((a Int) (b Int) (m Int) (n Int))
  (=> (and (part a m) (part b n)) (part (+ a b) (+ m n 1)))))
(assert (forall ((a Int) (m Int)) (=> (and (part a m) (< a (* 3 m))) false)))

(check-sat)
