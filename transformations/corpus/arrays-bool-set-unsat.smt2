; A set as an array of Booleans: the number three gets in by way of two others.
(set-logic HORN)

(declare-fun set ((Array Int Bool)) Bool)

(assert (set (store ((as const (Array Int Bool)) false) 1 true)))
(assert (forall ((s (Array Int Bool)) (x Int)) (=> (and (set s) (select s x)) (set (store s (+ x 1) true)))))
(assert (forall ((s (Array Int Bool))) (=> (and (set s) (select s 1) (select s 2) (select s 3)) false)))

(check-sat)
