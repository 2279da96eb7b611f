; Pairs of any two sorts: the first stays smaller than the second.
(set-logic HORN)

(declare-datatypes ((Pair 2)) ((par (A B) ((pair (fst A) (snd B))))))
(declare-fun ordered ((Pair Int Int)) Bool)
(declare-fun flagged ((Pair Bool Int)) Bool)

(assert (ordered (pair 0 1)))
(assert (forall ((p (Pair Int Int))) (=> (ordered p) (ordered (pair (+ (fst p) 1) (+ (snd p) 2))))))
(assert (forall ((p (Pair Int Int))) (=> (ordered p) (flagged (pair (< (fst p) (snd p)) (snd p))))))
(assert (forall ((p (Pair Bool Int))) (=> (and (flagged p) (not (fst p))) false)))

(check-sat)
