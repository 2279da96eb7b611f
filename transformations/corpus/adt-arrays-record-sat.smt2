; A queue as a record of an array and two ends, of which the first never overtakes.
(set-logic HORN)

(declare-datatypes ((Queue 0)) (((queue (items (Array Int Int)) (front Int) (back Int)))))
(declare-fun state (Queue) Bool)

(assert (state (queue ((as const (Array Int Int)) 0) 0 0)))
(assert (forall ((q Queue) (v Int))
  (=> (state q) (state (queue (store (items q) (back q) v) (front q) (+ (back q) 1))))))
(assert (forall ((q Queue))
  (=> (and (state q) (< (front q) (back q))) (state (queue (items q) (+ (front q) 1) (back q))))))
(assert (forall ((q Queue)) (=> (and (state q) (> (front q) (back q))) false)))

(check-sat)
