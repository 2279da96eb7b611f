; A clock that runs slow is one whole second late in the end.
(set-logic HORN)

(declare-fun clock (Int Real) Bool)

(assert (clock 0 0.0))
(assert (forall ((n Int) (t Real)) (=> (clock n t) (clock (+ n 1) (+ t 0.75)))))
(assert (forall ((n Int) (t Real)) (=> (and (clock n t) (>= (- (to_real n) t) 1.0)) false)))

(check-sat)
