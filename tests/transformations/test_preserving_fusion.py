"""Two terms fused into one new variable."""

from itertools import product

import pytest

from chc.build import conjunction
from chc.evaluate import evaluate
from chc.printer import show_term
from chc.terms import variable
from tests.transformations.theory_parents import COUNTER, FRACTIONS, HALVES, certified
from transformations.known import Inapplicable, Known
from transformations.preserving_base import body_nodes
from transformations.preserving_fusion import WEIGHTS, FusionChoice, SemanticFusion


def _node(parent: Known, clause: int, text: str) -> int:
    nodes = body_nodes(parent.instance.clauses[clause])
    return next(number for number, node in enumerate(nodes) if text == show_term(node))


def _choice(parent: Known, clause: int, weights: tuple[int, int]) -> FusionChoice:
    """x and y of a clause with one atom before its conjuncts, replaced in most of them."""
    nodes = (_node(parent, clause, "x"), _node(parent, clause, "y"))
    return FusionChoice(clause, nodes, "v", weights, (0, 1), (1,))


def test_sum_and_difference_over_integers() -> None:
    """The equation is added, and the inverses stand where the terms stood."""
    added = SemanticFusion().repeat([COUNTER], _choice(COUNTER, 2, (1, 1)))
    assert "(inv (- v y) y) (= v (+ x y)) (or (= z (+ (- v x) 1)) (= z (- (- v x) 1)))" in added.child.instance.text
    less = SemanticFusion().repeat([COUNTER], _choice(COUNTER, 2, (1, -1)))
    assert "(inv (+ v y) y) (= v (- x y))" in less.child.instance.text
    assert "(= z (+ (- (- v x)) 1))" in less.child.instance.text
    assert all(certified(made.child) for made in (added, less))


@pytest.mark.parametrize("weights", list(product(WEIGHTS, WEIGHTS)))
def test_every_weight_keeps_witnesses(weights: tuple[int, int]) -> None:
    """Over integers, where the division has to be exact, and over reals, for both truths."""
    for parent, clause in ((COUNTER, 2), (FRACTIONS, 1), (HALVES, 1)):
        assert certified(SemanticFusion().repeat([parent], _choice(parent, clause, weights)).child)


def test_division_is_exact_where_the_equation_holds() -> None:
    """For all small values the fused constraint says what the old one says."""
    child = SemanticFusion().apply([COUNTER], _choice(COUNTER, 2, (3, -2)))
    old, new = COUNTER.instance.clauses[2], child.clauses[2]
    assert "(div (+ v (* 2 y)) 3)" in child.text
    fused = variable("v", old.variables[0].sort)
    for x, y, z in product(range(-2, 3), repeat=3):
        values = dict(zip(old.variables, (x, y, z), strict=True))
        before = evaluate(conjunction(old.constraint), values)
        assert before is evaluate(conjunction(new.constraint), {**values, fused: 3 * x - 2 * y})
        assert evaluate(conjunction(new.constraint), {**values, fused: 3 * x - 2 * y + 1}) is False


def test_what_cannot_be_fused_is_refused() -> None:
    """A weight of zero, a name that is taken, a term that is no number."""
    x, y = _node(COUNTER, 2, "x"), _node(COUNTER, 2, "y")
    for choice in (
        FusionChoice(2, (x, y), "v", (0, 1), (0,), ()),
        FusionChoice(2, (x, y), "z", (1, 1), (0,), ()),
        FusionChoice(2, (x, y), "inv", (1, 1), (0,), ()),
        FusionChoice(2, (x, _node(COUNTER, 2, "(< x 0)")), "v", (1, 1), (0,), ()),
    ):
        with pytest.raises(Inapplicable):
            SemanticFusion().apply([COUNTER], choice)
