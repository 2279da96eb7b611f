; A step chooses between two moves, and one sequence of choices hits the target.
(set-logic HORN)

(declare-fun sum (Int Int) Bool)

(assert (sum 0 0))
(assert (forall ((i Int) (s Int) (t Int))
  (=> (and (sum i s) (or (= t (+ s 3)) (= t (+ s 5)))) (sum (+ i 1) t))))
(assert (forall ((s Int)) (=> (and (sum 6 s) (= s 24)) false)))

(check-sat)
