; From three, halving or tripling and adding one leads to one.
(set-logic HORN)

(declare-fun collatz (Int) Bool)

(assert (collatz 3))
(assert (forall ((n Int)) (=> (and (collatz n) (= (mod n 2) 0)) (collatz (div n 2)))))
(assert (forall ((n Int)) (=> (and (collatz n) (= (mod n 2) 1) (> n 1)) (collatz (+ (* 3 n) 1)))))
(assert (=> (collatz 1) false))

(check-sat)
