; A lock is taken and released in turn, never taken twice.
(set-logic HORN)

(declare-fun state (Int Int) Bool)

(assert (forall ((lock Int) (n Int)) (=> (and (= lock 0) (= n 0)) (state lock n))))
(assert (forall ((lock Int) (n Int))
  (=> (state lock n) (state (ite (= lock 0) (+ lock 1) (- lock 1)) (+ n 1)))))
(assert (forall ((lock Int) (n Int)) (=> (and (state lock n) (distinct lock 0 1)) false)))

(check-sat)
