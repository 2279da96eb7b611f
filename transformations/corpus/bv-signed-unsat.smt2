; A guard that forgets the sign lets a small negative number through.
(set-logic HORN)

(declare-fun value ((_ BitVec 8)) Bool)

(assert (forall ((v (_ BitVec 8))) (=> (bvslt v #x10) (value v))))
(assert (forall ((v (_ BitVec 8))) (=> (and (value v) (bvugt v #x10)) false)))

(check-sat)
