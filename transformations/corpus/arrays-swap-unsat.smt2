; Swapping neighbours of an array brings its first cell to the third place.
(set-logic HORN)

(declare-fun row ((Array Int Int)) Bool)

(assert (row (store (store (store ((as const (Array Int Int)) 0) 0 5) 1 6) 2 7)))
(assert (forall ((a (Array Int Int)) (i Int))
  (=> (and (row a) (<= 0 i) (< i 2))
      (row (store (store a i (select a (+ i 1))) (+ i 1) (select a i))))))
(assert (forall ((a (Array Int Int))) (=> (and (row a) (= (select a 2) 5) (= (select a 0) 6)) false)))

(check-sat)
