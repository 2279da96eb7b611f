; A body asks whether some smaller number exists that was seen.
(set-logic HORN)

(declare-fun seen (Int) Bool)
(declare-fun after (Int) Bool)

(assert (seen 3))
(assert (seen 8))
(assert (forall ((n Int)) (=> (exists ((m Int)) (and (seen m) (< m n))) (after n))))
(assert (forall ((n Int)) (=> (and (after n) (< n 4)) false)))

(check-sat)
