; Shared parts named by let; a walk on a grid reaches the field at four and three.
(set-logic HORN)

(declare-fun at (Int Int) Bool)

(assert (at 0 0))
(assert (forall ((x Int) (y Int) (r Bool))
  (=> (at x y) (let ((dx (ite r 1 0)) (dy (ite r 0 1))) (at (+ x dx) (+ y dy))))))
(assert (forall ((x Int) (y Int))
  (=> (and (at x y) (let ((s (+ x y)) (d (- x y))) (and (= s 7) (= d 1)))) false)))

(check-sat)
