; Whole ticks counted beside the time that has really passed.
(set-logic HORN)

(declare-fun clock (Int Real) Bool)

(assert (clock 0 0.0))
(assert (forall ((n Int) (t Real) (d Real))
  (=> (and (clock n t) (<= 0.9 d) (<= d 1.1)) (clock (+ n 1) (+ t d)))))
(assert (forall ((n Int) (t Real)) (=> (and (clock n t) (> t (* 1.1 (to_real n)))) false)))

(check-sat)
