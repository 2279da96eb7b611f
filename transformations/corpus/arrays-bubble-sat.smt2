; One pass of bubbling carries the larger of the first two cells to the second.
(set-logic HORN)

(declare-fun pass ((Array Int Int) Int) Bool)

(assert (forall ((a (Array Int Int))) (pass a 0)))
(assert (forall ((a (Array Int Int)) (i Int))
  (=> (and (pass a i) (< i 1) (> (select a i) (select a (+ i 1))))
      (pass (store (store a i (select a (+ i 1))) (+ i 1) (select a i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int))
  (=> (and (pass a i) (< i 1) (<= (select a i) (select a (+ i 1)))) (pass a (+ i 1)))))
(assert (forall ((a (Array Int Int))) (=> (and (pass a 1) (> (select a 0) (select a 1))) false)))

(check-sat)
