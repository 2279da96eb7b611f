; A small memory with addresses of four bits: writing past the end lands at the start.
(set-logic HORN)

(declare-fun memory ((Array (_ BitVec 4) (_ BitVec 8)) (_ BitVec 4)) Bool)

(assert (memory ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00) #xd))
(assert (forall ((m (Array (_ BitVec 4) (_ BitVec 8))) (p (_ BitVec 4)))
  (=> (memory m p) (memory (store m p #xff) (bvadd p #x1)))))
(assert (forall ((m (Array (_ BitVec 4) (_ BitVec 8))) (p (_ BitVec 4)))
  (=> (and (memory m p) (= (select m #x0) #xff)) false)))

(check-sat)
