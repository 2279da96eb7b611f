; A sum over a nested loop comes to its exact value after both loops have ended.
(set-logic HORN)

(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int Int) Bool)

(assert (outer 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (outer i s) (< i 4)) (inner i 0 s))))
(assert (forall ((i Int) (j Int) (s Int)) (=> (and (inner i j s) (< j 3)) (inner i (+ j 1) (+ s i)))))
(assert (forall ((i Int) (j Int) (s Int)) (=> (and (inner i j s) (= j 3)) (outer (+ i 1) s))))
(assert (forall ((s Int)) (=> (and (outer 4 s) (= s 18)) false)))

(check-sat)
