; In a constant array every cell is the same; writing elsewhere changes nothing here.
(set-logic HORN)

(declare-fun board ((Array Int Int)) Bool)

(assert (board ((as const (Array Int Int)) 7)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (board a) (> i 0)) (board (store a i 1)))))
(assert (forall ((a (Array Int Int))) (=> (and (board a) (distinct (select a 0) 7)) false)))

(check-sat)
