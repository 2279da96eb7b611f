; Two bytes joined to a word and taken apart again are the same two bytes.
(set-logic HORN)

(declare-fun word ((_ BitVec 16)) Bool)
(declare-fun parts ((_ BitVec 8) (_ BitVec 8)) Bool)

(assert (forall ((hi (_ BitVec 8)) (lo (_ BitVec 8))) (=> (bvult hi lo) (word (concat hi lo)))))
(assert (forall ((w (_ BitVec 16))) (=> (word w) (parts ((_ extract 15 8) w) ((_ extract 7 0) w)))))
(assert (forall ((hi (_ BitVec 8)) (lo (_ BitVec 8))) (=> (and (parts hi lo) (bvuge hi lo)) false)))

(check-sat)
