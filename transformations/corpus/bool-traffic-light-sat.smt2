; Two lights that are switched in turn are never green together.
(set-logic HORN)

(declare-fun lights (Bool Bool) Bool)

(assert (lights false false))
(assert (forall ((a Bool) (b Bool)) (=> (and (lights a b) (not b)) (lights (not a) b))))
(assert (forall ((a Bool) (b Bool)) (=> (and (lights a b) (not a)) (lights a (not b)))))
(assert (forall ((a Bool) (b Bool)) (=> (and (lights a b) a b) false)))

(check-sat)
