; Rules that derive much, with nothing forbidden.
(set-logic HORN)

(declare-fun reach (Int) Bool)
(declare-fun pair (Int Int) Bool)

(assert (reach 7))
(assert (forall ((n Int)) (=> (reach n) (reach (- n 3)))))
(assert (forall ((n Int) (m Int)) (=> (and (reach n) (reach m)) (pair n m))))

(check-sat)
