; A loop writes numbers into an array; the third cell gets six.
(set-logic HORN)

(declare-fun fill ((Array Int Int) Int) Bool)

(assert (forall ((a (Array Int Int))) (=> (= a ((as const (Array Int Int)) 0)) (fill a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (fill a i) (< i 5)) (fill (store a i (* 2 i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (fill a i) (= (select a 3) 6)) false)))

(check-sat)
