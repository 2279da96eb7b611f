"""Whether one term is another with something in place of its variables."""

import pytest

from chc.sorts import INT
from chc.symbols import Symbols
from chc.terms import Term, substitute, variable
from chc.vocabulary import read_term
from transformations.matching import instance_of

VARIABLES = [variable(name, INT) for name in "xyz"]


def _term(text: str) -> Term:
    return read_term(text, Symbols(), VARIABLES)


@pytest.mark.parametrize(
    ("pattern", "term"),
    [
        ("(< x y)", "(< y x)"),
        ("(< x y)", "(< (+ x 1) (* 2 z))"),
        ("(< x x)", "(< 3 3)"),
        ("(and (< x y) (< y 5))", "(and (< z (- x)) (< (- x) 5))"),
        ("(forall ((k Int)) (< k x))", "(forall ((k Int)) (< k y))"),
        ("(= 1 2)", "(= 1 2)"),
    ],
)
def test_instances_are_found(pattern: str, term: str) -> None:
    """What stands for the variables makes the pattern the term."""
    binding = instance_of(_term(pattern), _term(term))
    assert binding is not None
    assert [_term(term)] == substitute([_term(pattern)], binding)


@pytest.mark.parametrize(
    ("pattern", "term"),
    [
        ("(< x x)", "(< x y)"),
        ("(< x y)", "(<= x y)"),
        ("(< x 1)", "(< x 2)"),
        ("(+ x y)", "(+ x y z)"),
        ("(forall ((k Int)) (< k x))", "(forall ((k Int)) (< k k))"),
        ("(forall ((k Int)) (< k x))", "(exists ((k Int)) (< k x))"),
    ],
)
def test_other_terms_are_no_instances(pattern: str, term: str) -> None:
    """In particular nothing that is bound may stand for a free variable."""
    assert instance_of(_term(pattern), _term(term)) is None
