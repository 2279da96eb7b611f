"""Certified instances over integers, reals, arrays, datatypes and bit-vectors, and checks that reach them.

Models are checked by z3's own interface, refutations by evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence

from chc.model import Model
from chc.refutation import Refutation, refutation_from_json
from chc.script import read_instance
from tests.transformations.brute_force import refutation_holds
from tests.transformations.z3_check import EXAMPLES, known_sat, z3_accepts
from transformations.known import Known

Row = tuple[str | None, int, Sequence[str], Sequence[int]]
"""A step: its fact, the number of its clause, values and premises."""


def known_unsat(text: str, *rows: Row) -> Known:
    """The instance of the text with a refutation of these steps."""
    instance = read_instance(text)
    steps = [{"fact": f, "clause": c, "values": list(v), "premises": list(p)} for f, c, v, p in rows]
    return Known(instance, refutation_from_json({"steps": steps}, instance))


def certified(known: Known) -> bool:
    """Whether the witness proves what it claims, whatever the sorts."""
    if isinstance(known.witness, Model):
        return z3_accepts(known)
    return isinstance(known.witness, Refutation) and refutation_holds(known.instance, known.witness)


COUNTER = known_unsat(
    """(set-logic HORN) (declare-fun start (Int) Bool) (declare-fun inv (Int Int) Bool)
    (assert (forall ((x Int)) (=> (and (>= x 0) (< x 1)) (start x))))
    (assert (forall ((x Int)) (=> (start x) (inv x (+ x 0)))))
    (assert (forall ((x Int) (y Int) (z Int))
      (=> (and (inv x y) (or (= z (+ y 1)) (= z (- y 1))) (not (and (< z 0) (< y 0) (< x 0)))) (inv x z))))
    (assert (forall ((x Int) (y Int)) (=> (and (start x) (inv x y) (> y (+ x 1)) (not (< x 0))) false)))""",
    ("(start 0)", 0, ["0"], []),
    ("(inv 0 0)", 1, ["0"], [0]),
    ("(inv 0 1)", 2, ["0", "0", "1"], [1]),
    ("(inv 0 2)", 2, ["0", "1", "2"], [2]),
    (None, 3, ["0", "2"], [0, 3]),
)
FRACTIONS = known_unsat(
    """(set-logic HORN) (declare-fun half (Real) Bool)
    (assert (forall ((x Real)) (=> (= (* 2.0 x) 3.0) (half x))))
    (assert (forall ((x Real) (y Real)) (=> (and (half x) (= y (/ x 2.0)) (distinct x y)) (half y))))
    (assert (forall ((x Real)) (=> (and (half x) (< x 1.0)) false)))""",
    ("(half (/ 3.0 2.0))", 0, ["(/ 3.0 2.0)"], []),
    ("(half (/ 3.0 4.0))", 1, ["(/ 3.0 2.0)", "(/ 3.0 4.0)"], [0]),
    (None, 2, ["(/ 3.0 4.0)"], [1]),
)
ZEROS = "((as const (Array Int Int)) 0)"
FILLED = known_unsat(
    """(set-logic HORN) (declare-fun p ((Array Int Int) Int) Bool)
    (assert (forall ((a (Array Int Int)) (i Int)) (=> (and (= i 0) (= (select a 5) 0)) (p a i))))
    (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
      (=> (and (p a i) (= b (store a i 7)) (< i 1)) (p b (+ i 1)))))
    (assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (> (select a 0) 6)) false)))""",
    (f"(p {ZEROS} 0)", 0, [ZEROS, "0"], []),
    (f"(p (store {ZEROS} 0 7) 1)", 1, [ZEROS, f"(store {ZEROS} 0 7)", "0"], [0]),
    (None, 2, [f"(store {ZEROS} 0 7)", "1"], [1]),
)
LISTS = known_unsat(
    """(set-logic HORN) (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-fun len (List Int) Bool)
    (assert (forall ((l List)) (=> ((_ is nil) l) (len l 0))))
    (assert (forall ((l List) (k List) (n Int))
      (=> (and (len l n) ((_ is cons) k) (= (tail k) l) (> (head k) n)) (len k (+ n 1)))))
    (assert (forall ((l List) (n Int)) (=> (and (len l n) (>= n 2) (not (= l nil))) false)))""",
    ("(len nil 0)", 0, ["nil"], []),
    ("(len (cons 1 nil) 1)", 1, ["nil", "(cons 1 nil)", "0"], [0]),
    ("(len (cons 2 (cons 1 nil)) 2)", 1, ["(cons 1 nil)", "(cons 2 (cons 1 nil))", "1"], [1]),
    (None, 2, ["(cons 2 (cons 1 nil))", "2"], [2]),
)
BYTES = known_unsat(
    """(set-logic HORN) (declare-fun p ((_ BitVec 8) Bool) Bool)
    (assert (forall ((x (_ BitVec 8))) (=> (bvugt x #xfe) (p x true))))
    (assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (and (p x b) (= b (bvslt x #x00))) (p (bvadd x #x01) (not b)))))
    (assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (and (p x b) (not b) (bvule x #x00)) false)))""",
    ("(p #xff true)", 0, ["#xff"], []),
    ("(p #x00 false)", 1, ["#xff", "true"], [0]),
    (None, 2, ["#x00", "false"], [1]),
)
HALVES = known_sat(
    """(set-logic HORN) (declare-fun half (Real) Bool)
    (assert (forall ((x Real)) (=> (>= x 3.0) (half x))))
    (assert (forall ((x Real) (y Real)) (=> (and (half x) (= y (/ x 2.0)) (< 0.0 x)) (half y))))
    (assert (forall ((x Real)) (=> (and (half x) (or (< x 0.0) (= x 0.0))) false)))""",
    half="(> x0 0.0)",
)
ODD = known_sat(
    """(set-logic HORN) (declare-fun odd ((_ BitVec 8)) Bool)
    (assert (forall ((x (_ BitVec 8))) (=> (= x #x01) (odd x))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (odd x) (bvult x #xf0)) (odd (bvadd x #x02)))))
    (assert (forall ((x (_ BitVec 8))) (=> (and (odd x) (= ((_ extract 0 0) x) #b0) (bvsge x #x00)) false)))""",
    odd="(= ((_ extract 0 0) x0) #b1)",
)
PARENTS = (*EXAMPLES, HALVES, ODD, COUNTER, FRACTIONS, FILLED, LISTS, BYTES)
PARENT_NAMES = (
    *("counter sat", "array sat", "list sat", "real sat", "bits sat"),
    *("counter unsat", "real unsat", "array unsat", "list unsat", "bits unsat"),
)
