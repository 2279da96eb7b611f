"""What follows from two conjuncts."""

import pytest

from chc.evaluate import evaluate
from chc.sorts import BOOL
from chc.terms import variable
from tests.transformations.theory_parents import COUNTER, certified
from transformations.known import Inapplicable
from transformations.preserving_logic import CONSEQUENCES, RedundantChoice, RedundantLogic

A, B = variable("a", BOOL), variable("b", BOOL)


def test_there_are_twenty_one_consequences() -> None:
    """A double negation, four conjunctions, four disjunctions, eight implications, four exclusive ors."""
    assert 21 == len(CONSEQUENCES)
    assert 21 == len({make(A, B) for make in CONSEQUENCES.values()})


@pytest.mark.parametrize("way", CONSEQUENCES)
def test_each_holds_where_both_conjuncts_do(way: str) -> None:
    """And the clause with it is as certified as before."""
    assert evaluate(CONSEQUENCES[way](A, B), {A: True, B: True}) is True
    made = RedundantLogic().repeat([COUNTER], RedundantChoice(3, 0, 1, way, 1))
    assert made.child.instance != COUNTER.instance
    assert certified(made.child)


def test_some_consequences_tell_something() -> None:
    """They are not all valid: then nothing would be said about a and b."""
    values = [{A: a, B: b} for a in (False, True) for b in (False, True)]
    valid = [way for way, make in CONSEQUENCES.items() if all(evaluate(make(A, B), v) for v in values)]
    assert [] == valid


def test_unknown_ways_are_refused() -> None:
    """A choice from elsewhere may say anything."""
    with pytest.raises(Inapplicable):
        RedundantLogic().apply([COUNTER], RedundantChoice(3, 0, 1, "a nand b", 0))
