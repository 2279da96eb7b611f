; Two processes and a turn: both never enter at once.
(set-logic HORN)

(declare-fun state (Bool Bool Bool) Bool)

(assert (forall ((turn Bool)) (state false false turn)))
(assert (forall ((a Bool) (b Bool) (turn Bool)) (=> (and (state a b turn) (not a) turn) (state true b turn))))
(assert (forall ((a Bool) (b Bool) (turn Bool)) (=> (and (state a b turn) (not b) (not turn)) (state a true turn))))
(assert (forall ((b Bool) (turn Bool)) (=> (state true b turn) (state false b false))))
(assert (forall ((a Bool) (turn Bool)) (=> (state a true turn) (state a false true))))
(assert (forall ((turn Bool)) (=> (state true true turn) false)))

(check-sat)
