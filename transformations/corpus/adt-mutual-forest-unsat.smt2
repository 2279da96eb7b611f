; Trees and forests that refer to one another; some tree with two children weighs six.
(set-logic HORN)

(declare-datatypes ((Tree 0) (Forest 0))
  (((tree (label Int) (children Forest))) ((none) (some (first Tree) (others Forest)))))
(declare-fun weight (Tree Int) Bool)
(declare-fun weights (Forest Int) Bool)

(assert (weights none 0))
(assert (forall ((t Tree) (f Forest) (m Int) (n Int))
  (=> (and (weight t m) (weights f n)) (weights (some t f) (+ m n)))))
(assert (forall ((l Int) (f Forest) (n Int)) (=> (and (weights f n) (<= 1 l 2)) (weight (tree l f) (+ l n)))))
(assert (forall ((a Tree) (b Tree)) (=> (weight (tree 2 (some a (some b none))) 6) false)))

(check-sat)
