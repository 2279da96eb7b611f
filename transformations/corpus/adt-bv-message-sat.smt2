; Messages hold a byte or nothing; a cleared lowest bit stays cleared.
(set-logic HORN)

(declare-datatypes ((Message 0)) (((silence) (byte (content (_ BitVec 8))))))
(declare-fun sent (Message) Bool)

(assert (sent silence))
(assert (forall ((b (_ BitVec 8))) (=> (= ((_ extract 0 0) b) #b0) (sent (byte b)))))
(assert (forall ((m Message))
  (=> (and (sent m) ((_ is byte) m)) (sent (byte (bvxor (content m) #x82))))))
(assert (forall ((m Message)) (=> (and (sent m) (= m (byte #x35))) false)))

(check-sat)
