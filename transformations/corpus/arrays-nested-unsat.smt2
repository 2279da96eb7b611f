; A table of rows: a value written in one row is found there again.
(set-logic HORN)

(declare-fun table ((Array Int (Array Int Int)) Int) Bool)

(assert (table ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) 0))
(assert (forall ((t (Array Int (Array Int Int))) (k Int))
  (=> (and (table t k) (< k 3)) (table (store t k (store (select t k) 1 (+ k 10))) (+ k 1)))))
(assert (forall ((t (Array Int (Array Int Int))) (k Int))
  (=> (and (table t k) (= (select (select t 2) 1) 12)) false)))

(check-sat)
