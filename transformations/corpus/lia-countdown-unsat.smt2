; One counter falls while the other rises; they meet halfway.
(set-logic HORN)

(declare-fun race (Int Int) Bool)

(assert (race 0 12))
(assert (forall ((low Int) (high Int))
  (=> (and (race low high) (< low high)) (race (+ low 1) (- high 1)))))
(assert (forall ((low Int) (high Int)) (=> (and (race low high) (= low high)) false)))

(check-sat)
