; Appending two lists by the usual two rules gives the list of one, two, three.
(set-logic HORN)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun app (List List List) Bool)

(assert (forall ((l List)) (app nil l l)))
(assert (forall ((x Int) (a List) (b List) (c List)) (=> (app a b c) (app (cons x a) b (cons x c)))))
(assert (forall ((r List))
  (=> (and (app (cons 1 (cons 2 nil)) (cons 3 nil) r) (= r (cons 1 (cons 2 (cons 3 nil))))) false)))

(check-sat)
