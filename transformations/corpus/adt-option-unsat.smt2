; A search returns an option; it finds something after three steps.
(set-logic HORN)

(declare-datatypes ((Option 0)) (((nothing) (just (value Int)))))
(declare-fun search (Int Option) Bool)

(assert (search 0 nothing))
(assert (forall ((n Int) (o Option))
  (=> (and (search n o) ((_ is nothing) o)) (search (+ n 1) (ite (= n 2) (just n) nothing)))))
(assert (forall ((n Int) (o Option)) (=> (and (search n o) ((_ is just) o) (= (value o) 2)) false)))

(check-sat)
