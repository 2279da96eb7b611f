; Widening a byte with its sign keeps its sign.
(set-logic HORN)

(declare-fun wide ((_ BitVec 8) (_ BitVec 12)) Bool)

(assert (forall ((b (_ BitVec 8))) (wide b ((_ sign_extend 4) b))))
(assert (forall ((b (_ BitVec 8)) (w (_ BitVec 12)))
  (=> (and (wide b w) (not (= (bvslt b #x00) (bvslt w #x000)))) false)))

(check-sat)
