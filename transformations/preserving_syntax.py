"""Conjunctions and disjunctions written otherwise, at any depth of a body: the same set of solutions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Final, TypeVar

from chc.build import apply, conjunction
from chc.instance import Clause, Instance, make_clause
from chc.refutation import Refutation, Step
from chc.sorts import BOOL
from chc.terms import Term, builtin
from transformations.carry import values_of
from transformations.known import Known
from transformations.preserving_base import (
    ClauseChoice,
    InPlace,
    body_nodes,
    body_terms,
    check_order,
    is_operation,
    node_of_clause,
    random_order,
    replace_nodes,
    with_body_terms,
)
from transformations.preserving_steps import Derivation, rewrite_steps
from transformations.transformation import Parents, Site
from transformations.written import item

T = TypeVar("T")

ATOMS: Final = -2
"""The place that means the list of atoms of the body."""
CONJUNCTS: Final = -1
"""The place that means the list of conjuncts of the constraint; other places are numbers of nodes."""


class OrderChoice(ClauseChoice, frozen=True):
    """A place in a clause, and where each of its parts goes."""

    place: int
    order: tuple[int, ...]


class RangeChoice(ClauseChoice, frozen=True):
    """A place in a clause, and some neighbours there."""

    place: int
    start: int
    length: int


class CopyChoice(ClauseChoice, frozen=True):
    """A place in a clause, which of its parts is copied, and before which one the copy stands."""

    place: int
    part: int
    before: int


def _operands(clause: Clause, place: int, name: str) -> int:
    """How many parts there are at the place."""
    if place == ATOMS:
        return len(clause.body)
    if place == CONJUNCTS:
        return len(clause.constraint)
    return len(node_of_clause(clause, place, lambda node: is_operation(node, name)).args)


def _places(clause: Clause, name: str, least: int) -> list[int]:
    """Where at least so many parts are joined by the connective."""
    top = [place for place in (ATOMS, CONJUNCTS) if name == "and" and _operands(clause, place, name) >= least]
    inner = [
        number for number, node in enumerate(body_nodes(clause)) if is_operation(node, name) and len(node.args) >= least
    ]
    return top + inner


def _replace(clause: Clause, number: int, replacement: Term) -> Clause:
    node = body_nodes(clause)[number]
    return with_body_terms(clause, replace_nodes(body_terms(clause), {node: replacement}))


class _Swap(InPlace[OrderChoice]):
    connective: ClassVar[str]
    choice = OrderChoice

    def offers(self, clause: Clause) -> bool:
        return bool(_places(clause, self.connective, 2))

    def draw(self, parents: Parents, site: Site, rng: Random) -> OrderChoice | None:
        clause = item(parents[0].instance.clauses, site[0])
        place = rng.choice(_places(clause, self.connective, 2))
        order = random_order(_operands(clause, place, self.connective), rng)
        return self.confirmed(parents, OrderChoice(site[0], place, order))

    def rewrite(self, instance: Instance, clause: Clause, choice: OrderChoice) -> Clause:
        check_order(choice.order, _operands(clause, choice.place, self.connective))
        constraint, body = list(clause.constraint), list(clause.body)
        if choice.place >= 0:
            args = body_nodes(clause)[choice.place].args
            swapped = builtin(self.connective, tuple(args[old] for old in choice.order), BOOL)
            return _replace(clause, choice.place, swapped)
        if choice.place == CONJUNCTS:
            constraint = [constraint[old] for old in choice.order]
        else:
            body = [body[old] for old in choice.order]
        return make_clause(constraint, body, clause.head, clause.variables)


class SwapAnd(_Swap):
    """Permutes the parts of a conjunction: of the conjuncts of a body, of its atoms, or of a node inside.

    Conjunction is commutative. Where atoms are permuted, the premises of steps by that clause are as well.
    """

    name = "swap-and"
    connective = "and"

    def carry_refutation(self, parent: Known, choice: OrderChoice, child: Instance) -> Refutation | None:
        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            if step.clause == choice.clause and choice.place == ATOMS:
                premises = [premises[old] for old in choice.order]
            values = values_of(parent.instance.clauses[step.clause], step)
            return made.add(step.clause, values, premises, step.fact)

        return rewrite_steps(parent.refutation, child, expand)


class SwapOr(_Swap):
    """Permutes the parts of a disjunction inside a body. Disjunction is commutative."""

    name = "swap-or"
    connective = "or"


class BreakAnd(InPlace[RangeChoice]):
    """Groups neighbours of a conjunction into one of their own: `(and a b c)` becomes `(and a (and b c))`.

    Conjunction is associative. A clause lists its conjuncts flat, and a conjunction among them would be flattened
    again; there the group is kept together by a double negation, which changes nothing either.
    """

    name = "break-and"
    choice = RangeChoice

    def offers(self, clause: Clause) -> bool:
        return len(clause.constraint) > 1 or bool(_inner_places(clause))

    def draw(self, parents: Parents, site: Site, rng: Random) -> RangeChoice | None:
        clause = item(parents[0].instance.clauses, site[0])
        place = rng.choice([CONJUNCTS] * (len(clause.constraint) > 1) + _inner_places(clause))
        count = _operands(clause, place, "and")
        length = rng.randint(2, count if place == CONJUNCTS else count - 1)
        start = rng.randint(0, count - length)
        return self.confirmed(parents, RangeChoice(site[0], place, start, length))

    def rewrite(self, instance: Instance, clause: Clause, choice: RangeChoice) -> Clause:
        top = choice.place == CONJUNCTS
        parts = list(clause.constraint if top else _conjunction(clause, choice.place).args)
        item(parts, choice.start)
        end = choice.start + choice.length
        group = conjunction(parts[choice.start : end])
        if top:
            group = builtin("not", (builtin("not", (group,), BOOL),), BOOL)
        parts[choice.start : end] = [group]
        if top:
            return make_clause(parts, clause.body, clause.head, clause.variables)
        return _replace(clause, choice.place, conjunction(parts))


def _conjunction(clause: Clause, place: int) -> Term:
    return node_of_clause(clause, place, lambda node: is_operation(node, "and"))


def _inner_places(clause: Clause) -> list[int]:
    return [place for place in _places(clause, "and", 3) if place >= 0]


class DupAnd(InPlace[CopyChoice]):
    """Repeats a part of a conjunction: a conjunct, an atom of the body, or a part of a node inside.

    Conjunction is idempotent. Where an atom is repeated, steps by that clause use its premise twice.
    """

    name = "dup-and"
    choice = CopyChoice

    def offers(self, clause: Clause) -> bool:
        return bool(_places(clause, "and", 1))

    def draw(self, parents: Parents, site: Site, rng: Random) -> CopyChoice | None:
        clause = item(parents[0].instance.clauses, site[0])
        place = rng.choice(_places(clause, "and", 1))
        count = _operands(clause, place, "and")
        return self.confirmed(parents, CopyChoice(site[0], place, rng.randrange(count), rng.randint(0, count)))

    def rewrite(self, instance: Instance, clause: Clause, choice: CopyChoice) -> Clause:
        if choice.place >= 0:
            parts = _with_copy(_conjunction(clause, choice.place).args, choice)
            return _replace(clause, choice.place, apply("and", tuple(parts)))
        if choice.place == CONJUNCTS:
            constraint = _with_copy(clause.constraint, choice)
            return make_clause(constraint, clause.body, clause.head, clause.variables)
        return make_clause(clause.constraint, _with_copy(clause.body, choice), clause.head, clause.variables)

    def carry_refutation(self, parent: Known, choice: CopyChoice, child: Instance) -> Refutation | None:
        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            if step.clause == choice.clause and choice.place == ATOMS:
                premises = _with_copy(premises, choice)
            values = values_of(parent.instance.clauses[step.clause], step)
            return made.add(step.clause, values, premises, step.fact)

        return rewrite_steps(parent.refutation, child, expand)


def _with_copy(parts: Sequence[T], choice: CopyChoice) -> list[T]:
    copied = list(parts)
    copied.insert(choice.before, item(parts, choice.part))
    return copied
