; A disc grows by a tenth each time until its radius passes one and a half.
(set-logic HORN)

(declare-datatypes ((Shape 0)) (((disc (radius Real)) (box (width Real) (height Real)))))
(declare-fun shape (Shape) Bool)

(assert (shape (disc 1.0)))
(assert (forall ((s Shape)) (=> (and (shape s) ((_ is disc) s)) (shape (disc (* 1.1 (radius s)))))))
(assert (forall ((s Shape)) (=> (and (shape s) ((_ is disc) s)) (shape (box (radius s) (radius s))))))
(assert (forall ((s Shape)) (=> (and (shape s) ((_ is box) s) (> (width s) 1.5)) false)))

(check-sat)
