; A term of a small language evaluates to ten.
(set-logic HORN)

(declare-datatypes ((Expr 0)) (((num (val Int)) (plus (lhs Expr) (rhs Expr)) (twice (arg Expr)))))
(declare-fun eval (Expr Int) Bool)

(assert (forall ((n Int)) (eval (num n) n)))
(assert (forall ((a Expr) (b Expr) (m Int) (n Int)) (=> (and (eval a m) (eval b n)) (eval (plus a b) (+ m n)))))
(assert (forall ((a Expr) (m Int)) (=> (eval a m) (eval (twice a) (* 2 m)))))
(assert (forall ((v Int)) (=> (and (eval (twice (plus (num 2) (num 3))) v) (= v 10)) false)))

(check-sat)
