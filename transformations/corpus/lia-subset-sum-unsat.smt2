; Some of seven weights add up to one hundred exactly.
(set-logic HORN)

(declare-fun pick (Int Int) Bool)
(define-fun weight ((i Int)) Int
  (ite (= i 0) 13 (ite (= i 1) 21 (ite (= i 2) 34 (ite (= i 3) 8 (ite (= i 4) 55 (ite (= i 5) 3 29)))))))

(assert (pick 0 0))
(assert (forall ((i Int) (s Int)) (=> (and (pick i s) (< i 7)) (pick (+ i 1) s))))
(assert (forall ((i Int) (s Int)) (=> (and (pick i s) (< i 7)) (pick (+ i 1) (+ s (weight i))))))
(assert (=> (pick 7 100) false))

(check-sat)
