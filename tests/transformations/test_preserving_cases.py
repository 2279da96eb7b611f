"""Clauses divided into cases, and bodies strengthened by an invariant."""

import pytest

from chc.refutation import Refutation
from chc.script import read_instance
from tests.transformations.theory_parents import COUNTER, HALVES, LISTS, certified
from tests.transformations.z3_check import ARRAY, LIST
from transformations.known import Inapplicable, Known
from transformations.preserving_cases import CaseChoice, CaseSplit, StrengthenWithInvariant
from transformations.preserving_folding import AtomChoice


def test_each_step_takes_the_case_that_holds() -> None:
    """Of two steps by one clause, one has y < 1 and the other has not."""
    made = CaseSplit().repeat([COUNTER], CaseChoice(2, "(< y 1)"))
    assert len(COUNTER.instance.clauses) + 1 == len(made.child.instance.clauses)
    assert isinstance(made.child.witness, Refutation)
    assert [0, 1, 2, 3, 4] == [step.clause for step in made.child.witness.steps]
    assert certified(made.child)


def test_an_open_case_is_left_to_others() -> None:
    """The head of the empty list has no value that SMT-LIB determines: no refutation is claimed."""
    made = CaseSplit().repeat([LISTS], CaseChoice(0, "(> (head l) 0)"))
    assert made.child.witness is None


def test_constraints_of_other_clauses_are_refused() -> None:
    """They speak of variables that the clause does not have."""
    with pytest.raises(Inapplicable):
        CaseSplit().apply([COUNTER], CaseChoice(0, "(< y 1)"))


def test_the_invariant_stands_beside_its_atom() -> None:
    """Over the arguments of the atom; bound variables are named apart."""
    made = StrengthenWithInvariant().repeat([HALVES], AtomChoice(1, 0))
    assert "(=> (and (half x) (= y (/ x 2.0)) (< 0.0 x) (> x 0.0)) (half y))" in made.child.instance.text
    for parent, choice in ((ARRAY, AtomChoice(2, 0)), (LIST, AtomChoice(1, 0))):
        child = StrengthenWithInvariant().repeat([parent], choice).child
        assert read_instance(child.instance.text) == child.instance
        assert certified(child)


def test_without_a_model_there_is_no_invariant() -> None:
    """Neither for unsat parents nor for open ones."""
    for parent in (COUNTER, Known(HALVES.instance)):
        assert [] == StrengthenWithInvariant().sites([parent])
        with pytest.raises(Inapplicable):
            StrengthenWithInvariant().apply([parent], AtomChoice(2, 0))
