; Unsigned division and remainder lead from a hundred to seven.
(set-logic HORN)

(declare-fun pair ((_ BitVec 8) (_ BitVec 8)) Bool)

(assert (pair (_ bv100 8) (_ bv7 8)))
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8)))
  (=> (and (pair a b) (not (= b #x00))) (pair (bvudiv a b) (bvurem a b)))))
(assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (and (pair a b) (= b #x00) (= a #x07)) false)))

(check-sat)
