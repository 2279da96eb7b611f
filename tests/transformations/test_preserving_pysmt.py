"""Bodies in normal forms."""

import pytest

from chc.refutation import Refutation
from chc.script import read_instance
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from tests.transformations.theory_parents import COUNTER, Row, certified, known_unsat
from transformations.known import Inapplicable
from transformations.preserving_pysmt import ALL, CNF, PARTITION, NormalFormChoice, Reformulate

STEP = 2
"""The clause of the counter with a disjunction and a negated conjunction."""


def test_a_disjunction_splits_its_clause() -> None:
    """Steps are by the clause whose disjunct holds."""
    made = Reformulate().repeat([COUNTER], NormalFormChoice(STEP, 0, PARTITION))
    assert len(COUNTER.instance.clauses) + 1 == len(made.child.instance.clauses)
    assert "(=> (and (inv x y) (= z (+ y 1)) (not" in made.child.instance.text
    assert "(=> (and (inv x y) (= z (- y 1)) (not" in made.child.instance.text
    assert certified(made.child)
    assert isinstance(made.child.witness, Refutation)


@pytest.mark.parametrize("conjunct", [0, 1, ALL])
@pytest.mark.parametrize("way", ["nnf", "aig", "prenex", CNF, PARTITION])
def test_every_form_of_every_conjunct_keeps_the_refutation(conjunct: int, way: str) -> None:
    """Also where nothing changes, because the conjunct has that form already."""
    made = Reformulate().repeat([COUNTER], NormalFormChoice(STEP, conjunct, way))
    assert certified(made.child)
    assert read_instance(made.child.instance.text) == made.child.instance


def test_new_variables_get_the_values_of_their_definitions() -> None:
    """The conjunctive form of a disjunction has one for it, which is true."""
    made = Reformulate().repeat([COUNTER], NormalFormChoice(STEP, 0, CNF))
    clause = made.child.instance.clauses[STEP]
    assert ["x", "y", "z", "t"] == [var.name for var in clause.variables]
    assert isinstance(made.child.witness, Refutation)
    assert {"<term true>"} == {repr(s.values[3]) for s in made.child.witness.steps if s.clause == STEP}


def test_an_existential_in_front_gets_a_value_if_one_is_found() -> None:
    """Zero is tried for integers; where it does not do, no refutation is claimed."""
    text = """(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 3))
        (assert (forall ((x Int)) (=> (and (p x) (or (< x 0) (exists ((k Int)) (BODY)))) false)))"""
    rows: tuple[Row, ...] = (("(p 3)", 0, [], []), (None, 1, ["3"], [0]))
    lucky = known_unsat(text.replace("(BODY)", "(< k x)"), *rows)
    unlucky = known_unsat(text.replace("(BODY)", "(= k x)"), *rows)
    made = [Reformulate().repeat([parent], NormalFormChoice(1, 0, "prenex")).child for parent in (lucky, unlucky)]
    assert all("(forall ((x Int) (k Int))" in child.instance.text for child in made)
    assert certified(made[0])
    assert made[1].witness is None


def test_a_finite_existential_gets_its_value() -> None:
    """All values are tried."""
    parent = solve(
        read_instance(
            """(set-logic HORN) (declare-fun p (Bool) Bool) (assert (p true))
            (assert (forall ((a Bool))
              (=> (and (p a) (or (not a) (exists ((u (_ BitVec 2))) (= u #b11)))) false)))"""
        )
    )
    made = Reformulate().repeat([parent], NormalFormChoice(1, 0, "prenex"))
    assert [] == complaints(Reformulate(), [parent], made)


def test_unknown_forms_and_conjuncts_are_refused() -> None:
    """A choice from elsewhere may say anything."""
    for choice in (NormalFormChoice(STEP, 0, "dnf"), NormalFormChoice(STEP, 7, "nnf"), NormalFormChoice(9, 0, "nnf")):
        with pytest.raises(Inapplicable):
            Reformulate().apply([COUNTER], choice)
