; A table whose corner is never written keeps its corner.
(set-logic HORN)

(declare-fun table ((Array Int (Array Int Int))) Bool)

(assert (table ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0))))
(assert (forall ((t (Array Int (Array Int Int))) (r Int) (v Int))
  (=> (and (table t) (> r 0)) (table (store t r (store (select t r) 0 v))))))
(assert (forall ((t (Array Int (Array Int Int)))) (=> (and (table t) (not (= (select (select t 0) 0) 0))) false)))

(check-sat)
