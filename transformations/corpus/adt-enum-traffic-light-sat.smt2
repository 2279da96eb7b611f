; A traffic light goes through its colours and is never dark.
(set-logic HORN)

(declare-datatypes ((Light 0)) (((red) (yellow) (green) (dark))))
(declare-fun light (Light) Bool)

(assert (light red))
(assert (=> (light red) (light green)))
(assert (=> (light green) (light yellow)))
(assert (=> (light yellow) (light red)))
(assert (=> (light dark) false))

(check-sat)
