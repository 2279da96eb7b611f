; A number that grows by two from zero is never odd; the remainder says so.
(set-logic HORN)

(declare-fun even (Int) Bool)

(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (even (+ n 2)))))
(assert (forall ((n Int)) (=> (and (even n) (= (mod n 2) 1)) false)))

(check-sat)
