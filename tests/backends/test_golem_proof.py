"""Golem's refutations of both kinds, and texts that are none."""

import pytest

from backends.golem_proof import read_proof
from backends.unreadable import LONGEST_WITNESS, Malformed, Unreadable
from chc.printer import show_atom, show_term
from chc.refutation import Derivation, Refutation
from chc.script import read_instance

INSTANCE = read_instance(
    """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun |a
b| (Real Bool) Bool)
(assert (P 0))
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int) (|y z| Real)) (=> (and (P x) (> x 0)) (|a
b| |y z| (> x 0)))))
(assert (forall ((x Int) (y Real) (b Bool)) (=> (and (|a
b| y b) (P x) (< y 0.0)) false)))
(check-sat)
"""
)
LEGACY = "0:\ttrue\n1:\t(P 0) ->  0\n2:\t(P 1) ->  1\n3:\t(|a\nb| (- (/ 1 3)) true) ->  2\n4:\tfalse ->  2 3\n\n"
INTERMEDIATE = """
0\t (P 0)\x20
1\t (=> true (P 0))\x20
2\t (P 0)\x20
3\t (forall ((x Int)) (=> (P x) (P (+ x 1))))  :args (0)
4\t (=> (P 0) (P (+ 0 1)))\x20
5\t (=> (P 0) (P 1))\x20
6\t (P 1)  :premises 2\x20
7\t (forall ((x Int) (y z Real)) (=> (and (P x) (> x 0)) (|a
b| |y z| (> x 0))))  :args (1 (- 1/3))
8\t (=> (and (P 1) (> 1 0)) (|a
b| |y z| (> 1 0)))\x20
9\t (=> (P 1) (|a
b| (- (/ 1 3)) true))\x20
10\t (|a
b| (- (/ 1 3)) true)  :premises 6\x20
11\t (forall ((x Int) (y Real) (b Bool)) (=> (and (|a
b| y b) (P x) (< y 0.0)) false))  :args (1 (- 1/3) true)
12\t (=> (and (|a
b| (- 1/3) true) (P 1) (< (- 1/3) 0.0)) false)\x20
13\t (=> (P 1) (|a
b| (- (/ 1 3)) true) false)\x20
14\t false  :premises 6 10\x20
"""


def test_legacy() -> None:
    """`true` is no fact of ours; premises keep their order, which is not that of the clause."""
    found = read_proof(LEGACY, INSTANCE)
    assert isinstance(found, Derivation)
    facts = [(show_atom(each.fact), each.premises) for each in found.facts]
    assert [("(P 0)", ()), ("(P 1)", (0,)), ("(|a\nb| (- (/ 1.0 3.0)) true)", (1,)), ("false", (1, 2))] == facts


def test_intermediate() -> None:
    """The values come along, and the premises stand in the order of the clause."""
    found = read_proof(INTERMEDIATE, INSTANCE)
    assert isinstance(found, Refutation)
    steps = [(each.clause, [show_term(value) for value in each.values], each.premises) for each in found.steps]
    third = "(- (/ 1.0 3.0))"
    assert [(0, [], ()), (1, ["0"], (0,)), (2, ["1", third], (1,)), (3, ["1", third, "true"], (2, 1))] == steps


def test_values_that_fit_no_clause_are_left_out() -> None:
    """Then the facts alone are looked at, by those who judge."""
    found = read_proof(INTERMEDIATE.replace(":args (0)", ":args (5)"), INSTANCE)
    assert isinstance(found, Derivation)
    assert 4 == len(found.facts)


def test_alethe_is_left_alone() -> None:
    """It has no derivation in it."""
    assert read_proof("(assume t0 (! (P 0) :named @a0))\n", INSTANCE) is None


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("", Malformed, "there is no refutation"),
        ("Segmentation fault", Malformed, "begins with"),
        (LEGACY[: LEGACY.index("4:")], Malformed, "does not end with false"),
        (INTERMEDIATE[: INTERMEDIATE.index("14\t")], Malformed, "does not end with false"),
        ("0:\ttrue\n1:\t(P 0", Malformed, "line 1 of the refutation is broken"),
        ("0:\ttrue\n1:\tfalse ->  7\n", Malformed, "names no earlier lines"),
        ("0:\ttrue\n1:\t\n", Malformed, "line 1 of the refutation is empty"),
        ("0\t (=> (P 0) false)\n1\t false  :premises 0", Malformed, "premises that are no facts"),
        ("0:\ttrue\n1:\t(Q 0) ->  0\n2:\tfalse ->  1\n", Unreadable, "cannot be read"),
        ("0:\ttrue\n1:\t(P 0.5) ->  0\n2:\tfalse ->  1\n", Unreadable, "cannot be read"),
        ("x" * (LONGEST_WITNESS + 1), Unreadable, "longer than"),
    ],
)
def test_what_is_none(text: str, kind: type[Unreadable], reason: str) -> None:
    """Each says why; what breaks off is told from what we do not understand."""
    with pytest.raises(kind, match=reason) as caught:
        read_proof(text, INSTANCE)
    assert kind is caught.type
