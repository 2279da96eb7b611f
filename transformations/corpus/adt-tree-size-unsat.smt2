; A tree grown at random has a leaf on its left and five nodes.
(set-logic HORN)

(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))
(declare-fun size (Tree Int) Bool)

(assert (size leaf 1))
(assert (forall ((l Tree) (k Int) (r Tree) (m Int) (n Int))
  (=> (and (size l m) (size r n)) (size (node l k r) (+ 1 m n)))))
(assert (forall ((t Tree)) (=> (and (size t 5) ((_ is node) t) (= (left t) leaf) (= (key t) 7)) false)))

(check-sat)
