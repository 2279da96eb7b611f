; A record of owner, balance and limit: the balance stays above the limit.
(set-logic HORN)

(declare-datatypes ((Account 0)) (((account (owner Int) (balance Int) (floor Int)))))
(declare-fun valid (Account) Bool)

(assert (forall ((who Int)) (valid (account who 0 (- 100)))))
(assert (forall ((a Account) (x Int))
  (=> (and (valid a) (>= (- (balance a) x) (floor a))) (valid (account (owner a) (- (balance a) x) (floor a))))))
(assert (forall ((a Account)) (=> (and (valid a) (< (balance a) (floor a))) false)))

(check-sat)
