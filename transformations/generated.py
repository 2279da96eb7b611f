"""Seeds drawn at random, whose truth is known by the way they are made."""

from __future__ import annotations

from random import Random

from chc.witness import Truth
from transformations.generated_model import planted_model
from transformations.generated_refutation import planted_refutation
from transformations.generated_settings import THEORIES
from transformations.generated_shapes import Shape
from transformations.known import Known


def random_seed(rng: Random, theory: str | None = None, truth: Truth | None = None, size: int | None = None) -> Known:
    """A seed with its witness; `size` is the number of its clauses. What is not given is drawn."""
    shape = random_shape(rng, theory, size)
    truth = truth or rng.choice(list(Truth))
    return planted_model(shape, rng) if truth is Truth.sat else planted_refutation(shape, rng)


def random_shape(rng: Random, theory: str | None = None, size: int | None = None) -> Shape:
    """A shape with this many clauses, and a third as many predicates or fewer."""
    clauses = rng.randint(4, 14) if size is None else size
    return Shape(
        theory=theory or rng.choice(THEORIES),
        predicates=rng.randint(1, max(1, clauses // 3)),
        clauses=clauses,
        nonlinear=rng.random() < 0.4,
    )
