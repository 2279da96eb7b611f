"""Texts and numbers in recorded choices."""

import pytest

from chc.script import read_instance
from transformations.known import Inapplicable
from transformations.written import item, read_clause, read_constraint, with_item, without, write_clause

INSTANCE = read_instance(
    """(set-logic HORN) (declare-datatypes ((E 0)) (((a) (b (c Int)))))
    (declare-fun p (E) Bool)
    (assert (forall ((x E)) (=> (and (p x) ((_ is b) x) (forall ((y Int)) (< y (+ y (c x))))) (p a))))"""
)
CLAUSE = INSTANCE.clauses[0]


def test_a_clause_is_read_as_it_was_written() -> None:
    """Over the datatypes and predicates of the instance."""
    assert CLAUSE == read_clause(write_clause(CLAUSE), INSTANCE)


@pytest.mark.parametrize(
    "text", ["(q a)", "(p 1)", "true", "(and (p a) (p (b 1)))", "(p a)) (declare-fun q () Bool", ""]
)
def test_what_is_not_one_clause_of_the_instance_does_not_fit(text: str) -> None:
    """Unknown predicates, wrong sorts, no clause, two clauses, more declarations, no term."""
    with pytest.raises(Inapplicable):
        read_clause(text, INSTANCE)


def test_a_constraint_is_read_over_the_variables_of_its_clause() -> None:
    """Others are unknown, predicates are too, and a formula is expected."""
    assert CLAUSE.constraint[0] is read_constraint("((_ is b) x)", INSTANCE, CLAUSE.variables)
    for text in ("((_ is b) y)", "(p x)", "x"):
        with pytest.raises(Inapplicable):
            read_constraint(text, INSTANCE, CLAUSE.variables)


def test_numbers_name_things() -> None:
    """Taken, left out, replaced."""
    assert ("b", ("a", "c"), ("a", "X", "c")) == (item("abc", 1), without("abc", 1), with_item("abc", 1, "X"))


@pytest.mark.parametrize("number", [-1, 3])
def test_numbers_of_nothing_do_not_fit(number: int) -> None:
    """Negative ones do not count from the end."""
    for use in (item, without):
        with pytest.raises(Inapplicable):
            use("abc", number)
    with pytest.raises(Inapplicable):
        with_item("abc", number, "X")
