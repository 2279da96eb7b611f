; Adding odd numbers gives squares; one of them is forty-nine.
(set-logic HORN)

(declare-fun square (Int Int) Bool)

(assert (square 0 0))
(assert (forall ((n Int) (s Int)) (=> (square n s) (square (+ n 1) (+ s n n 1)))))
(assert (forall ((n Int) (s Int)) (=> (and (square n s) (= (* n n) s) (= s 49)) false)))

(check-sat)
