; Two jugs of three and five litres: four litres can be measured.
(set-logic HORN)

(declare-fun jugs (Int Int) Bool)

(assert (jugs 0 0))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs 3 b))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs a 5))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs 0 b))))
(assert (forall ((a Int) (b Int)) (=> (jugs a b) (jugs a 0))))
(assert (forall ((a Int) (b Int))
  (=> (jugs a b) (let ((m (ite (<= (+ a b) 5) a (- 5 b)))) (jugs (- a m) (+ b m))))))
(assert (forall ((a Int) (b Int))
  (=> (jugs a b) (let ((m (ite (<= (+ a b) 3) b (- 3 a)))) (jugs (+ a m) (- b m))))))
(assert (forall ((a Int)) (=> (jugs a 4) false)))

(check-sat)
