"""Boolean structure through pysmt's rewritings and back."""

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from chc.build import conjunction, disjunction
from chc.evaluate import evaluate
from chc.script import read_instance
from chc.sorts import BOOL, INT, bitvec
from chc.terms import Kind, Term, free_variables, subterms, variable
from chc.values import all_values
from chc.vocabulary import read_term, symbols_without_predicates
from tests.transformations.rich_parents import random_rich_instance
from transformations.preserving_base import new_name
from transformations.via_pysmt import and_inverter, conjunctive_normal, negation_normal, partition, prenex

VARIABLES = [*(variable(name, BOOL) for name in "abc"), variable("x", INT), variable("u", bitvec(2))]
SYMBOLS = symbols_without_predicates(read_instance("(set-logic HORN)"))


def _term(text: str) -> Term:
    return read_term(text, SYMBOLS, VARIABLES)


def _names() -> Callable[[str], str]:
    taken = {var.name for var in VARIABLES}
    return lambda wish: new_name(wish, taken)


def _constraints() -> list[Term]:
    """Formulas with all connectives and with quantifiers, over few variables."""
    written = [
        "(xor a b c)",
        "(=> a b c)",
        "(= a b c)",
        "(ite a (not b) (distinct a c))",
        "(not (xor a (= b c)))",
        "true",
    ]
    random = [
        part
        for seed in range(25)
        for clause in random_rich_instance(Random(seed)).clauses
        for part in clause.constraint
    ]
    return [*map(_term, written), *random[::2]]


def _same(left: Term, right: Term) -> bool:
    variables = free_variables([left, right])
    for values in product(*(all_values(var.sort) for var in variables)):
        assignment = dict(zip(variables, values, strict=True))
        if evaluate(left, assignment) is not evaluate(right, assignment):
            return False
    return True


@pytest.mark.parametrize("rewrite", [negation_normal, and_inverter, prenex])
def test_equivalent_forms_have_the_same_values(rewrite: Callable[[Term, Callable[[str], str]], Term]) -> None:
    """On all assignments; some of the formulas are really changed."""
    terms = _constraints()
    results = [rewrite(term, _names()) for term in terms]
    assert [] == [term for term, result in zip(terms, results, strict=True) if not _same(term, result)]
    assert any(term is not result for term, result in zip(terms, results, strict=True))


def test_disjuncts_have_the_same_values_together() -> None:
    """And some formula has several."""
    terms = _constraints()
    parts = [partition(term, _names()) for term in terms]
    assert [] == [term for term, found in zip(terms, parts, strict=True) if not _same(term, disjunction(found))]
    assert any(len(found) > 2 for found in parts)


def test_clauses_hold_exactly_with_the_defined_values() -> None:
    """Where the formula holds, its definitions satisfy all clauses; where not, no values of new variables do."""
    for term in _constraints()[:20]:
        clauses, definitions = conjunctive_normal(term, _names())
        variables = free_variables([term])
        for values in product(*(all_values(var.sort) for var in variables)):
            assignment = dict(zip(variables, values, strict=True))
            defined = {var: evaluate(meaning, assignment) for var, meaning in definitions.items()}
            assert evaluate(term, assignment) is evaluate(conjunction(clauses), {**assignment, **defined})
            if len(definitions) < 6 and not evaluate(term, assignment):
                for chosen in product((False, True), repeat=len(definitions)):
                    trial = {**assignment, **dict(zip(definitions, chosen, strict=True))}
                    assert evaluate(conjunction(clauses), trial) is False


@pytest.mark.parametrize(
    ("text", "rewrite", "expected"),
    [
        ("(not (and a (< x 1)))", negation_normal, "(or (not a) (not (< x 1)))"),
        ("(or a (< x 1))", and_inverter, "(not (and (not a) (not (< x 1))))"),
        ("(or a (forall ((k Int)) (< k x)))", prenex, "(forall ((k Int)) (or a (< k x)))"),
        ("(not (exists ((k Int)) (< k x)))", prenex, "(forall ((k Int)) (not (< k x)))"),
    ],
)
def test_examples(text: str, rewrite: Callable[[Term, Callable[[str], str]], Term], expected: str) -> None:
    """Theory atoms are left as they are."""
    assert _term(expected) is rewrite(_term(text), _names())


def test_bound_variables_of_one_name_are_told_apart() -> None:
    """Two quantifiers over k, pulled to the front, need a second name."""
    result = prenex(_term("(or (forall ((k Int)) (< k x)) (forall ((k Int)) (> k x)))"), _names())
    names = [var.name for node in subterms([result]) if node.kind is Kind.QUANTIFIER for var in _bound(node)]
    assert ["k", "q"] == sorted(names)
    assert [variable("x", INT)] == free_variables([result])


def _bound(node: Term) -> list[Term]:
    return [var for var in node.params if isinstance(var, Term)]
