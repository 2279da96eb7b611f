; A counter of three bits counts up to seven.
(set-logic HORN)

(declare-fun bits (Bool Bool Bool) Bool)

(assert (bits false false false))
(assert (forall ((a Bool) (b Bool) (c Bool))
  (=> (bits a b c) (bits (xor a (and b c)) (xor b c) (not c)))))
(assert (forall ((a Bool) (b Bool) (c Bool)) (=> (and (bits a b c) a b c) false)))

(check-sat)
