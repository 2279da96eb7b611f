; A byte that counts up by sixteen comes back to zero.
(set-logic HORN)

(declare-fun count ((_ BitVec 8) (_ BitVec 8)) Bool)

(assert (count #x10 #x01))
(assert (forall ((n (_ BitVec 8)) (k (_ BitVec 8))) (=> (count n k) (count (bvadd n #x10) (bvadd k #x01)))))
(assert (forall ((k (_ BitVec 8))) (=> (count #x00 k) false)))

(check-sat)
