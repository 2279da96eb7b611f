; A loop raises one cell of an array and never lowers it.
(set-logic HORN)

(declare-fun loop ((Array Int Int) Int) Bool)

(assert (forall ((a (Array Int Int)) (i Int)) (=> (= (select a i) 0) (loop a i))))
(assert (forall ((a (Array Int Int)) (i Int) (b (Array Int Int)))
  (=> (and (loop a i) (= b (store a i (+ (select a i) 1)))) (loop b i))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (loop a i) (< (select a i) 0)) false)))

(check-sat)
