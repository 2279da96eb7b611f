; Signed comparison keeps a nibble between minus two and three.
(set-logic HORN)

(declare-fun value ((_ BitVec 4)) Bool)

(assert (value #x0))
(assert (forall ((v (_ BitVec 4))) (=> (and (value v) (bvslt v #x3)) (value (bvadd v #x1)))))
(assert (forall ((v (_ BitVec 4))) (=> (and (value v) (bvsgt v #xe)) (value (bvsub v #x1)))))
(assert (forall ((v (_ BitVec 4))) (=> (and (value v) (bvsgt v #x3)) false)))
(assert (forall ((v (_ BitVec 4))) (=> (and (value v) (bvslt v #xe)) false)))

(check-sat)
