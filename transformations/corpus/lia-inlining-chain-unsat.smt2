; Values handed down a chain of predicates without a loop get too large.
(set-logic HORN)

(declare-fun p0 (Int) Bool)
(declare-fun p1 (Int Int) Bool)
(declare-fun p2 (Int Int) Bool)
(declare-fun p3 (Int) Bool)
(declare-fun p4 (Int) Bool)

(assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 10)) (p0 x))))
(assert (forall ((x Int)) (=> (p0 x) (p1 x (* 2 x)))))
(assert (forall ((x Int) (y Int)) (=> (p1 x y) (p2 y (- y x)))))
(assert (forall ((x Int) (y Int)) (=> (p2 x y) (p3 (+ x y)))))
(assert (forall ((x Int)) (=> (p3 x) (p4 (- x 30)))))
(assert (forall ((x Int)) (=> (and (p4 x) (>= x 0)) false)))

(check-sat)
