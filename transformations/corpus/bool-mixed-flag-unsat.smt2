; A flag flips at each step; a number grows only while it is up.
(set-logic HORN)

(declare-fun step (Bool Int) Bool)

(assert (step false 0))
(assert (forall ((up Bool) (n Int)) (=> (step up n) (step (not up) (ite up (+ n 1) n)))))
(assert (forall ((up Bool) (n Int)) (=> (and (step up n) (= up (> n 3)) up) false)))

(check-sat)
