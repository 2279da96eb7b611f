; Flags without arguments, raised one after another; the last one is never raised.
(set-logic HORN)

(declare-fun start () Bool)
(declare-fun middle () Bool)
(declare-fun alarm () Bool)
(declare-fun level (Int) Bool)

(assert start)
(assert (=> start (level 0)))
(assert (forall ((n Int)) (=> (and (level n) (< n 4)) (level (+ n 1)))))
(assert (=> (level 4) middle))
(assert (forall ((n Int)) (=> (and middle (level n) (> n 4)) alarm)))
(assert (=> alarm false))

(check-sat)
