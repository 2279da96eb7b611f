; Only flags: each implies the next, and the last is forbidden.
(set-logic HORN)

(declare-fun a () Bool)
(declare-fun b () Bool)
(declare-fun c () Bool)

(assert a)
(assert (=> a b))
(assert (=> (and a b) c))
(assert (not c))

(check-sat)
