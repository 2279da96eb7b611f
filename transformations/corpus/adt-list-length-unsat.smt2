; Some list has three cells and begins with nine.
(set-logic HORN)

(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun len (List Int) Bool)

(assert (len nil 0))
(assert (forall ((x Int) (l List) (n Int)) (=> (len l n) (len (cons x l) (+ n 1)))))
(assert (forall ((l List)) (=> (and (len l 3) ((_ is cons) l) (= (head l) 9)) false)))

(check-sat)
