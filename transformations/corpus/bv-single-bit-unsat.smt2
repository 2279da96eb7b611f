; Bit-vectors of one bit act as flags that count modulo four.
(set-logic HORN)

(declare-fun pair ((_ BitVec 1) (_ BitVec 1)) Bool)

(assert (pair #b0 #b0))
(assert (forall ((a (_ BitVec 1)) (b (_ BitVec 1))) (=> (pair a b) (pair (bvxor a b) (bvnot b)))))
(assert (=> (pair #b1 #b1) false))

(check-sat)
