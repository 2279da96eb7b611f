; Facts without rules; two of them contradict each other.
(set-logic HORN)

(declare-fun age (Int Int) Bool)

(assert (age 1 30))
(assert (age 2 41))
(assert (age 1 31))
(assert (forall ((who Int) (a Int) (b Int)) (=> (and (age who a) (age who b) (distinct a b)) false)))

(check-sat)
