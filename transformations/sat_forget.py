"""Sat to sat: an interpretation that stands in the clauses becomes a free predicate again."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import msgspec

from chc.build import conjunction, negation
from chc.instance import Atom, Clause, Instance, make_clause
from chc.terms import Term, free_variables
from chc.witness import Truth, Witness
from transformations.known import Inapplicable
from transformations.matching import instance_of
from transformations.sat_unplug import fresh_predicate, with_interpretation
from transformations.transformation import Parents, Site, Transformation
from transformations.written import item

LONGEST = 3
"""So many conjuncts side by side are taken for one interpretation at most."""


class RunChoice(msgspec.Struct, frozen=True):
    """Conjuncts of a clause that stand side by side, as a plug puts them there."""

    clause: int
    first: int
    count: int


class _Pattern(NamedTuple):
    """What is looked for in all clauses: a formula, its free variables, of how many conjuncts it consists."""

    formula: Term
    variables: list[Term]
    length: int


class ForgetInterpretation(Transformation[RunChoice]):
    """A predicate that an earlier plug interpreted becomes free again.

    What a plug left behind is a formula φ(Y) in the bodies of clauses, with other terms for Y in each, and ¬φ in
    queries. Choose one; write fresh(t) for each body's φ(t), and let a query with ¬φ(t) derive fresh(t) instead.
    With fresh interpreted as φ every clause is what it was, so M and that interpretation are a model. What the
    formula said is gone from the clauses: an unsat parent may become sat.
    """

    name = "forget-interpretation"
    section = "A"
    takes = frozenset((Truth.sat,))
    choice = RunChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        """Formulas without variables are left to themselves: they say nothing about a predicate's arguments."""
        clauses = parents[0].instance.clauses
        return [
            (n, first)
            for n, clause in enumerate(clauses)
            for first, conjunct in enumerate(clause.constraint)
            if free_variables([conjunct])
        ]

    def draw(self, parents: Parents, site: Site, rng: Random) -> RunChoice | None:
        number, first = site
        longest = min(LONGEST, len(parents[0].instance.clauses[number].constraint) - first)
        return RunChoice(number, first, rng.randint(1, longest))

    def apply(self, parents: Parents, choice: RunChoice) -> Instance:
        parent = parents[0].instance
        pattern = _pattern(parent, choice)
        predicate = fresh_predicate(parent, pattern.variables)
        clauses = [_forgotten(clause, pattern, predicate.name) for clause in parent.clauses]
        return parent.replace(predicates=(*parent.predicates, predicate), clauses=clauses)

    def transport(self, parents: Parents, choice: RunChoice, child: Instance) -> Witness | None:
        pattern = _pattern(parents[0].instance, choice)
        return with_interpretation(parents, child, pattern.variables, pattern.formula)


def _pattern(parent: Instance, choice: RunChoice) -> _Pattern:
    clause = item(parent.clauses, choice.clause)
    item(clause.constraint, choice.first)
    if not 0 < choice.count <= len(clause.constraint) - choice.first:
        raise Inapplicable("the clause has not so many conjuncts")
    formula = conjunction(clause.constraint[choice.first : choice.first + choice.count])
    return _Pattern(formula, free_variables([formula]), choice.count)


def _forgotten(clause: Clause, pattern: _Pattern, name: str) -> Clause:
    constraint: list[Term] = []
    body, head = list(clause.body), clause.head
    at = 0
    while at < len(clause.constraint):
        run = clause.constraint[at : at + pattern.length]
        args = _arguments(pattern, conjunction(run)) if len(run) == pattern.length else None
        denied = _arguments(pattern, negation(run[0])) if head is None else None
        if args is not None:
            body.append(Atom(name, args))
            at += pattern.length
        elif denied is not None:
            head = Atom(name, denied)
            at += 1
        else:
            constraint.append(run[0])
            at += 1
    return make_clause(constraint, body, head, clause.variables)


def _arguments(pattern: _Pattern, term: Term) -> tuple[Term, ...] | None:
    binding = instance_of(pattern.formula, term)
    return None if binding is None else tuple(binding.get(var, var) for var in pattern.variables)
