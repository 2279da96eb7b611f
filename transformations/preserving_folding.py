"""Definitions unfolded where they are used, and parts of bodies folded into definitions of their own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from chc.build import conjunction, equation
from chc.instance import Atom, Clause, Instance, Predicate, make_clause, substitute_clause
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.terms import Kind, Term, free_variables, quantifier, variable
from transformations.carry import values_of
from transformations.known import Inapplicable, Known
from transformations.preserving_base import (
    ClauseChoice,
    Preserving,
    all_names,
    declared_names,
    names_in_clause,
    new_name,
    splice,
)
from transformations.preserving_steps import Derivation, rewrite_steps
from transformations.preserving_unplug import declare
from transformations.transformation import Parents, Site
from transformations.written import item

MOST_DEFINITIONS: Final = 8
"""An atom is unfolded where no more clauses than this define its predicate."""
STEMS: Final = ("part", "sub", "fold")


# Unfolding -------------------------------------------------------------------------------------------------


class AtomChoice(ClauseChoice, frozen=True):
    """An atom in the body of a clause."""

    atom: int


class Inline(Preserving[AtomChoice]):
    """Unfolds an atom of a predicate that is not defined by itself: one clause for each of its definitions.

    Each new clause follows from the old one and a definition, so models stay. What the old clause derived with a
    fact, the new clause for the definition of that fact derives from the premises of the fact.
    """

    name = "inline"
    choice = AtomChoice

    def sites(self, parents: Parents) -> list[Site]:
        instance = parents[0].instance
        fitting = {p.name for p in instance.predicates if _is_unfoldable(instance, p.name)}
        return [
            (number, position)
            for number, clause in enumerate(instance.clauses)
            for position, atom in enumerate(clause.body)
            if atom.predicate in fitting
        ]

    def draw(self, parents: Parents, site: Site, rng: Random) -> AtomChoice | None:
        return self.confirmed(parents, AtomChoice(*site))

    def apply(self, parents: Parents, choice: AtomChoice) -> Instance:
        instance = parents[0].instance
        clause = item(instance.clauses, choice.clause)
        predicate = item(clause.body, choice.atom).predicate
        if not _is_unfoldable(instance, predicate):
            raise Inapplicable(f"`{predicate}` cannot be unfolded")
        definitions = [instance.clauses[number] for number in definitions_of(instance, predicate)]
        unfolded = [_Resolvent(instance, clause, choice.atom, definition).clause for definition in definitions]
        return splice(instance, choice.clause, unfolded)

    def carry_refutation(self, parent: Known, choice: AtomChoice, child: Instance) -> Refutation | None:
        instance, steps = parent.instance, parent.refutation.steps
        clause = instance.clauses[choice.clause]
        defined = definitions_of(instance, clause.body[choice.atom].predicate)

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            values = values_of(instance.clauses[step.clause], step)
            if step.clause != choice.clause:
                number = step.clause + (len(defined) - 1) * (step.clause > choice.clause)
                return made.add(number, values, premises, step.fact)
            unfolded = steps[step.premises[choice.atom]]
            definition = instance.clauses[unfolded.clause]
            resolvent = _Resolvent(instance, clause, choice.atom, definition)
            for var, value in values_of(definition, unfolded).items():
                values[resolvent.renaming[var]] = value
            premises[choice.atom : choice.atom + 1] = made.steps[premises[choice.atom]].premises
            return made.add(choice.clause + defined.index(unfolded.clause), values, premises, step.fact)

        return rewrite_steps(parent.refutation, child, expand)


def definitions_of(instance: Instance, predicate: str) -> list[int]:
    """The numbers of the clauses that derive the predicate."""
    return [n for n, clause in enumerate(instance.clauses) if clause.head and clause.head.predicate == predicate]


def _is_unfoldable(instance: Instance, predicate: str) -> bool:
    numbers = definitions_of(instance, predicate)
    bodies = (atom.predicate for number in numbers for atom in instance.clauses[number].body)
    return len(numbers) <= MOST_DEFINITIONS and predicate not in bodies


class _Resolvent:
    """A clause with one atom of its body replaced by the body of a definition."""

    def __init__(self, instance: Instance, clause: Clause, position: int, definition: Clause) -> None:
        taken = declared_names(instance) | names_in_clause(clause)
        self.renaming = {v: variable(new_name(v.name, taken), v.sort) for v in definition.variables}
        apart = substitute_clause(definition, self.renaming)
        assert apart.head is not None
        binding, equations = _unify(clause.body[position].args, apart.head.args)
        inner = substitute_clause(Clause(apart.variables, apart.constraint, apart.body, None), binding)
        body = (*clause.body[:position], *inner.body, *clause.body[position + 1 :])
        order = (*clause.variables, *apart.variables)
        self.clause = make_clause([*clause.constraint, *equations, *inner.constraint], body, clause.head, order)


def _unify(given: Sequence[Term], taken: Sequence[Term]) -> tuple[dict[Term, Term], list[Term]]:
    """What stands for the variables of a definition's head, and equations for the rest of its arguments."""
    binding: dict[Term, Term] = {}
    plain = [arg for arg in taken if arg.kind is Kind.VARIABLE]
    compound = {var for arg in taken if arg.kind is not Kind.VARIABLE for var in free_variables([arg])}
    equations = []
    for arg, param in zip(given, taken, strict=True):
        if param in plain and param not in binding and param not in compound and plain.count(param) == 1:
            binding[param] = arg
        else:
            equations.append(equation(arg, param))
    return binding, equations


