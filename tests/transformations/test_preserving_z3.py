"""Bodies rewritten by z3's simplifier."""

import pytest
import z3

from chc.script import read_instance
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from tests.transformations.theory_parents import PARENT_NAMES, PARENTS, certified
from transformations.known import Inapplicable, Known
from transformations.preserving_z3 import NONE, ON_BY_DEFAULT, PARAMETERS, SimplifyChoice, Z3Rewrite


def test_the_parameters_are_those_of_the_simplifier() -> None:
    """All of the catalogue, each known to z3; those that are on are turned off mostly."""
    known = z3.simplify_param_descrs()
    defaults = {
        known.get_name(number): known.get_documentation(known.get_name(number)) for number in range(known.size())
    }
    assert 34 == len(set(PARAMETERS))
    assert set() == set(PARAMETERS) - {NONE} - set(defaults)
    assert set(PARAMETERS) > ON_BY_DEFAULT


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_witnesses_survive_every_parameter(parameter: str) -> None:
    """On every clause of the examples, on and off; a choice on which z3's result is unreadable is refused."""
    made = 0
    for parent in PARENTS:
        for number in range(len(parent.instance.clauses)):
            try:
                child = (
                    Z3Rewrite()
                    .repeat([parent], SimplifyChoice(number, parameter, parameter not in ON_BY_DEFAULT))
                    .child
                )
            except Inapplicable:
                continue
            made += child.instance != parent.instance
            assert certified(child), parent.instance.text
            assert read_instance(child.instance.text) == child.instance
    assert len(PARENT_NAMES) <= made


def test_an_existential_that_comes_to_the_top_gets_a_value() -> None:
    """z3 turns the negated universal around, and the reader makes its variable one of the clause."""
    parent = solve(
        read_instance(
            """(set-logic HORN) (declare-fun p (Bool) Bool) (assert (p true))
            (assert (forall ((a Bool)) (=> (and (p a) (not (forall ((b Bool)) (or (not a) b)))) false)))"""
        )
    )
    made = Z3Rewrite().repeat([parent], SimplifyChoice(1, NONE, True))
    assert [] == complaints(Z3Rewrite(), [parent], made)
    assert "forall ((b" not in made.child.instance.text or "exists" not in made.child.instance.text


def test_arguments_of_atoms_are_simplified_too() -> None:
    """They belong to the body."""
    parent = Known(
        read_instance(
            "(set-logic HORN) (declare-fun p (Int) Bool) (assert (forall ((x Int)) (=> (p (+ x 1 1)) (p (+ x 1 1)))))"
        )
    )
    child = Z3Rewrite().apply([parent], SimplifyChoice(0, NONE, True))
    assert "(=> (p (+ 2 x)) (p (+ x 1 1)))" in child.text


def test_unknown_parameters_are_refused() -> None:
    """z3 itself might just ignore them."""
    with pytest.raises(Inapplicable):
        Z3Rewrite().apply([PARENTS[0]], SimplifyChoice(0, "no_such_parameter", True))
