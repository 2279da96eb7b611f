"""Other names for predicates and variables: plain ones, ones with a common beginning, ones that need bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

import msgspec

from chc.instance import Atom, Clause, Instance, Predicate, substitute_clause
from chc.model import Model
from chc.refutation import Refutation, Step
from chc.terms import Term, variable
from transformations.carry import values_of
from transformations.known import Inapplicable, Known
from transformations.preserving_base import (
    Preserving,
    all_names,
    declared_names,
    names_in_clause,
    new_name,
    settle,
)
from transformations.preserving_steps import Derivation, rename_values, rewrite_steps
from transformations.transformation import Parents, Site
from transformations.written import item

MOST_CLAUSES: Final = 20
"""In so many clauses at most the variables are renamed."""
STEMS: Final = (
    *("inv", "loop", "state", "state1", "state10", "state_1", "main", "main@entry", "x", "xx", "x'", "y"),
    *("a b", "a  b", "(p)", "p,q", "1st", "#mark", ":key", "_", "__", "A", "a", "$0", "%1", "~tilde", "Inv", "INV"),
)
"""Words to make names from. Nobody but the reader should care which they are."""

Pairs = tuple[tuple[str, str], ...]


class RenameChoice(msgspec.Struct, frozen=True):
    """Old and new names: of predicates, and of the variables of some clauses."""

    predicates: Pairs
    variables: tuple[tuple[int, Pairs], ...]


class Rename(Preserving[RenameChoice]):
    """Gives predicates and variables other names.

    What a bound variable or an uninterpreted predicate is called means nothing, as long as different things keep
    different names. Models and facts are renamed likewise, and values follow their variables.
    """

    name = "rename"
    choice = RenameChoice

    def sites(self, parents: Parents) -> list[Site]:
        instance = parents[0].instance
        return [()] if instance.predicates or any(clause.variables for clause in instance.clauses) else []

    def draw(self, parents: Parents, site: Site, rng: Random) -> RenameChoice | None:
        instance = parents[0].instance
        taken = all_names(instance)
        predicates = _fresh_pairs(sorted(instance.signature), taken, rng)
        numbers = list(range(len(instance.clauses)))
        chosen = sorted(rng.sample(numbers, rng.randint(0, min(MOST_CLAUSES, len(numbers)))))
        variables = tuple(
            (number, _fresh_pairs([v.name for v in instance.clauses[number].variables], set(taken), rng))
            for number in chosen
        )
        return self.confirmed(parents, RenameChoice(predicates, variables))

    def apply(self, parents: Parents, choice: RenameChoice) -> Instance:
        instance = parents[0].instance
        _check_injective(choice.predicates, set(instance.signature), all_names(instance))
        names = dict(choice.predicates)
        declared = [Predicate(names.get(p.name, p.name), p.sorts) for p in instance.predicates]
        clauses = [_rename_atoms(clause, names) for clause in instance.clauses]
        renamed = instance.replace(predicates=declared, clauses=clauses)
        for number, pairs in choice.variables:
            clause = item(clauses, number)
            taken = declared_names(renamed) | names_in_clause(clause)
            _check_injective(pairs, {var.name for var in clause.variables}, taken)
            clauses[number] = settle(substitute_clause(clause, _renaming(clause, dict(pairs))), renamed)
        return renamed.replace(clauses=clauses)

    def carry_model(self, parent: Known, choice: RenameChoice, child: Instance) -> Model | None:
        names = dict(choice.predicates)
        return Model({names.get(name, name): meaning for name, meaning in parent.model.interpretations.items()})

    def carry_refutation(self, parent: Known, choice: RenameChoice, child: Instance) -> Refutation | None:
        names, variables = dict(choice.predicates), dict(choice.variables)

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            clause = parent.instance.clauses[step.clause]
            renaming = _renaming(clause, dict(variables.get(step.clause, ())))
            values = rename_values(clause, renaming, values_of(clause, step))
            return made.add(step.clause, values, premises, step.fact and _rename_atom(step.fact, names))

        return rewrite_steps(parent.refutation, child, expand)


def _fresh_pairs(old: Iterable[str], taken: set[str], rng: Random) -> Pairs:
    """New names for most of the old ones; they are taken from now on."""
    return tuple((name, new_name(_wish(rng), taken)) for name in old if rng.random() < 0.8)


def _wish(rng: Random) -> str:
    stem = rng.choice(STEMS)
    return stem if rng.random() < 0.6 else f"{stem}{rng.choice(('', ' ', '.', '-'))}{rng.randrange(12)}"


def _check_injective(pairs: Pairs, old: set[str], taken: set[str]) -> None:
    new = [name for _, name in pairs]
    if any(name not in old for name, _ in pairs) or len(set(new)) < len(new) or not taken.isdisjoint(new):
        raise Inapplicable("the new names do not fit the old ones")


def _renaming(clause: Clause, names: Mapping[str, str]) -> dict[Term, Term]:
    return {var: variable(names[var.name], var.sort) for var in clause.variables if var.name in names}


def _rename_atom(atom: Atom, names: Mapping[str, str]) -> Atom:
    return Atom(names.get(atom.predicate, atom.predicate), atom.args)


def _rename_atoms(clause: Clause, names: Mapping[str, str]) -> Clause:
    body = tuple(_rename_atom(atom, names) for atom in clause.body)
    head = clause.head and _rename_atom(clause.head, names)
    return Clause(clause.variables, clause.constraint, body, head)
