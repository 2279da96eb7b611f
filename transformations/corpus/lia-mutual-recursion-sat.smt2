; Even and odd numbers defined by one another leave the remainders that they should.
(set-logic HORN)

(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)

(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (odd (+ n 1)))))
(assert (forall ((n Int)) (=> (odd n) (even (+ n 1)))))
(assert (forall ((n Int)) (=> (and (even n) (= (mod n 2) 1)) false)))
(assert (forall ((n Int)) (=> (and (odd n) (= (mod n 2) 0)) false)))

(check-sat)
