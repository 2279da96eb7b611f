"""Rules that never fire, because their bodies are unsatisfiable, though a solver has to notice it."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Final

import msgspec

from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.refutation import Refutation
from chc.sorts import BOOL, Sort
from chc.terms import Term, free_variables, substitute, variable
from transformations.carry import renumber
from transformations.known import Inapplicable, Known
from transformations.preserving_base import Preserving, declared_names, new_name
from transformations.preserving_contradictions import above, contradictions, is_ordered
from transformations.transformation import Parents, Site
from transformations.written import read_clause, write_clause

LONGEST_CYCLE: Final = 10


class RuleChoice(msgspec.Struct, frozen=True):
    """The rule as text, and the number that it gets."""

    rule: str
    at: int


class _AddRule(Preserving[RuleChoice]):
    choice = RuleChoice

    def apply(self, parents: Parents, choice: RuleChoice) -> Instance:
        instance = parents[0].instance
        clauses = list(instance.clauses)
        if not 0 <= choice.at <= len(clauses):
            raise Inapplicable(f"there is no place {choice.at} among {len(clauses)} clauses")
        clauses.insert(choice.at, read_clause(choice.rule, instance))
        return instance.replace(clauses=clauses)

    def carry_refutation(self, parent: Known, choice: RuleChoice, child: Instance) -> Refutation | None:
        return renumber(parent.refutation, parent.instance, child, lambda number: number + (number >= choice.at))

    def _record(self, parents: Parents, rule: Clause, rng: Random) -> RuleChoice | None:
        at = rng.randint(0, len(parents[0].instance.clauses))
        return self.confirmed(parents, RuleChoice(write_clause(rule), at))


class AddLinearRule(_AddRule):
    """Adds a rule with a small unsatisfiable constraint, at most one atom in its body, and any head.

    The rule holds in every interpretation, so every model stays one; a refutation need not use it.
    """

    name = "add-linear-rule"

    def sites(self, parents: Parents) -> list[Site]:
        return [(number,) for number in range(len(theory_sorts(parents[0].instance)))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> RuleChoice | None:
        instance = parents[0].instance
        sort = theory_sorts(instance)[site[0]]
        constraint = rng.choice(contradictions(sort, instance.datatypes))
        words = Words(instance, free_variables(constraint))
        parts = substitute(constraint, words.renaming)
        body = [words.atom(p, rng) for p in instance.predicates if rng.random() < 0.5][:1]
        return self._record(parents, make_clause(parts, body, words.head(instance, rng)), rng)


class AddNonlinearRule(_AddRule):
    """Adds a rule whose body has a cycle x1 > x2 > … > xn > x1, with an atom of one predicate at each link.

    Strict orders have no cycles, so the rule holds in every interpretation; a refutation need not use it.
    """

    name = "add-nonlinear-rule"

    def sites(self, parents: Parents) -> list[Site]:
        predicates = parents[0].instance.predicates
        return [(number,) for number, p in enumerate(predicates) if any(is_ordered(sort) for sort in p.sorts)]

    def draw(self, parents: Parents, site: Site, rng: Random) -> RuleChoice | None:
        instance = parents[0].instance
        predicate = instance.predicates[site[0]]
        position = rng.choice([number for number, sort in enumerate(predicate.sorts) if is_ordered(sort)])
        length = rng.randint(1, LONGEST_CYCLE)
        words = Words(instance, [variable(f"x{n}", predicate.sorts[position]) for n in range(length)])
        ring = list(words.variables)
        body = [words.atom(predicate, rng, {position: var}) for var in ring]
        links = [above(left, right) for left, right in pairwise([*ring, ring[0]])]
        return self._record(parents, make_clause(links, body, words.head(instance, rng)), rng)


def theory_sorts(instance: Instance) -> list[Sort]:
    """The sorts that the instance speaks of, and Bool; a solver need not know another theory for the new rule."""
    found = dict.fromkeys(sort for predicate in instance.predicates for sort in predicate.sorts)
    found.update(dict.fromkeys(var.sort for clause in instance.clauses for var in clause.variables))
    return list(dict.fromkeys((BOOL, *found)))


class Words:
    """The variables of a new rule, named apart from everything that is declared."""

    def __init__(self, instance: Instance, variables: list[Term]) -> None:
        self._taken = declared_names(instance)
        self.renaming = {var: variable(new_name(var.name, self._taken), var.sort) for var in variables}
        self.variables = list(self.renaming.values())

    def atom(self, predicate: Predicate, rng: Random, fixed: dict[int, Term] | None = None) -> Atom:
        """The predicate over the variables, and over new ones where none is of the sort or the dice want it."""
        chosen = fixed or {}
        args = [chosen.get(number) or self._some(sort, rng) for number, sort in enumerate(predicate.sorts)]
        return Atom(predicate.name, tuple(args))

    def head(self, instance: Instance, rng: Random) -> Atom | None:
        """An atom of any predicate, or false."""
        predicate = rng.choice((None, *instance.predicates))
        return None if predicate is None else self.atom(predicate, rng)

    def _some(self, sort: Sort, rng: Random) -> Term:
        fitting = [var for var in self.variables if var.sort is sort]
        if fitting and rng.random() < 0.7:
            return rng.choice(fitting)
        fresh = variable(new_name("z", self._taken), sort)
        self.variables.append(fresh)
        return fresh
