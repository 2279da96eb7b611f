; A heap of cells in an array: the first cell keeps its constructor.
(set-logic HORN)

(declare-datatypes ((Cell 0)) (((free) (used (content Int)))))
(declare-fun heap ((Array Int Cell) Int) Bool)

(assert (forall ((h (Array Int Cell))) (=> (= (select h 0) (used 1)) (heap h 1))))
(assert (forall ((h (Array Int Cell)) (n Int) (v Int))
  (=> (and (heap h n) (> n 0)) (heap (store h n (used v)) (+ n 1)))))
(assert (forall ((h (Array Int Cell)) (n Int)) (=> (and (heap h n) ((_ is free) (select h 0))) false)))

(check-sat)
