; A heap of cells in an array: allocation reaches the third cell.
(set-logic HORN)

(declare-datatypes ((Cell 0)) (((free) (used (content Int)))))
(declare-fun heap ((Array Int Cell) Int) Bool)

(assert (heap ((as const (Array Int Cell)) free) 0))
(assert (forall ((h (Array Int Cell)) (n Int)) (=> (heap h n) (heap (store h n (used (+ n n))) (+ n 1)))))
(assert (forall ((h (Array Int Cell)) (n Int))
  (=> (and (heap h n) ((_ is used) (select h 2)) (= (content (select h 2)) 4)) false)))

(check-sat)
