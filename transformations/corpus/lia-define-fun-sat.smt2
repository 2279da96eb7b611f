; Clamping with defined functions keeps a value in its band.
(set-logic HORN)

(define-fun least ((a Int) (b Int)) Int (ite (<= a b) a b))
(define-fun most ((a Int) (b Int)) Int (ite (<= a b) b a))
(define-fun limit () Int 20)
(declare-fun value (Int) Bool)

(assert (value 0))
(assert (forall ((v Int) (step Int)) (=> (value v) (value (most (- limit) (least limit (+ v step)))))))
(assert (forall ((v Int)) (=> (and (value v) (> v limit)) false)))

(check-sat)
