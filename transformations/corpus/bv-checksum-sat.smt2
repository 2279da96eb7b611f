; The parity bit that is kept beside a byte is the parity of its low bits.
(set-logic HORN)

(declare-fun code ((_ BitVec 8) (_ BitVec 1)) Bool)

(assert (code #x00 #b0))
(assert (forall ((b (_ BitVec 8)) (p (_ BitVec 1))) (=> (code b p) (code (bvxor b #x01) (bvnot p)))))
(assert (forall ((b (_ BitVec 8)) (p (_ BitVec 1))) (=> (code b p) (code (bvxor b #x02) (bvnot p)))))
(assert (forall ((b (_ BitVec 8)) (p (_ BitVec 1))) (=> (code b p) (code (bvor b #xf0) p))))
(assert (forall ((b (_ BitVec 8)) (p (_ BitVec 1)))
  (=> (and (code b p) (distinct p (bvxor ((_ extract 0 0) b) ((_ extract 1 1) b)))) false)))

(check-sat)
