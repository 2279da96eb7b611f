"""Planted models satisfy every clause of what grew around them."""

from random import Random

import pytest

from chc.build import negation
from chc.model import Interpretation, Model
from chc.terms import FALSE
from tests.transformations.witness_checks import violated_clause
from transformations.generated_model import planted_model
from transformations.generated_settings import THEORIES
from transformations.generated_shapes import Shape

SHAPES = [Shape(theory, 3, 9, nonlinear) for theory in THEORIES for nonlinear in (False, True)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_models_satisfy_every_clause(shape: Shape) -> None:
    """No clause can be violated under the planted model."""
    for seed in range(15):
        known = planted_model(shape, Random(seed))
        assert None is violated_clause(known.instance, known.model), seed


def test_a_wrong_model_is_noticed() -> None:
    """The check of models fails where the interpretations are exchanged for their opposites."""
    known = planted_model(Shape("int"), Random(1))
    opposite = {
        name: Interpretation(interpretation.params, negation(interpretation.body))
        for name, interpretation in known.model.interpretations.items()
    }
    assert None is not violated_clause(known.instance, Model(opposite))


def test_the_model_is_needed() -> None:
    """Nothing is decided by interpreting all predicates by false: there are facts."""
    for seed in range(10):
        known = planted_model(Shape("int"), Random(seed))
        empty = {name: Interpretation(i.params, FALSE) for name, i in known.model.interpretations.items()}
        assert None is not violated_clause(known.instance, Model(empty))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_shape_is_obeyed(shape: Shape) -> None:
    """As many predicates and clauses as were asked for; several atoms in a body only where they were."""
    known = [planted_model(shape, Random(seed)) for seed in range(12)]
    assert {shape.predicates} == {len(k.instance.predicates) for k in known}
    assert {shape.clauses} == {len(k.instance.clauses) for k in known}
    assert (2 if shape.nonlinear else 1) == max(len(clause.body) for k in known for clause in k.instance.clauses)


def test_large_seeds_are_large() -> None:
    """Size is a parameter: dozens of predicates, all of them in use."""
    instance = planted_model(Shape("mixed", 25, 80, nonlinear=True), Random(5)).instance
    assert (25, 80) == (len(instance.predicates), len(instance.clauses))
    assert 25 == len({atom.predicate for clause in instance.clauses for atom in clause.atoms})
