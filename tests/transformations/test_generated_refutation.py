"""Planted refutations follow step by step from the clauses they were generalised to."""

from random import Random

import pytest

from chc.build import apply
from chc.instance import Atom
from chc.refutation import Refutation, Step
from chc.terms import integer
from tests.transformations.witness_checks import failing_step
from transformations.generated_refutation import planted_refutation
from transformations.generated_settings import THEORIES
from transformations.generated_shapes import Shape

SHAPES = [Shape(theory, 3, 9, nonlinear) for theory in THEORIES for nonlinear in (False, True)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_refutations_follow_step_by_step(shape: Shape) -> None:
    """Each step is an application of its clause, and the last derives false."""
    for seed in range(40):
        known = planted_refutation(shape, Random(seed))
        assert None is failing_step(known.instance, known.refutation), seed


def test_a_wrong_refutation_is_noticed() -> None:
    """The check of refutations fails where a fact is another than the one that follows."""
    known = planted_refutation(Shape("int"), Random(1))
    first, *rest = known.refutation.steps
    assert first.fact is not None
    moved = tuple(apply("+", (arg, integer(1))) for arg in first.fact.args)
    wrong = Step(Atom(first.fact.predicate, moved), first.clause, first.values, first.premises)
    assert 0 == failing_step(known.instance, Refutation((wrong, *rest)))


def test_there_are_loops_and_distractors() -> None:
    """Among a few seeds some apply a clause twice, and some have clauses that the refutation does not use."""
    known = [planted_refutation(Shape("int", 2, 8), Random(seed)) for seed in range(10)]
    used = [{step.clause for step in k.refutation.steps} for k in known]
    assert any(len(clauses) < len(k.refutation.steps) for k, clauses in zip(known, used, strict=True))
    assert all(len(clauses) < len(k.instance.clauses) for k, clauses in zip(known, used, strict=True))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_shape_is_obeyed(shape: Shape) -> None:
    """As many predicates and clauses as were asked for; several atoms in a body only where they were."""
    known = [planted_refutation(shape, Random(seed)) for seed in range(12)]
    assert {shape.predicates} == {len(k.instance.predicates) for k in known}
    assert {shape.clauses} == {len(k.instance.clauses) for k in known}
    assert (2 if shape.nonlinear else 1) == max(len(clause.body) for k in known for clause in k.instance.clauses)


def test_large_seeds_are_large() -> None:
    """Size is a parameter: dozens of predicates, all of them in use."""
    instance = planted_refutation(Shape("mixed", 25, 80, nonlinear=True), Random(5)).instance
    assert (25, 80) == (len(instance.predicates), len(instance.clauses))
    assert 25 == len({atom.predicate for clause in instance.clauses for atom in clause.atoms})
