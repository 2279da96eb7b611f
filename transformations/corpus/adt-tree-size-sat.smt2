; A tree has at least one node, whatever its shape.
(set-logic HORN)

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))
(declare-fun size (Tree Int) Bool)

(assert (size leaf 1))
(assert (forall ((l Tree) (k Int) (r Tree) (m Int) (n Int))
  (=> (and (size l m) (size r n)) (size (node l k r) (+ 1 m n)))))
(assert (forall ((t Tree) (n Int)) (=> (and (size t n) (< n 1)) false)))

(check-sat)
