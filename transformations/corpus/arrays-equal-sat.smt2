; Two arrays written alike stay equal as a whole.
(set-logic HORN)

(declare-fun both ((Array Int Int) (Array Int Int)) Bool)

(assert (forall ((a (Array Int Int))) (both a a)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (v Int))
  (=> (both a b) (both (store a i v) (store b i v)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (both a b) (not (= a b))) false)))

(check-sat)
