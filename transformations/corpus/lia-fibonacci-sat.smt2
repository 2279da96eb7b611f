; No Fibonacci number is negative.
(set-logic HORN)

(declare-fun fib (Int Int) Bool)

(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (m Int) (a Int) (b Int))
  (=> (and (fib n a) (fib m b) (= m (+ n 1))) (fib (+ m 1) (+ a b)))))
(assert (forall ((n Int) (a Int)) (=> (and (fib n a) (< a 0)) false)))

(check-sat)
