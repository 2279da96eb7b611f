; A loop that must turn thirty times before it fails.
(set-logic HORN)

(declare-fun loop (Int Int) Bool)

(assert (loop 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (< i 30)) (loop (+ i 1) (+ s (mod i 3))))))
(assert (forall ((i Int) (s Int)) (=> (and (loop i s) (>= s 30)) false)))

(check-sat)
