"""Constraints hidden behind a predicate."""

import pytest

from chc.instance import Instance
from chc.script import read_instance
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from tests.transformations.theory_parents import COUNTER, certified
from transformations.known import Inapplicable
from transformations.preserving_unplug import SharedUnplug, SharedUnplugChoice, UnplugChoice, UnplugLhsClause
from transformations.transformation import Parents

PARENT = solve(
    read_instance(
        """(set-logic HORN) (declare-fun p (Bool Bool) Bool)
        (assert (forall ((a Bool) (b Bool)) (=> (or a (= a b)) (p a b))))
        (assert (forall ((c Bool)) (=> (and (p c true) (not (or (not c) (= (not c) c)))) false)))
        (assert (forall ((x Bool) (y Bool)) (=> (and (p x y) (or y (= y x)) (not (or x (= x y)))) (p y x))))"""
    )
)
SHARED = SharedUnplugChoice(0, 0, "guard", ((0, 0), (2, 0)), ((1, 0),))


def test_a_conjunct_becomes_a_predicate_with_a_definition() -> None:
    """Several conjuncts become one, over all their variables; each step needs one more leaf."""
    made = UnplugLhsClause().repeat([COUNTER], UnplugChoice(3, (0, 1), "far"))
    text = made.child.instance.text
    assert "(=> (and (start x) (inv x y) (far y x)) false)" in text
    assert "(=> (and (> y (+ x 1)) (not (< x 0))) (far y x))" in text
    assert len(COUNTER.refutation.steps) + 1 == len(made.child.refutation.steps)
    assert certified(made.child)


def test_one_predicate_serves_all_occurrences() -> None:
    """Bodies have it as an atom, a query with the negation as its head, and a query closes the circle."""
    made = SharedUnplug().repeat([PARENT], SHARED)
    text = made.child.instance.text
    assert "(=> (guard a b) (p a b))" in text
    assert "(=> (and (p x y) (guard y x) (not (or x (= x y)))) (p y x))" in text
    assert "(=> (p c true) (guard (not c) c))" in text
    assert "(=> (or a (= a b)) (guard a b))" in text
    assert "(=> (and (guard a b) (not (or a (= a b)))) false)" in text
    assert [] == complaints(SharedUnplug(), [PARENT], made)


class Unclosed(SharedUnplug):
    """A planted mistake: nothing follows from the new predicate where its meaning is false."""

    def apply(self, parents: Parents, choice: SharedUnplugChoice) -> Instance:
        child = super().apply(parents, choice)
        return child.replace(clauses=[*child.clauses[:-1], child.clauses[0]])


def test_a_query_that_only_derives_the_predicate_is_caught() -> None:
    """Without the closing query the child may be sat though the parent is not."""
    assert PARENT.truth == "unsat"
    made = Unclosed().repeat([PARENT], SHARED)
    assert "is not unsat" in complaints(Unclosed(), [PARENT], made)


def test_names_and_conjuncts_must_fit() -> None:
    """A name that is taken, a conjunct that is none, one that is no instance."""
    for choice in (UnplugChoice(3, (0,), "inv"), UnplugChoice(3, (0,), "x"), UnplugChoice(3, (5,), "far")):
        with pytest.raises(Inapplicable):
            UnplugLhsClause().apply([COUNTER], choice)
    with pytest.raises(Inapplicable):
        SharedUnplug().apply([PARENT], SharedUnplugChoice(0, 0, "guard", ((2, 1),), ()))
    with pytest.raises(Inapplicable):
        SharedUnplug().apply([PARENT], SharedUnplugChoice(0, 0, "guard", (), ((2, 1),)))
