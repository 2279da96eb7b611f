"""Comparisons: weaker ones beside them, and both sides changed alike, tried on all small values."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from chc.build import apply
from chc.evaluate import evaluate
from chc.sorts import INT, REAL, Sort, bitvec, is_bitvec
from chc.terms import Term, bits, variable
from chc.values import Value
from tests.transformations.theory_parents import COUNTER, certified
from transformations.known import Inapplicable
from transformations.preserving_arithmetic import (
    EQUALITY,
    ORDER,
    SIGNED,
    UNSIGNED,
    AddInequality,
    BothSidesChoice,
    EquivalentComparison,
    WeakerChoice,
    both_sides,
    weaker,
)
from transformations.preserving_base import body_nodes

NUMBERS = [(name, sort) for sort in (INT, REAL) for name in (*ORDER, *EQUALITY)]
BITS = [(name, bitvec(width)) for width in (1, 3) for name in (*UNSIGNED, *SIGNED, *EQUALITY)]


def _values(sort: Sort) -> list[Value]:
    if is_bitvec(sort):
        return list(range(1 << sort.width))
    return list(range(-3, 4)) if sort is INT else [Fraction(number, 2) for number in range(-4, 5)]


def _comparison(name: str, sort: Sort) -> Term:
    return apply(name, (variable("x", sort), variable("y", sort)))


def _assignments(comparison: Term) -> Iterator[dict[Term, Value]]:
    for values in product(*(_values(arg.sort) for arg in comparison.args)):
        yield dict(zip(comparison.args, values, strict=True))


@pytest.mark.parametrize(("name", "sort"), NUMBERS + BITS)
@pytest.mark.parametrize("amount", [0, 1, 2])
def test_a_weaker_comparison_follows(name: str, sort: Sort, amount: int) -> None:
    """For every operation of every sort there is one, and it holds wherever the comparison does."""
    comparison = _comparison(name, sort)
    assert weaker(comparison, amount)
    for consequence in weaker(comparison, amount):
        for values in _assignments(comparison):
            assert not evaluate(comparison, values) or evaluate(consequence, values) is True, (consequence, values)


@pytest.mark.parametrize(("name", "sort"), NUMBERS + BITS)
@pytest.mark.parametrize("amount", [1, 3])
def test_both_sides_keep_the_comparison(name: str, sort: Sort, amount: int) -> None:
    """Whatever is done to both of them, the comparison holds as before."""
    comparison = _comparison(name, sort)
    for way, change in both_sides(comparison).items():
        changed = apply(name, tuple(change(side, Fraction(amount)) for side in comparison.args))
        for values in _assignments(comparison):
            assert evaluate(comparison, values) is evaluate(changed, values), (way, values)


def test_an_even_factor_would_be_noticed() -> None:
    """The trial above tells bijections from other functions."""
    comparison = _comparison("=", bitvec(3))
    doubled = apply("=", tuple(apply("bvmul", (side, bits(2, 3))) for side in comparison.args))
    assert any(evaluate(comparison, values) is not evaluate(doubled, values) for values in _assignments(comparison))


def _place(clause: int, text: str) -> int:
    nodes = body_nodes(COUNTER.instance.clauses[clause])
    return next(number for number, node in enumerate(nodes) if f"<term {text}>" == repr(node))


def test_examples_over_integers() -> None:
    """x < 1 with more room, and with both sides multiplied."""
    added = AddInequality().repeat([COUNTER], WeakerChoice(0, _place(0, "(< x 1)"), 0, 4))
    assert "(=> (and (>= x 0) (< x 1) (< x (+ 1 4))) (start x))" in added.child.instance.text
    scaled = EquivalentComparison().repeat([COUNTER], BothSidesChoice(0, _place(0, "(< x 1)"), "multiply", "3"))
    assert "(< (* 3 x) (* 3 1))" in scaled.child.instance.text
    inner = AddInequality().repeat([COUNTER], WeakerChoice(3, _place(3, "(< x 0)"), 0, 1))
    assert "(not (and (< x 0) (< x (+ 0 1))))" in inner.child.instance.text
    assert all(certified(made.child) for made in (added, scaled, inner))


@pytest.mark.parametrize("amount", ["0", "-1", "1/2"])
def test_what_does_not_keep_the_order_is_refused(amount: str) -> None:
    """Zero and negative factors, and fractions of integers."""
    with pytest.raises(Inapplicable):
        EquivalentComparison().apply([COUNTER], BothSidesChoice(0, _place(0, "(< x 1)"), "multiply", amount))


def test_a_stronger_comparison_is_refused() -> None:
    """Less room is no consequence."""
    with pytest.raises(Inapplicable):
        AddInequality().apply([COUNTER], WeakerChoice(0, _place(0, "(< x 1)"), 0, -1))
