; Declared predicates that no clause mentions, beside a small loop.
(set-logic HORN)

(declare-fun idle (Int Bool) Bool)
(declare-fun work (Int) Bool)
(declare-fun asleep () Bool)

(assert (forall ((n Int)) (=> (and (>= n 5) (<= n 8)) (work n))))
(assert (forall ((n Int)) (=> (work n) (work (+ n n)))))
(assert (forall ((n Int)) (=> (and (work n) (<= n 4)) false)))

(check-sat)
