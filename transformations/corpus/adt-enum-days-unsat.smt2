; Six days after Monday comes Sunday.
(set-logic HORN)

(declare-datatypes ((Day 0)) (((mon) (tue) (wed) (thu) (fri) (sat) (sun))))
(define-fun next ((d Day)) Day
  (ite (= d mon) tue (ite (= d tue) wed (ite (= d wed) thu (ite (= d thu) fri (ite (= d fri) sat (ite (= d sat) sun mon)))))))
(declare-fun day (Day Int) Bool)

(assert (day mon 0))
(assert (forall ((d Day) (n Int)) (=> (day d n) (day (next d) (+ n 1)))))
(assert (forall ((n Int)) (=> (and (day sun n) (< n 7)) false)))

(check-sat)
