"""Formulas that follow from two conjuncts of a body by logic alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from chc.instance import Clause, Instance, make_clause
from chc.sorts import BOOL
from chc.terms import Term, builtin
from transformations.known import Inapplicable
from transformations.preserving_base import ClauseChoice, InPlace
from transformations.transformation import Parents, Site
from transformations.written import item


def _not(a: Term) -> Term:
    """The negation as it stands: two of them do not cancel."""
    return builtin("not", (a,), BOOL)


def _and(a: Term, b: Term) -> Term:
    return builtin("and", (a, b), BOOL)


def _or(a: Term, b: Term) -> Term:
    return builtin("or", (a, b), BOOL)


def _implies(a: Term, b: Term) -> Term:
    return builtin("=>", (a, b), BOOL)


def _xor(a: Term, b: Term) -> Term:
    return builtin("xor", (a, b), BOOL)


CONSEQUENCES: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "not not a": lambda a, b: _not(_not(a)),
    "a and b": _and,
    "not (a and not b)": lambda a, b: _not(_and(a, _not(b))),
    "not (not a and b)": lambda a, b: _not(_and(_not(a), b)),
    "not (not a and not b)": lambda a, b: _not(_and(_not(a), _not(b))),
    "a or b": _or,
    "a or not b": lambda a, b: _or(a, _not(b)),
    "not a or b": lambda a, b: _or(_not(a), b),
    "not (not a or not b)": lambda a, b: _not(_or(_not(a), _not(b))),
    "a => b": _implies,
    "not a => b": lambda a, b: _implies(_not(a), b),
    "not a => not b": lambda a, b: _implies(_not(a), _not(b)),
    "not (a => not b)": lambda a, b: _not(_implies(a, _not(b))),
    "b => a": lambda a, b: _implies(b, a),
    "not b => a": lambda a, b: _implies(_not(b), a),
    "not b => not a": lambda a, b: _implies(_not(b), _not(a)),
    "not (b => not a)": lambda a, b: _not(_implies(b, _not(a))),
    "not (a xor b)": lambda a, b: _not(_xor(a, b)),
    "a xor not b": lambda a, b: _xor(a, _not(b)),
    "not a xor b": lambda a, b: _xor(_not(a), b),
    "not (not a xor not b)": lambda a, b: _not(_xor(_not(a), _not(b))),
}
"""What holds where a and b hold. The conjunction itself is flattened again: it repeats both."""


class RedundantChoice(ClauseChoice, frozen=True):
    """Two conjuncts, what is concluded from them, and before which conjunct it is put."""

    first: int
    second: int
    way: str
    before: int


class RedundantLogic(InPlace[RedundantChoice]):
    """Adds to a body a formula that follows from two of its conjuncts: the body has the same solutions."""

    name = "redundant-logic"
    choice = RedundantChoice

    def offers(self, clause: Clause) -> bool:
        return bool(clause.constraint)

    def draw(self, parents: Parents, site: Site, rng: Random) -> RedundantChoice | None:
        count = len(item(parents[0].instance.clauses, site[0]).constraint)
        first, second, before = rng.randrange(count), rng.randrange(count), rng.randint(0, count)
        way = rng.choice(sorted(CONSEQUENCES))
        return self.confirmed(parents, RedundantChoice(site[0], first, second, way, before))

    def rewrite(self, instance: Instance, clause: Clause, choice: RedundantChoice) -> Clause:
        if choice.way not in CONSEQUENCES:
            raise Inapplicable(f"nothing is known about `{choice.way}`")
        parts = list(clause.constraint)
        added = CONSEQUENCES[choice.way](item(parts, choice.first), item(parts, choice.second))
        parts.insert(choice.before, added)
        return make_clause(parts, clause.body, clause.head, clause.variables)
