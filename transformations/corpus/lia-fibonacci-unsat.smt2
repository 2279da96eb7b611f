; The sixth Fibonacci number is eight, by a rule that needs two earlier ones.
(set-logic HORN)

(declare-fun fib (Int Int) Bool)

(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (fib n a) (fib (+ n 1) b)) (fib (+ n 2) (+ a b)))))
(assert (forall ((a Int)) (=> (and (fib 6 a) (= a 8)) false)))

(check-sat)
