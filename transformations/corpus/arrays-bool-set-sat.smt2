; A set as an array of Booleans to which only numbers above nine are added.
(set-logic HORN)

(declare-fun set ((Array Int Bool)) Bool)

(assert (set ((as const (Array Int Bool)) false)))
(assert (forall ((s (Array Int Bool)) (x Int)) (=> (and (set s) (> x 9)) (set (store s x true)))))
(assert (forall ((s (Array Int Bool))) (=> (and (set s) (select s 5)) false)))

(check-sat)
