"""Constraints hidden behind a predicate that is defined to mean them: in one clause, or wherever they occur."""

from __future__ import annotations

from random import Random
from typing import Final

from chc.build import conjunction, negation
from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.terms import Term, free_variables
from transformations.carry import values_of
from transformations.known import Inapplicable, Known
from transformations.matching import instance_of
from transformations.preserving_base import ClauseChoice, Preserving, all_names, check_new, new_name, settle
from transformations.preserving_steps import Derivation, ground_atom, rewrite_steps
from transformations.transformation import Parents, Site
from transformations.written import item

STEMS: Final = ("guard", "cond", "phi")

Occurrence = tuple[int, int]
"""The number of a clause and of a conjunct in it."""


class Plug:
    """A constraint as the meaning of a new predicate over its free variables."""

    def __init__(self, name: str, meaning: Term) -> None:
        self.variables = tuple(free_variables([meaning]))
        self.meaning = meaning
        self.atom = Atom(name, self.variables)
        self.predicate = Predicate(name, tuple(var.sort for var in self.variables))
        self.definition = make_clause([meaning], (), self.atom, self.variables)
        self.converse = make_clause([negation(meaning)], [self.atom], None, self.variables)

    def extend_model(self, model: Model) -> Model:
        meaning = Interpretation(self.variables, self.meaning)
        return Model({**model.interpretations, self.atom.predicate: meaning})


def declare(instance: Instance, predicate: Predicate, clauses: list[Clause]) -> Instance:
    """The instance with one more predicate and with these clauses, of which the old ones are left as they are."""
    check_new(predicate.name, all_names(instance))
    known = set(instance.clauses)
    wider = instance.replace(predicates=(*instance.predicates, predicate))
    return wider.replace(clauses=[clause if clause in known else settle(clause, wider) for clause in clauses])


class UnplugChoice(ClauseChoice, frozen=True):
    """Conjuncts of a clause, and what the new predicate is called."""

    conjuncts: tuple[int, ...]
    predicate: str


class UnplugLhsClause(Preserving[UnplugChoice]):
    """Replaces conjuncts φ of a body by a fresh predicate over their variables, and adds the clause φ → fresh.

    With fresh := φ every model of the parent is one of the child. Conversely the new clause derives fresh wherever
    φ holds, so a refutation only needs that leaf as one more premise.
    """

    name = "unplug-lhs+clause"
    choice = UnplugChoice

    def sites(self, parents: Parents) -> list[Site]:
        return [(number,) for number, clause in enumerate(parents[0].instance.clauses) if clause.constraint]

    def draw(self, parents: Parents, site: Site, rng: Random) -> UnplugChoice | None:
        instance = parents[0].instance
        count = len(item(instance.clauses, site[0]).constraint)
        several = rng.randint(1, count) if rng.random() < 0.4 else 1
        chosen = tuple(sorted(rng.sample(range(count), several)))
        name = new_name(rng.choice(STEMS), all_names(instance))
        return self.confirmed(parents, UnplugChoice(site[0], chosen, name))

    def apply(self, parents: Parents, choice: UnplugChoice) -> Instance:
        instance = parents[0].instance
        clause, plug = item(instance.clauses, choice.clause), _plug(instance, choice)
        rest = [part for number, part in enumerate(clause.constraint) if number not in choice.conjuncts]
        clauses = list(instance.clauses)
        clauses[choice.clause] = make_clause(rest, [*clause.body, plug.atom], clause.head, clause.variables)
        return declare(instance, plug.predicate, [*clauses, plug.definition])

    def carry_model(self, parent: Known, choice: UnplugChoice, child: Instance) -> Model | None:
        return _plug(parent.instance, choice).extend_model(parent.model)

    def carry_refutation(self, parent: Known, choice: UnplugChoice, child: Instance) -> Refutation | None:
        last = len(child.clauses) - 1

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            values = values_of(parent.instance.clauses[step.clause], step)
            if step.clause == choice.clause:
                leaf = made.conclude(last, values, ())
                if leaf is None:
                    return None
                premises = [*premises, leaf]
            return made.add(step.clause, values, premises, step.fact)

        return rewrite_steps(parent.refutation, child, expand)


def _plug(instance: Instance, choice: UnplugChoice) -> Plug:
    clause = item(instance.clauses, choice.clause)
    if not choice.conjuncts or len(set(choice.conjuncts)) < len(choice.conjuncts):
        raise Inapplicable("the conjuncts are not different ones")
    return Plug(choice.predicate, conjunction([item(clause.constraint, number) for number in choice.conjuncts]))


class SharedUnplugChoice(ClauseChoice, frozen=True):
    """The conjunct, the name of the new predicate, and where it replaces an instance of the conjunct.

    In `heads` the conjunct is an instance of the negation, in a query.
    """

    conjunct: int
    predicate: str
    uses: tuple[Occurrence, ...]
    heads: tuple[Occurrence, ...]


