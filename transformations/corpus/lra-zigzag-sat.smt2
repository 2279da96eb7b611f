; A saw-tooth of rising and falling slopes stays below its roof.
(set-logic HORN)

(declare-fun up (Real Real) Bool)
(declare-fun down (Real Real) Bool)

(assert (up 0.0 0.0))
(assert (forall ((t Real) (h Real) (d Real)) (=> (and (up t h) (> d 0.0) (<= (+ h d) 3.0)) (up (+ t d) (+ h d)))))
(assert (forall ((t Real) (h Real)) (=> (and (up t h) (>= h 2.0)) (down t h))))
(assert (forall ((t Real) (h Real) (d Real)) (=> (and (down t h) (> d 0.0) (>= (- h (* 2.0 d)) 0.0)) (down (+ t d) (- h (* 2.0 d))))))
(assert (forall ((t Real) (h Real)) (=> (and (down t h) (<= h 1.0)) (up t h))))
(assert (forall ((t Real) (h Real)) (=> (and (down t h) (> h t)) false)))

(check-sat)
