; A point that moves diagonally or to the right reaches the field at four and two.
(set-logic HORN)

(declare-datatypes ((Point 0)) (((point (px Int) (py Int)))))
(declare-fun at (Point) Bool)

(assert (at (point 0 0)))
(assert (forall ((p Point)) (=> (at p) (at (point (+ (px p) 1) (py p))))))
(assert (forall ((p Point)) (=> (at p) (at (point (+ (px p) 1) (+ (py p) 1))))))
(assert (forall ((p Point)) (=> (and (at p) (= p (point 4 2))) false)))

(check-sat)