class SharedUnplug(Preserving[SharedUnplugChoice]):
    """One fresh predicate for many occurrences of a conjunct φ, up to what stands for its variables.

    As in unplug-lhs+clause, φ → fresh is added, and fresh := φ makes a model. A query with an instance of ¬φ may
    derive that instance of fresh instead; then fresh ∧ ¬φ → false is added too, without which a refutation by such
    a query would be lost.
    """

    name = "shared-unplug"
    choice = SharedUnplugChoice

    def sites(self, parents: Parents) -> list[Site]:
        clauses = parents[0].instance.clauses
        return [(number, part) for number, clause in enumerate(clauses) for part in range(len(clause.constraint))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> SharedUnplugChoice | None:
        instance = parents[0].instance
        number, part = site
        pattern = item(item(instance.clauses, number).constraint, part)
        heads = tuple(place for place in _negations(instance, pattern) if rng.random() < 0.8)
        closed = {clause for clause, _ in heads}
        uses = [place for place in _occurrences(instance, pattern) if place[0] not in closed]
        chosen = tuple(place for place in uses if place == site or rng.random() < 0.8)
        name = new_name(rng.choice(STEMS), all_names(instance))
        return self.confirmed(parents, SharedUnplugChoice(number, part, name, chosen, heads))

    def apply(self, parents: Parents, choice: SharedUnplugChoice) -> Instance:
        instance = parents[0].instance
        plug = _shared_plug(instance, choice)
        clauses = list(instance.clauses)
        for number in sorted({clause for clause, _ in (*choice.uses, *choice.heads)}):
            clauses[number] = _plugged(item(clauses, number), number, choice, plug)
        clauses.append(plug.definition)
        if choice.heads:
            clauses.append(plug.converse)
        return declare(instance, plug.predicate, clauses)

    def carry_model(self, parent: Known, choice: SharedUnplugChoice, child: Instance) -> Model | None:
        return _shared_plug(parent.instance, choice).extend_model(parent.model)

    def carry_refutation(self, parent: Known, choice: SharedUnplugChoice, child: Instance) -> Refutation | None:
        plug, before = _shared_plug(parent.instance, choice), len(parent.instance.clauses)
        closing = {number for number, _ in choice.heads}

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            clause = parent.instance.clauses[step.clause]
            values = values_of(clause, step)
            for atom in _atoms(clause, step.clause, choice.uses, plug):
                fact = ground_atom(atom, values, child)
                if fact is None:
                    return None
                leaf = made.add(before, dict(zip(plug.variables, fact.args, strict=True)), (), fact)
                assert leaf is not None
                premises = [*premises, leaf]
            if step.clause not in closing:
                return made.add(step.clause, values, premises, step.fact)
            opened = made.conclude(step.clause, values, premises)
            fact = None if opened is None else made.steps[opened].fact
            if opened is None or fact is None:
                return None
            return made.add(before + 1, dict(zip(plug.variables, fact.args, strict=True)), [opened], None)

        return rewrite_steps(parent.refutation, child, expand)


def _shared_plug(instance: Instance, choice: SharedUnplugChoice) -> Plug:
    return Plug(choice.predicate, item(item(instance.clauses, choice.clause).constraint, choice.conjunct))


def _occurrences(instance: Instance, pattern: Term) -> list[Occurrence]:
    return [
        (number, position)
        for number, clause in enumerate(instance.clauses)
        for position, part in enumerate(clause.constraint)
        if instance_of(pattern, part) is not None
    ]


def _negations(instance: Instance, pattern: Term) -> list[Occurrence]:
    """Instances of the negation in queries, one for each query."""
    found: dict[int, int] = {}
    for number, clause in enumerate(instance.clauses):
        for position, part in enumerate(clause.constraint):
            if clause.is_query and instance_of(pattern, negation(part)) is not None:
                found.setdefault(number, position)
    return list(found.items())


def _atom(plug: Plug, part: Term) -> Atom:
    binding = instance_of(plug.meaning, part)
    if binding is None:
        raise Inapplicable("the conjunct is no instance of the one that is unplugged")
    return Atom(plug.atom.predicate, tuple(binding[var] for var in plug.variables))


def _atoms(clause: Clause, number: int, uses: tuple[Occurrence, ...], plug: Plug) -> list[Atom]:
    """The atoms that stand for conjuncts of the clause."""
    return [_atom(plug, item(clause.constraint, position)) for owner, position in uses if owner == number]


def _plugged(clause: Clause, number: int, choice: SharedUnplugChoice, plug: Plug) -> Clause:
    gone = {position for owner, position in (*choice.uses, *choice.heads) if owner == number}
    rest = [part for position, part in enumerate(clause.constraint) if position not in gone]
    body = [*clause.body, *_atoms(clause, number, choice.uses, plug)]
    closing = [position for owner, position in choice.heads if owner == number]
    head = clause.head
    if closing:
        if head is not None or len(closing) > 1:
            raise Inapplicable("the clause has a head already")
        head = _atom(plug, negation(item(clause.constraint, closing[0])))
    return make_clause(rest, body, head, clause.variables)
