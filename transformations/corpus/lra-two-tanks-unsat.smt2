; Water flows from one tank into the other until both hold the same.
(set-logic HORN)

(declare-fun tanks (Real Real) Bool)

(assert (tanks 8.0 0.0))
(assert (forall ((a Real) (b Real))
  (=> (and (tanks a b) (>= a 1.0)) (tanks (- a 1.0) (+ b (/ 1.0 3.0))))))
(assert (forall ((a Real) (b Real)) (=> (and (tanks a b) (= a (* 3.0 b))) false)))

(check-sat)
