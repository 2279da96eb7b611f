"""Moves apply to the facts they were drawn from."""

from random import Random

import pytest

from chc.evaluate import evaluate
from transformations.generated_settings import THEORIES
from transformations.generated_shapes import Fact, Program, Shape


@pytest.mark.parametrize("theory", THEORIES)
def test_moves_apply_to_their_premises(theory: str) -> None:
    """Under the values of its scope, the named ones included, the whole constraint of a move's clause is true."""
    for seed in range(30):
        program = Program(Shape(theory, 3), Random(seed))
        source, other, target = program.predicates
        premises = [Fact(p.name, program.initial(p)) for p in (source, other)]
        move = program.move(premises, target)
        scope = {**move.scope, **{var: evaluate(term, move.scope) for var, term in move.named}}
        clause = move.clause()
        assert clause.head is not None
        assert [True] * len(clause.constraint) == [evaluate(part, scope) for part in clause.constraint]
        assert move.result(move.scope) == tuple(evaluate(arg, scope) for arg in clause.head.args)
        assert [source.name, other.name] == [atom.predicate for atom in clause.body]
