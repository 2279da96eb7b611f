"""Conjunctions and disjunctions written otherwise."""

from chc.instance import Clause, Instance
from chc.printer import show_clause
from chc.refutation import Refutation
from chc.script import read_instance
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from transformations.known import Known
from transformations.preserving_base import InPlace, body_nodes, is_operation
from transformations.preserving_syntax import (
    ATOMS,
    CONJUNCTS,
    BreakAnd,
    CopyChoice,
    DupAnd,
    OrderChoice,
    RangeChoice,
    SwapAnd,
    SwapOr,
)

PARENT = solve(
    read_instance(
        """(set-logic HORN) (declare-fun p (Bool) Bool) (declare-fun q (Bool) Bool)
        (assert (p true)) (assert (q false))
        (assert (forall ((a Bool) (b Bool))
          (=> (and (p a) (q b) a (not b) (or (and a b (= a b)) (= a true) (not b))) false)))"""
    )
)
QUERY = PARENT.instance.clauses[2]


def _place(name: str) -> int:
    return next(number for number, node in enumerate(body_nodes(QUERY)) if is_operation(node, name))


def _shown(child: Instance) -> str:
    return show_clause(child.clauses[2])


def test_conjuncts_atoms_and_nodes_are_swapped() -> None:
    """At the top atoms and conjuncts are two lists; a node inside is permuted where it stands."""
    swap = SwapAnd()
    assert "(and (p a) (q b) (not b) a (or" in _shown(swap.apply([PARENT], OrderChoice(2, CONJUNCTS, (1, 0, 2))))
    assert "(and (q b) (p a) a (not b) (or" in _shown(swap.apply([PARENT], OrderChoice(2, ATOMS, (1, 0))))
    assert "(or (and (= a b) a b) " in _shown(swap.apply([PARENT], OrderChoice(2, _place("and"), (2, 0, 1))))
    assert "(or (not b) (and a b (= a b)) (= a true))" in _shown(
        SwapOr().apply([PARENT], OrderChoice(2, _place("or"), (2, 0, 1)))
    )


def test_premises_follow_their_atoms() -> None:
    """The step by the changed clause lists them in the new order, or twice."""
    swapped = SwapAnd().repeat([PARENT], OrderChoice(2, ATOMS, (1, 0)))
    copied = DupAnd().repeat([PARENT], CopyChoice(2, ATOMS, 0, 2))
    assert isinstance(PARENT.witness, Refutation)
    first, second = PARENT.witness.steps[-1].premises
    assert isinstance(swapped.child.witness, Refutation)
    assert isinstance(copied.child.witness, Refutation)
    assert (second, first) == swapped.child.witness.steps[-1].premises
    assert (first, second, first) == copied.child.witness.steps[-1].premises


class SwapWithoutPremises(SwapAnd):
    """A planted mistake: the premises stay where they were."""

    def carry_refutation(self, parent: Known, choice: OrderChoice, child: Instance) -> Refutation | None:
        return InPlace.carry_refutation(self, parent, choice, child)


def test_premises_in_the_wrong_order_are_caught() -> None:
    """The oracle notices that the step does not follow."""
    made = SwapWithoutPremises().repeat([PARENT], OrderChoice(2, ATOMS, (1, 0)))
    assert ["has a wrong witness"] == complaints(SwapWithoutPremises(), [PARENT], made)


def test_neighbours_are_grouped() -> None:
    """At the top a double negation keeps the group together, which would be flattened otherwise."""
    grouped = BreakAnd()
    assert "(p a) (q b) (not (not (and a (not b)))) (or" in _shown(
        grouped.apply([PARENT], RangeChoice(2, CONJUNCTS, 0, 2))
    )
    assert "(or (and a (and b (= a b))) " in _shown(grouped.apply([PARENT], RangeChoice(2, _place("and"), 1, 2)))


def test_parts_are_repeated() -> None:
    """A conjunct, or a part of a node inside."""
    assert "(q b) (not b) a (not b) (or" in _shown(DupAnd().apply([PARENT], CopyChoice(2, CONJUNCTS, 1, 0)))
    assert "(or (and a b (= a b) a) " in _shown(DupAnd().apply([PARENT], CopyChoice(2, _place("and"), 0, 3)))


class BreakAndLose(BreakAnd):
    """A planted mistake: an atom gets lost."""

    def rewrite(self, instance: Instance, clause: Clause, choice: RangeChoice) -> Clause:
        return Clause(clause.variables, clause.constraint, clause.body[:1], clause.head)


def test_a_lost_atom_is_caught() -> None:
    """The refutation has a premise too many."""
    made = BreakAndLose().repeat([PARENT], RangeChoice(2, CONJUNCTS, 0, 2))
    assert "has a wrong witness" in complaints(BreakAndLose(), [PARENT], made)
