; A Gray code of six bits passes through every pattern.
(set-logic HORN)

(declare-fun gray ((_ BitVec 6) (_ BitVec 6)) Bool)

(assert (gray #b000000 #b000000))
(assert (forall ((n (_ BitVec 6)) (g (_ BitVec 6)) (m (_ BitVec 6)))
  (=> (and (gray n g) (= m (bvadd n #b000001))) (gray m (bvxor m (bvlshr m #b000001))))))
(assert (forall ((n (_ BitVec 6))) (=> (gray n #b011110) false)))

(check-sat)
