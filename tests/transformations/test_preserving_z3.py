"""Bodies rewritten by z3's simplifier."""

import pytest
import z3

from chc.script import read_instance
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from tests.transformations.theory_parents import PARENTS, certified
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
    """On a clause of each of some examples; a choice for which z3's result is unreadable is refused."""
    turn, made = PARAMETERS.index(parameter), 0
    for parent in PARENTS[turn % 2 :: 2]:
        choice = SimplifyChoice(turn % len(parent.instance.clauses), parameter, parameter not in ON_BY_DEFAULT)
        try:
            child = Z3Rewrite().repeat([parent], choice).child
        except Inapplicable:
            continue
        made += 1
        assert certified(child), parent.instance.text
        assert read_instance(child.instance.text) == child.instance
    assert 3 <= made


def test_an_existential_that_comes_to_the_top_gets_a_value() -> None:
    """z3 sees that the other disjunct is false, and the reader makes the variable one of the clause."""
    parent = solve(
        read_instance(
            """(set-logic HORN) (declare-fun p (Bool) Bool) (assert (p true))
            (assert (forall ((a Bool))
              (=> (and (p a) (or (and a (not a)) (exists ((u (_ BitVec 2))) (bvult #b01 u)))) false)))"""
        )
    )
    made = Z3Rewrite().repeat([parent], SimplifyChoice(1, NONE, True))
    assert [] == complaints(Z3Rewrite(), [parent], made)
    assert ["a", "u"] == [var.name for var in made.child.instance.clauses[1].variables]


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
