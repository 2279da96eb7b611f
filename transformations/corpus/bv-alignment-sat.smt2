; An address that moves by four stays aligned.
(set-logic HORN)

(declare-fun address ((_ BitVec 32)) Bool)

(assert (address #x00001000))
(assert (forall ((a (_ BitVec 32))) (=> (address a) (address (bvadd a #x00000004)))))
(assert (forall ((a (_ BitVec 32))) (=> (and (address a) (distinct ((_ extract 1 0) a) #b00)) false)))

(check-sat)
