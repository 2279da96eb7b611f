; Rotating one bit by concatenation never sets a second one.
(set-logic HORN)

(declare-fun ring ((_ BitVec 3)) Bool)

(assert (ring #b001))
(assert (forall ((r (_ BitVec 3))) (=> (ring r) (ring (concat ((_ extract 1 0) r) ((_ extract 2 2) r))))))
(assert (forall ((r (_ BitVec 3))) (=> (and (ring r) (= r (bvor #b011 r))) false)))
(assert (=> (ring #b000) false))

(check-sat)
