"""Bound variables are named apart."""

from __future__ import annotations

from chc.build import apply, conjunction
from chc.printer import show_term
from chc.shadowing import quantifier_depth, without_shadowing
from chc.sorts import BOOL, INT
from chc.terms import Term, integer, quantifier, variable

X, Y = variable("x", INT), variable("y", INT)


def below(bound: Term, *parts: Term) -> Term:
    return quantifier("exists", (bound,), conjunction(parts))


def positive(term: Term) -> Term:
    return apply(">", (term, integer(0)))


def test_a_name_that_is_free_elsewhere_is_not_bound() -> None:
    """Also where it is free in another of the formulas only."""
    formulas = without_shadowing([below(X, positive(X)), positive(X)])
    assert ["(exists ((x!1 Int)) (> x!1 0))", "(> x 0)"] == [show_term(formula) for formula in formulas]


def test_names_on_one_way_down_are_different() -> None:
    """Of whatever sort; names on different ways may be the same."""
    flag = variable("x", BOOL)
    nested = below(X, positive(X), below(flag, flag, below(X, positive(X))), below(Y, positive(Y)))
    (apart,) = without_shadowing([conjunction([nested, below(Y, positive(Y))])])
    assert (
        "(and (exists ((x Int)) (and (> x 0) (exists ((x!1 Bool)) (and x!1 (exists ((x!2 Int)) (> x!2 0))))"
        " (exists ((y Int)) (> y 0)))) (exists ((y Int)) (> y 0)))"
    ) == show_term(apart)


def test_what_needs_no_renaming_stays() -> None:
    """The very same terms."""
    formulas = [below(X, positive(X)), below(X, positive(X), below(Y, positive(Y))), positive(variable("z", INT))]
    assert formulas == without_shadowing(formulas)


def test_depth_is_counted_along_the_deepest_way() -> None:
    formula = conjunction([below(X, below(Y, positive(X))), below(X, positive(X))])
    assert [0, 2] == [quantifier_depth(term) for term in (positive(X), formula)]
