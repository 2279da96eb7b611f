; One bit is shifted through a register of five bits until it falls out.
(set-logic HORN)

(declare-fun register ((_ BitVec 5)) Bool)

(assert (register #b00001))
(assert (forall ((r (_ BitVec 5))) (=> (register r) (register (bvshl r #b00001)))))
(assert (=> (register #b00000) false))

(check-sat)
