"""A settled clause is the one that the reader gives back."""

import pytest

from chc.instance import Clause, Instance, substitute_clause
from chc.script import read_instance
from chc.sorts import BOOL, INT
from chc.terms import Term, builtin, free_variables, integer, quantifier, variable
from transformations.known import Inapplicable
from transformations.settle import settled

INSTANCE = read_instance(
    """(set-logic HORN) (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-fun p () Bool) (declare-fun q (Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (and p (q x) (< (- x) y) (forall ((z Int)) (< z (+ x y z)))) (q y))))"""
)
CLAUSE = INSTANCE.clauses[0]
X, Y = CLAUSE.variables


def reread(clause: Clause) -> Clause:
    return read_instance(Instance((), INSTANCE.datatypes, INSTANCE.predicates, (clause,)).text).clauses[0]


@pytest.mark.parametrize(
    "binding",
    [
        {X: integer(5)},
        {X: integer(-5)},
        {X: variable("z", INT)},
        {X: variable("nil", INT)},
        {X: variable("nil", INT), Y: variable("nil!1", INT)},
        {Y: builtin("-", (integer(3),), INT)},
    ],
)
def test_reading_a_settled_clause_changes_nothing(binding: dict[Term, Term]) -> None:
    """Negated literals, captured variables, variables called like a constructor."""
    clause = settled(substitute_clause(CLAUSE, binding), INSTANCE)
    assert clause == reread(clause)


def test_a_clause_that_needs_nothing_stays_as_it_is() -> None:
    """The same object, so that children share what they have in common with their parents."""
    clause = read_instance("(set-logic HORN) (declare-fun p () Bool) (assert (=> (= 1 2) p))").clauses[0]
    assert clause is settled(clause, INSTANCE)


def test_a_variable_called_like_a_predicate_is_not_taken_for_it() -> None:
    """Printed as it is, the atom p would be read as the variable p, and the clause say something else."""
    clause = Clause((variable("p", BOOL),), (variable("p", BOOL),), CLAUSE.body[:1], None)
    found = settled(clause, INSTANCE)
    assert CLAUSE.body[:1] == found.body
    assert ["p!1"] == [var.name for var in found.variables]
    assert found == reread(found)


def test_the_order_of_variables_stays() -> None:
    """Refutations give values by position."""
    other = settled(substitute_clause(CLAUSE, {Y: variable("p", INT), X: variable("z", INT)}), INSTANCE)
    assert ["z", "p!1"] == [var.name for var in other.variables]


def test_quantifiers_that_nest_too_deep_are_refused() -> None:
    """What the reader would not take is no child."""
    formula = builtin("<", (X, X), BOOL)
    for number in range(120):
        formula = quantifier("forall", (variable(f"b{number}", INT),), formula)
    assert [X] == free_variables([formula])
    with pytest.raises(Inapplicable):
        settled(Clause((X,), (formula,), (), None), INSTANCE)
