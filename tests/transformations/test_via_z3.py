"""Terms sent through z3's rewriter."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from chc.build import apply
from chc.evaluate import evaluate
from chc.instance import Instance
from chc.script import read_instance
from chc.sorts import BOOL, INT, REAL, array, bitvec, make_sort
from chc.terms import Term, variable
from chc.undetermined import Undetermined
from chc.values import Value, all_values
from chc.vocabulary import read_term, symbols_without_predicates
from transformations.preserving_z3 import NONE, PARAMETERS
from transformations.random_terms import random_constraint
from transformations.via_z3 import MOST_NODES, NotRewritten, simplify

EMPTY = read_instance("(set-logic HORN)")
WORDS = read_instance(
    "(set-logic HORN) (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))"
)
VARIABLES = [
    *(variable(name, INT) for name in ("x", "y", "a!1", "v0", "1 2")),
    *(variable("r", REAL), variable("l", make_sort("List", (INT,))), variable("m", array(INT, INT))),
    *(variable("b", bitvec(8)), variable("c", BOOL)),
]


def _term(text: str, instance: Instance = WORDS) -> Term:
    return read_term(text, symbols_without_predicates(instance), VARIABLES)


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_results_are_equivalent_on_all_small_values(parameter: str) -> None:
    """For every parameter, on and off: what z3 makes of a formula over Booleans and bits has the same values."""
    rng, variables = Random(parameter), [variable("p", BOOL), variable("x", bitvec(2)), variable("y", bitvec(2))]
    changed = 0
    for value in (True, False):
        for _ in range(4):
            term = random_constraint(variables, (), rng, depth=3)
            (result,) = simplify([term], EMPTY, None if parameter == NONE else parameter, value)
            changed += result is not term
            for values in product(*(all_values(var.sort) for var in variables)):
                assignment = dict(zip(variables, values, strict=True))
                assert evaluate(term, assignment) is evaluate(result, assignment)
    assert changed


@pytest.mark.parametrize(
    ("text", "parameter", "expected"),
    [
        ("(< x (+ y 1 2))", "arith_ineq_lhs", "(not (<= (+ y (* (- 1) x)) (- 3)))"),
        ("(and c (< x 1))", "elim_and", "(not (or (not c) (<= 1 x)))"),
        ("(= a!1 (+ v0 |1 2| 0))", None, "(= a!1 (+ v0 |1 2|))"),
        ("(= (head (cons x l)) 4)", None, "(= x 4)"),
        ("((_ is nil) (tail (cons x l)))", None, "((_ is nil) l)"),
        ("(= (select (store m x 1) x) y)", None, "(= y 1)"),
        ("(= r (/ 2.0 6.0))", None, "(= r (/ 1.0 3.0))"),
        ("(= (bvadd b #x01 #x02) #x05)", None, "(= b #x02)"),
    ],
)
def test_examples_of_each_theory(text: str, parameter: str | None, expected: str) -> None:
    """Over names that need care, literals and datatypes."""
    (result,) = simplify([_term(text)], WORDS, parameter, value=True)
    wanted = _term(expected)
    swapped = apply("=", wanted.args[::-1]) if wanted.name == "=" else wanted
    assert result in (wanted, swapped)


def test_terms_of_any_sort_come_back_in_their_order() -> None:
    """Arguments of atoms are no formulas."""
    terms = [_term("(+ x 1 2)"), _term("(ite c l (cons 1 l))"), _term("c"), _term("(store m 1 (+ 1 1))")]
    assert [INT, make_sort("List", (INT,)), BOOL, array(INT, INT)] == [
        term.sort for term in simplify(terms, WORDS, None, value=True)
    ]
    assert [] == simplify([], WORDS, None, value=True)


@pytest.mark.parametrize(
    ("text", "parameter"),
    [("(= (* x x x) y)", "mul_to_power"), ("(= l (as nil (List Int)))", None)],
)
def test_what_our_language_does_not_have_is_refused(text: str, parameter: str | None) -> None:
    """Powers, and constructors of parametric datatypes without their sort."""
    with pytest.raises(NotRewritten, match="read back"):
        simplify([_term(text)], WORDS, parameter, value=True)


def test_names_of_the_printer_and_large_terms_are_refused() -> None:
    """A bound variable that is called like a shared subterm could be taken for it."""
    with pytest.raises(NotRewritten, match="printer"):
        simplify([_term("(forall ((a!7 Int)) (< a!7 x))")], WORDS, None, value=True)
    with pytest.raises(NotRewritten, match="nodes"):
        simplify([_term("(+ " * MOST_NODES + "x" + " 1)" * MOST_NODES)], WORDS, None, value=True)


@pytest.mark.parametrize(
    "text",
    ["(= (div x 0) 1)", "(= (mod 4 (- x x)) 1)", "(= (/ r r) 1.0)", "(= (* y (div x y)) x)", "(= (* r (/ 1.0 r)) 1.0)"],
)
def test_division_by_zero_stays_open(text: str) -> None:
    """What SMT-LIB does not say, the result must not say either."""
    (result,) = simplify([_term(text)], WORDS, None, value=True)
    zero: dict[Term, Value] = {var: 0 if var.sort is INT else Fraction(0) for var in VARIABLES[:6]}
    with pytest.raises(Undetermined):
        evaluate(result, zero)
