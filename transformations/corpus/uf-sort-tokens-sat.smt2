; Tokens of a sort about which nothing is known: what is handed on keeps its owner.
(set-logic HORN)

(declare-sort Token 0)
(declare-fun owns (Int Token) Bool)

(assert (forall ((t Token)) (owns 1 t)))
(assert (forall ((n Int) (t Token)) (=> (and (owns n t) (< n 5)) (owns (+ n 1) t))))
(assert (forall ((n Int) (s Token) (t Token)) (=> (and (owns n s) (owns n t) (= s t) (> n 5)) false)))

(check-sat)
