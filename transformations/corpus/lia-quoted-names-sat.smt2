; Names with blanks and odd signs, all in bars.
(set-logic HORN)

(declare-fun |my loop| (Int) Bool)
(declare-fun |exit: done?| (Int) Bool)

(assert (forall ((|the n| Int)) (=> (= |the n| 1) (|my loop| |the n|))))
(assert (forall ((|the n| Int)) (=> (and (|my loop| |the n|) (< |the n| 50)) (|my loop| (* 2 |the n|)))))
(assert (forall ((|the n| Int)) (=> (and (|my loop| |the n|) (>= |the n| 50)) (|exit: done?| |the n|))))
(assert (forall ((|a b| Int)) (=> (and (|exit: done?| |a b|) (>= |a b| 100)) false)))

(check-sat)
