; Heating and cooling at different rates keep the temperature in a band.
(set-logic HORN)

(declare-fun room (Bool Real) Bool)

(assert (room true 20.0))
(assert (forall ((t Real) (d Real))
  (=> (and (room true t) (<= 0.0 d) (<= d 0.5) (<= (+ t d) 22.0)) (room true (+ t d)))))
(assert (forall ((t Real)) (=> (and (room true t) (>= t 21.5)) (room false t))))
(assert (forall ((t Real) (d Real))
  (=> (and (room false t) (<= 0.0 d) (<= d 0.25) (>= (- t d) 18.0)) (room false (- t d)))))
(assert (forall ((t Real)) (=> (and (room false t) (<= t 18.5)) (room true t))))
(assert (forall ((heating Bool) (t Real)) (=> (and (room heating t) (not (<= 18.0 t 22.0))) false)))

(check-sat)
