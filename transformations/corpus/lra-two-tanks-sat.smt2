; Water flows from one tank into the other, and none is lost.
(set-logic HORN)

(declare-fun tanks (Real Real) Bool)

(assert (tanks 8.0 0.0))
(assert (forall ((a Real) (b Real) (flow Real))
  (=> (and (tanks a b) (< 0.0 flow) (<= flow a)) (tanks (- a flow) (+ b flow)))))
(assert (forall ((a Real) (b Real)) (=> (and (tanks a b) (distinct (+ a b) 8.0)) false)))
(assert (forall ((a Real) (b Real)) (=> (and (tanks a b) (< a 0.0)) false)))

(check-sat)
