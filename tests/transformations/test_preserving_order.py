"""Orders that mean nothing."""

import pytest

from chc.refutation import Refutation
from chc.script import read_instance
from tests.transformations.brute_force import solve
from transformations.known import Inapplicable
from transformations.preserving_base import body_nodes
from transformations.preserving_order import (
    CLAUSE,
    BindingChoice,
    MixBoundVariables,
    ReorderChoice,
    ReorderClauses,
)

PARENT = solve(
    read_instance(
        """(set-logic HORN) (declare-fun p (Bool Bool) Bool) (declare-fun q () Bool)
        (assert (forall ((a Bool) (b Bool)) (=> (and a (not b)) (p a b))))
        (assert (forall ((a Bool) (b Bool)) (=> (and (p a b) (forall ((m Bool) (n Bool)) (or m n a))) false)))"""
    )
)


def test_variables_of_clauses_and_quantifiers_are_permuted() -> None:
    """Values are listed in the new order."""
    made = MixBoundVariables().repeat([PARENT], BindingChoice(0, CLAUSE, (1, 0)))
    assert "(forall ((b Bool) (a Bool)) (=> (and a (not b)) (p a b)))" in made.child.instance.text
    assert isinstance(PARENT.witness, Refutation)
    assert isinstance(made.child.witness, Refutation)
    assert PARENT.witness.steps[0].values[::-1] == made.child.witness.steps[0].values
    place = len(body_nodes(PARENT.instance.clauses[1])) - 1
    inner = MixBoundVariables().apply([PARENT], BindingChoice(1, place, (1, 0)))
    assert "(forall ((n Bool) (m Bool)) (or m n a))" in inner.text


def test_clauses_and_declarations_are_permuted() -> None:
    """Steps name the clauses by their new numbers."""
    made = ReorderClauses().repeat([PARENT], ReorderChoice((1, 0), (1, 0)))
    assert ["q", "p"] == [predicate.name for predicate in made.child.instance.predicates]
    assert isinstance(made.child.witness, Refutation)
    assert [1, 0] == [step.clause for step in made.child.witness.steps]


@pytest.mark.parametrize("order", [(0,), (0, 0), (0, 1, 2), (1, -1)])
def test_what_is_no_order_is_refused(order: tuple[int, ...]) -> None:
    """A clause must neither vanish nor appear twice."""
    with pytest.raises(Inapplicable):
        ReorderClauses().apply([PARENT], ReorderChoice(order, (0, 1)))
    with pytest.raises(Inapplicable):
        MixBoundVariables().apply([PARENT], BindingChoice(0, CLAUSE, order))
