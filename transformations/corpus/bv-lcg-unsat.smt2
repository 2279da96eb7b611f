; A random generator of eight bits comes to a given value after some steps.
(set-logic HORN)

(declare-fun random ((_ BitVec 8)) Bool)

(assert (random #x01))
(assert (forall ((r (_ BitVec 8))) (=> (random r) (random (bvadd (bvmul r #x05) #x03)))))
(assert (=> (random #x40) false))

(check-sat)
