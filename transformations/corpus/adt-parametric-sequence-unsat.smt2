; A parametric sequence of Booleans in which true and false take turns.
(set-logic HORN)

(declare-datatypes ((Sequence 1)) ((par (T) ((nothing) (insert (head T) (tail (Sequence T)))))))
(declare-fun turns ((Sequence Bool)) Bool)

(assert (turns (insert true (as nothing (Sequence Bool)))))
(assert (forall ((l (Sequence Bool))) (=> (and (turns l) ((_ is insert) l)) (turns (insert (not (head l)) l)))))
(assert (forall ((l (Sequence Bool)))
  (=> (and (turns l) (= l (insert true (insert false (insert true (as nothing (Sequence Bool))))))) false)))

(check-sat)
