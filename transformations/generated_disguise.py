"""Other ways to say the same, so that a guard does not give away the model that it comes from."""

from __future__ import annotations

from random import Random
from typing import Final

from chc.build import apply, conjunction, conjuncts, negation
from chc.sorts import INT
from chc.terms import Kind, Term, integer

_MIRRORED: Final = {">=": "<=", "<=": ">=", "bvule": "bvuge", "bvsge": "bvsle"}
_OPPOSITE: Final = {">=": "<", "<=": ">", "bvule": "bvugt", "bvsge": "bvslt"}


def disguise(statement: Term, rng: Random) -> Term:
    """An equivalent statement; a conjunction has each of its parts disguised."""
    return conjunction([_disguise_one(part, rng) for part in conjuncts(statement)])


def _disguise_one(part: Term, rng: Random) -> Term:
    if part.kind is not Kind.BUILTIN or len(part.args) != 2 or rng.random() < 0.3:
        return part
    left, right = part.args
    if part.name == "=":
        return apply("=", (right, left)) if rng.random() < 0.7 else negation(apply("distinct", (left, right)))
    if part.name not in _MIRRORED:
        return part
    match rng.randrange(3):
        case 0:
            return apply(_MIRRORED[part.name], (right, left))
        case 1 if left.sort is INT and right.kind is Kind.LITERAL:
            return _strictly(part)
        case _:
            return negation(apply(_OPPOSITE[part.name], (left, right)))


def _strictly(part: Term) -> Term:
    """`x ≥ 3` as `x > 2`."""
    left, right = part.args
    bound = right.params[0]
    assert isinstance(bound, int)
    return apply(">", (left, integer(bound - 1))) if part.name == ">=" else apply("<", (left, integer(bound + 1)))


def refuse(statement: Term, rng: Random) -> Term:
    """Something that contradicts the statement; the tests before a field are kept, for it to make sense."""
    *before, last = conjuncts(statement)
    if len(last.args) == 2 and last.name in _OPPOSITE and rng.random() < 0.8:
        return conjunction([*before, apply(_OPPOSITE[last.name], last.args)])
    if last.kind is Kind.BUILTIN and last.name == "=" and rng.random() < 0.5:
        return conjunction([*before, apply("distinct", last.args)])
    return conjunction([*before, negation(last)])
