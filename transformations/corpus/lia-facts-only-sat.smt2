; Facts without rules, and a question that none of them answers.
(set-logic HORN)

(declare-fun age (Int Int) Bool)

(assert (age 1 30))
(assert (age 2 41))
(assert (age 3 27))
(assert (forall ((who Int) (years Int)) (=> (and (age who years) (< years 18)) false)))

(check-sat)