# Folding ---------------------------------------------------------------------------------------------------


class FoldChoice(ClauseChoice, frozen=True):
    """Atoms and conjuncts of a body, what the new predicate is called, and whether it takes all their variables."""

    atoms: tuple[int, ...]
    conjuncts: tuple[int, ...]
    predicate: str
    all_variables: bool


class Outline(Preserving[FoldChoice]):
    """Folds a part of a body into a fresh predicate over the variables that it shares with the rest, or over all.

    With fresh := ∃ its other variables. the part, both clauses hold in every model of the parent. A step by the
    old clause becomes two: the part derives its fact of fresh, and that is a premise of the rest. Over all variables
    of the part there is nothing to quantify, which makes the model easier to check.
    """

    name = "outline"
    choice = FoldChoice

    def sites(self, parents: Parents) -> list[Site]:
        clauses = parents[0].instance.clauses
        return [(number,) for number, clause in enumerate(clauses) if clause.body or clause.constraint]

    def draw(self, parents: Parents, site: Site, rng: Random) -> FoldChoice | None:
        instance = parents[0].instance
        clause = item(instance.clauses, site[0])
        parts = [(True, n) for n in range(len(clause.body))] + [(False, n) for n in range(len(clause.constraint))]
        chosen = sorted(rng.sample(parts, rng.randint(1, len(parts))))
        atoms = tuple(number for is_atom, number in chosen if is_atom)
        conjuncts = tuple(number for is_atom, number in chosen if not is_atom)
        name = new_name(rng.choice(STEMS), all_names(instance))
        return self.confirmed(parents, FoldChoice(site[0], atoms, conjuncts, name, rng.random() < 0.6))

    def apply(self, parents: Parents, choice: FoldChoice) -> Instance:
        instance = parents[0].instance
        fold = _Fold(item(instance.clauses, choice.clause), choice)
        clauses = list(instance.clauses)
        clauses[choice.clause] = fold.rest
        return declare(instance, fold.predicate, [*clauses, fold.definition])

    def carry_model(self, parent: Known, choice: FoldChoice, child: Instance) -> Model | None:
        fold = _Fold(parent.instance.clauses[choice.clause], choice)
        meaning = conjunction([*fold.definition.constraint, *map(parent.model.holds, fold.definition.body)])
        local = tuple(var for var in fold.definition.variables if var not in fold.params)
        interpretation = Interpretation(fold.params, quantifier("exists", local, meaning))
        return Model({**parent.model.interpretations, choice.predicate: interpretation})

    def carry_refutation(self, parent: Known, choice: FoldChoice, child: Instance) -> Refutation | None:
        last = len(child.clauses) - 1

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            values = values_of(parent.instance.clauses[step.clause], step)
            if step.clause == choice.clause:
                folded = made.conclude(last, values, [premises[number] for number in choice.atoms])
                if folded is None:
                    return None
                premises = [p for number, p in enumerate(premises) if number not in choice.atoms] + [folded]
            return made.add(step.clause, values, premises, step.fact)

        return rewrite_steps(parent.refutation, child, expand)


class _Fold:
    """A clause in two: the part that is folded, and the rest with an atom in its place."""

    def __init__(self, clause: Clause, choice: FoldChoice) -> None:
        atoms = [item(clause.body, number) for number in choice.atoms]
        conjuncts = [item(clause.constraint, number) for number in choice.conjuncts]
        if not atoms and not conjuncts:
            raise Inapplicable("nothing is folded")
        other_atoms = [atom for n, atom in enumerate(clause.body) if n not in choice.atoms]
        other_conjuncts = [part for n, part in enumerate(clause.constraint) if n not in choice.conjuncts]
        within = make_clause(conjuncts, atoms, None, clause.variables)
        outside = set(make_clause(other_conjuncts, other_atoms, clause.head).variables)
        self.params = tuple(var for var in within.variables if choice.all_variables or var in outside)
        atom = Atom(choice.predicate, self.params)
        self.predicate = Predicate(choice.predicate, tuple(var.sort for var in self.params))
        self.definition = make_clause(conjuncts, atoms, atom, clause.variables)
        self.rest = make_clause(other_conjuncts, [*other_atoms, atom], clause.head, clause.variables)
