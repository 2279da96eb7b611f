; Swapping two registers by exclusive-or, traced through three places.
(set-logic HORN)

(declare-fun l0 ((_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun l1 ((_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun l2 ((_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun l3 ((_ BitVec 8) (_ BitVec 8)) Bool)

(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (bvult a b) (l0 a b))))
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (l0 a b) (l1 (bvxor a b) b))))
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (l1 a b) (l2 a (bvxor a b)))))
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (l2 a b) (l3 (bvxor a b) b))))
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (and (l3 a b) (bvule a b)) false)))

(check-sat)
