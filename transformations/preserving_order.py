"""Orders that mean nothing: of the variables that a quantifier binds, of clauses, of declarations."""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from chc.instance import Clause, Instance, make_clause
from chc.refutation import Refutation
from chc.terms import Kind, Term, bound_variables, quantifier
from transformations.carry import renumber
from transformations.known import Known
from transformations.preserving_base import (
    ClauseChoice,
    InPlace,
    Preserving,
    body_nodes,
    body_terms,
    check_order,
    node_of_clause,
    random_order,
    replace_nodes,
    with_body_terms,
)
from transformations.transformation import Parents, Site
from transformations.written import item

CLAUSE: Final = -1
"""The place that means the clause itself; other places are numbers of nodes."""


class BindingChoice(ClauseChoice, frozen=True):
    """A quantifier, and the new order of its variables by their old numbers."""

    place: int
    order: tuple[int, ...]


class MixBoundVariables(InPlace[BindingChoice]):
    """Permutes the variables of a clause, or of a quantifier inside its body.

    Quantifiers of one kind commute. The values of a step are listed in the new order.
    """

    name = "mix-bound-variables"
    choice = BindingChoice

    def offers(self, clause: Clause) -> bool:
        return bool(_bindings(clause))

    def draw(self, parents: Parents, site: Site, rng: Random) -> BindingChoice | None:
        bindings = _bindings(item(parents[0].instance.clauses, site[0]))
        place = rng.choice(sorted(bindings))
        return self.confirmed(parents, BindingChoice(site[0], place, random_order(bindings[place], rng)))

    def rewrite(self, instance: Instance, clause: Clause, choice: BindingChoice) -> Clause:
        if choice.place == CLAUSE:
            check_order(choice.order, len(clause.variables))
            order = [clause.variables[old] for old in choice.order]
            return make_clause(clause.constraint, clause.body, clause.head, order)
        node = node_of_clause(clause, choice.place, _is_quantifier)
        bound = bound_variables(node)
        check_order(choice.order, len(bound))
        mixed = quantifier(node.name, tuple(bound[old] for old in choice.order), node.args[0])
        return with_body_terms(clause, replace_nodes(body_terms(clause), {node: mixed}))


def _is_quantifier(term: Term) -> bool:
    return term.kind is Kind.QUANTIFIER


def _bindings(clause: Clause) -> dict[int, int]:
    """The places where at least two variables are bound, with their number."""
    found = {place: len(bound_variables(node)) for place, node in enumerate(body_nodes(clause)) if _is_quantifier(node)}
    found[CLAUSE] = len(clause.variables)
    return {place: count for place, count in found.items() if count > 1}


class ReorderChoice(msgspec.Struct, frozen=True):
    """The new order of the clauses and of the declared predicates, by their old numbers."""

    clauses: tuple[int, ...]
    predicates: tuple[int, ...]


class ReorderClauses(Preserving[ReorderChoice]):
    """Permutes the clauses, and the declarations of predicates. An instance is a set of clauses."""

    name = "reorder-clauses"
    choice = ReorderChoice

    def sites(self, parents: Parents) -> list[Site]:
        instance = parents[0].instance
        return [()] if max(len(instance.clauses), len(instance.predicates)) > 1 else []

    def draw(self, parents: Parents, site: Site, rng: Random) -> ReorderChoice | None:
        instance = parents[0].instance
        predicates = tuple(range(len(instance.predicates)))
        if rng.random() < 0.5:
            predicates = random_order(len(predicates), rng)
        return self.confirmed(parents, ReorderChoice(random_order(len(instance.clauses), rng), predicates))

    def apply(self, parents: Parents, choice: ReorderChoice) -> Instance:
        instance = parents[0].instance
        check_order(choice.clauses, len(instance.clauses))
        check_order(choice.predicates, len(instance.predicates))
        return instance.replace(
            clauses=[instance.clauses[old] for old in choice.clauses],
            predicates=[instance.predicates[old] for old in choice.predicates],
        )

    def carry_refutation(self, parent: Known, choice: ReorderChoice, child: Instance) -> Refutation | None:
        place = {old: new for new, old in enumerate(choice.clauses)}
        return renumber(parent.refutation, parent.instance, child, place.__getitem__)
