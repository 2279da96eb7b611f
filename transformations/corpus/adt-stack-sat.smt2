; A stack on which only positive numbers are pushed never shows a zero on top.
(set-logic HORN)

(declare-datatypes ((Stack 0)) (((empty) (push (top Int) (below Stack)))))
(declare-fun stack (Stack) Bool)

(assert (stack empty))
(assert (forall ((s Stack) (x Int)) (=> (and (stack s) (> x 0) ((_ is empty) s)) (stack (push x s)))))
(assert (forall ((s Stack) (x Int)) (=> (and (stack s) ((_ is push) s) (> x (top s))) (stack (push x s)))))
(assert (forall ((s Stack)) (=> (and (stack s) ((_ is push) s) (= (top s) 0)) false)))

(check-sat)
