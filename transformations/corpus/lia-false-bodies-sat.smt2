; Clauses that can never apply, because their conditions contradict themselves.
(set-logic HORN)

(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)

(assert (forall ((n Int)) (=> (= n 1) (p n))))
(assert (forall ((n Int)) (=> (and false (p n)) (q n))))
(assert (forall ((n Int)) (=> (and (p n) (< n 0) (> n 0)) (q n))))
(assert (forall ((n Int)) (=> (q n) (q (+ n 1)))))
(assert (forall ((n Int)) (=> (q n) false)))
(assert (forall ((n Int)) (=> (and (p n) false) false)))

(check-sat)
