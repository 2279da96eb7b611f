"""The arguments of a predicate, everywhere it occurs: one more that nobody uses, or another order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

import msgspec

from chc.default_terms import DefaultTerms
from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.lexer import ReadError
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.sorts import Sort, show_sort
from chc.terms import Term, variable
from chc.vocabulary import read_sort, symbols_without_predicates
from transformations.carry import values_of
from transformations.known import Inapplicable, Known
from transformations.preserving_base import (
    Preserving,
    check_order,
    declared_names,
    names_in_clause,
    new_name,
    random_order,
    settle,
)
from transformations.preserving_rules import theory_sorts
from transformations.preserving_steps import Derivation, rewrite_steps
from transformations.transformation import Parents, Site
from transformations.written import item

T = TypeVar("T")


def _redeclared(instance: Instance, name: str, sorts: tuple[Sort, ...]) -> Instance:
    changed = [Predicate(name, sorts) if p.name == name else p for p in instance.predicates]
    return instance.replace(predicates=changed)


def _declared(instance: Instance, name: str) -> Predicate:
    if name not in instance.signature:
        raise Inapplicable(f"there is no predicate `{name}`")
    return instance.signature[name]


def _mentions(clause: Clause, name: str) -> bool:
    return any(atom is not None and atom.predicate == name for atom in (*clause.body, clause.head))


# Permutation -----------------------------------------------------------------------------------------------


class PermuteChoice(msgspec.Struct, frozen=True):
    """A predicate, and the new order of its arguments by their old numbers."""

    predicate: str
    order: tuple[int, ...]


class PermuteArguments(Preserving[PermuteChoice]):
    """Permutes the arguments of a predicate everywhere. Its relation is the same up to the order of columns."""

    name = "permute-arguments"
    choice = PermuteChoice

    def sites(self, parents: Parents) -> list[Site]:
        predicates = parents[0].instance.predicates
        return [(number,) for number, predicate in enumerate(predicates) if len(predicate.sorts) > 1]

    def draw(self, parents: Parents, site: Site, rng: Random) -> PermuteChoice | None:
        predicate = item(parents[0].instance.predicates, site[0])
        order = random_order(len(predicate.sorts), rng)
        return self.confirmed(parents, PermuteChoice(predicate.name, order))

    def apply(self, parents: Parents, choice: PermuteChoice) -> Instance:
        instance = parents[0].instance
        predicate = _declared(instance, choice.predicate)
        check_order(choice.order, len(predicate.sorts))
        changed = _redeclared(instance, predicate.name, _permuted(predicate.sorts, choice))
        clauses = [_permute_clause(clause, choice) for clause in instance.clauses]
        return changed.replace(clauses=clauses)

    def carry_model(self, parent: Known, choice: PermuteChoice, child: Instance) -> Model | None:
        meaning = parent.model.interpretations[choice.predicate]
        permuted = Interpretation(_permuted(meaning.params, choice), meaning.body)
        return Model({**parent.model.interpretations, choice.predicate: permuted})

    def carry_refutation(self, parent: Known, choice: PermuteChoice, child: Instance) -> Refutation | None:
        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            values = values_of(parent.instance.clauses[step.clause], step)
            return made.add(step.clause, values, premises, step.fact and _permute_atom(step.fact, choice))

        return rewrite_steps(parent.refutation, child, expand)


def _permuted(things: Sequence[T], choice: PermuteChoice) -> tuple[T, ...]:
    return tuple(things[old] for old in choice.order)


def _permute_atom(atom: Atom, choice: PermuteChoice) -> Atom:
    return Atom(atom.predicate, _permuted(atom.args, choice)) if atom.predicate == choice.predicate else atom


def _permute_clause(clause: Clause, choice: PermuteChoice) -> Clause:
    body = tuple(_permute_atom(atom, choice) for atom in clause.body)
    return Clause(clause.variables, clause.constraint, body, clause.head and _permute_atom(clause.head, choice))


# Padding ---------------------------------------------------------------------------------------------------

FREE: Final = "free"
DEFAULT: Final = "default"


class PadChoice(msgspec.Struct, frozen=True):
    """A predicate, the sort and the position of its new argument, what heads put there, and a stem for variables."""

    predicate: str
    position: int
    sort: str
    heads: str
    variable: str


class PadArguments(Preserving[PadChoice]):
    """Adds to a predicate an argument that nobody uses: bodies take any value there, heads give any or a fixed one.

    A model ignores the argument. In a refutation each fact gets a value there, which the variable of the body that
    uses the fact takes.
    """

    name = "pad-arguments"
    choice = PadChoice

    def sites(self, parents: Parents) -> list[Site]:
        return [(number,) for number in range(len(parents[0].instance.predicates))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> PadChoice | None:
        instance = parents[0].instance
        predicate, defaults = item(instance.predicates, site[0]), DefaultTerms(instance.datatypes)
        sort = rng.choice([sort for sort in theory_sorts(instance) if defaults.of(sort) is not None])
        position = rng.randint(0, len(predicate.sorts))
        heads, stem = rng.choice((FREE, DEFAULT)), rng.choice(("pad", "unused", "w"))
        return self.confirmed(parents, PadChoice(predicate.name, position, show_sort(sort), heads, stem))

    def apply(self, parents: Parents, choice: PadChoice) -> Instance:
        instance = parents[0].instance
        predicate, pad = _declared(instance, choice.predicate), _Padding(instance, choice)
        if not 0 <= choice.position <= len(predicate.sorts):
            raise Inapplicable("the predicate has too few arguments")
        changed = _redeclared(instance, predicate.name, pad.inserted(predicate.sorts, pad.sort))
        clauses = [
            settle(pad.clause(clause), changed) if _mentions(clause, predicate.name) else clause
            for clause in instance.clauses
        ]
        return changed.replace(clauses=clauses)

    def carry_model(self, parent: Known, choice: PadChoice, child: Instance) -> Model | None:
        pad, meaning = _Padding(parent.instance, choice), parent.model.interpretations[choice.predicate]
        param = variable(new_name(choice.variable, {p.name for p in meaning.params}), pad.sort)
        padded = Interpretation(pad.inserted(meaning.params, param), meaning.body)
        return Model({**parent.model.interpretations, choice.predicate: padded})

    def carry_refutation(self, parent: Known, choice: PadChoice, child: Instance) -> Refutation | None:
        pad = _Padding(parent.instance, choice)

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            clause = parent.instance.clauses[step.clause]
            values, added = values_of(clause, step), pad.added(clause)
            for term, premise in zip(added.body, premises, strict=True):
                fact = made.steps[premise].fact
                if term is not None and fact is not None:
                    values[term] = fact.args[choice.position]
            if added.head is not None:
                values[added.head] = pad.default
            fact = step.fact
            if fact is not None and fact.predicate == choice.predicate:
                fact = Atom(fact.predicate, pad.inserted(fact.args, pad.default))
            return made.add(step.clause, values, premises, fact)

        return rewrite_steps(parent.refutation, child, expand)


class _Added(NamedTuple):
    """What is put into the atoms of a clause; None for those of other predicates."""

    body: list[Term | None]
    head: Term | None


class _Padding:
    """The new argument of one predicate."""

    def __init__(self, instance: Instance, choice: PadChoice) -> None:
        self._choice, self._declared_names = choice, declared_names(instance)
        try:
            self.sort = read_sort(choice.sort, symbols_without_predicates(instance))
        except ReadError as problem:
            raise Inapplicable(f"the sort of the new argument: {problem.message}") from None
        default = DefaultTerms(instance.datatypes).of(self.sort)
        if default is None:
            raise Inapplicable(f"there is no value of sort {choice.sort} to put into facts")
        self.default = default

    def inserted(self, things: Sequence[T], thing: T) -> tuple[T, ...]:
        at = self._choice.position
        return (*things[:at], thing, *things[at:])

    def added(self, clause: Clause) -> _Added:
        fresh = self._fresh(clause)
        body = [fresh() if self._is_padded(atom) else None for atom in clause.body]
        if clause.head is None or not self._is_padded(clause.head):
            return _Added(body, None)
        return _Added(body, self.default if self._choice.heads == DEFAULT else fresh())

    def clause(self, clause: Clause) -> Clause:
        added = self.added(clause)
        body = [self._padded(atom, term) for atom, term in zip(clause.body, added.body, strict=True)]
        head = clause.head and self._padded(clause.head, added.head)
        return make_clause(clause.constraint, body, head, clause.variables)

    def _is_padded(self, atom: Atom) -> bool:
        return atom.predicate == self._choice.predicate

    def _padded(self, atom: Atom, term: Term | None) -> Atom:
        return atom if term is None else Atom(atom.predicate, self.inserted(atom.args, term))

    def _fresh(self, clause: Clause) -> Callable[[], Term]:
        taken = self._declared_names | names_in_clause(clause)
        return lambda: variable(new_name(self._choice.variable, taken), self.sort)
