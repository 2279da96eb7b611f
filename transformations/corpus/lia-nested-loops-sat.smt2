; An inner loop runs below an outer one and leaves its variable in range.
(set-logic HORN)

(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int Int) Bool)

(assert (forall ((n Int)) (=> (> n 0) (outer 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (outer i n) (< i n)) (inner i i n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (< j n)) (inner i (+ j 1) n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (>= j n)) (outer (+ i 1) n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (not (<= i j n))) false)))

(check-sat)
