"""Two instances fused into one, whose truth follows from those of both."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from random import Random

import msgspec

from chc.instance import Atom, Clause, Instance, Predicate
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.terms import FALSE, TRUE, Term, variable
from chc.witness import Truth, Witness
from transformations.disjoint import Pair, disjoint
from transformations.known import Known
from transformations.settle import settled
from transformations.transformation import Parents, Site, Transformation


class NoChoice(msgspec.Struct, frozen=True):
    """Fusion leaves nothing to chance: the two parents determine the child."""


class Fusion(Transformation[NoChoice]):
    """Two parents, their names made disjoint."""

    section = "D"
    takes = frozenset(Truth)
    arity = 2
    choice = NoChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        return [()]

    def draw(self, parents: Parents, site: Site, rng: Random) -> NoChoice | None:
        return NoChoice()

    def apply(self, parents: Parents, choice: NoChoice) -> Instance:
        child = self.fuse(disjoint(parents[0].instance, parents[1].instance))
        # A variable of the one may be called like a symbol of the other.
        return child.replace(clauses=(settled(clause, child) for clause in child.clauses))

    def transport(self, parents: Parents, choice: NoChoice, child: Instance) -> Witness | None:
        first, second = (_restricted(parent) for parent in parents)
        pair = disjoint(parents[0].instance, parents[1].instance)
        if isinstance(second, Model):
            second = pair.renaming.model(second)
        elif isinstance(second, Refutation):
            second = pair.renaming.refutation(second)
        return self.carry(pair, first, second)

    @abstractmethod
    def fuse(self, pair: Pair) -> Instance:
        """The child."""

    @abstractmethod
    def carry(self, pair: Pair, first: Witness | None, second: Witness | None) -> Witness | None:
        """The witness of the child; that of the second parent speaks of its new names already."""


class FuseStrong(Fusion):
    """The union of the clauses; sat iff both parents are.

    The predicates are disjoint, so two models together are a model of the union. A refutation of either parent uses
    clauses that are all there. Of parents of open truth one that is unsat is enough.
    """

    name = "fuse-strong"

    def promise(self, parents: Parents) -> Truth | None:
        truths = [parent.truth for parent in parents]
        if Truth.unsat in truths:
            return Truth.unsat
        return None if None in truths else Truth.sat

    def fuse(self, pair: Pair) -> Instance:
        return pair.declared.replace(clauses=(*pair.first, *pair.second))

    def carry(self, pair: Pair, first: Witness | None, second: Witness | None) -> Witness | None:
        if isinstance(first, Refutation):
            return first
        if isinstance(second, Refutation):
            return Refutation(tuple(_moved(second.steps, len(pair.first), 0)))
        if isinstance(first, Model) and isinstance(second, Model):
            return Model({**first.interpretations, **second.interpretations})
        return None


class _UnsatIffBoth(Fusion):
    """What both ways of asking for both refutations share."""

    def promise(self, parents: Parents) -> Truth | None:
        truths = [parent.truth for parent in parents]
        if Truth.sat in truths:
            return Truth.sat
        return None if None in truths else Truth.unsat


class FuseWeak(_UnsatIffBoth):
    """The queries of the parents derive f1 and f2 instead of false, and f1 ∧ f2 → false; unsat iff both are.

    If one parent is sat, take its model, its f false, and everything of the other, with the other's f, true: the
    clauses of the other all have true heads, and the last clause has a false premise. If both are unsat, their
    refutations derive f1 and f2, and the last clause joins them.
    """

    name = "fuse-weak"

    def fuse(self, pair: Pair) -> Instance:
        flags = [Atom(marker, ()) for marker in pair.markers]
        clauses = [*_deriving(pair.first, flags[0]), *_deriving(pair.second, flags[1])]
        predicates = (*pair.declared.predicates, *(Predicate(marker, ()) for marker in pair.markers))
        return pair.declared.replace(predicates=predicates, clauses=(*clauses, Clause((), (), tuple(flags), None)))

    def carry(self, pair: Pair, first: Witness | None, second: Witness | None) -> Witness | None:
        one, other = pair.markers
        if isinstance(first, Model):
            return _joined(first, _constant(pair.predicates_of_second, TRUE), {one: FALSE, other: TRUE})
        if isinstance(second, Model):
            return _joined(second, _constant(pair.predicates_of_first, TRUE), {one: TRUE, other: FALSE})
        if not isinstance(first, Refutation) or not isinstance(second, Refutation):
            return None
        steps = _reaching(first.steps, Atom(one, ()))
        steps += _reaching(_moved(second.steps, len(pair.first), len(steps)), Atom(other, ()))
        joint = len(pair.first) + len(pair.second)
        return Refutation((*steps, Step(None, joint, (), (len(first.steps) - 1, len(steps) - 1))))


class FuseSequential(_UnsatIffBoth):
    """The queries of the first derive f1 instead of false, which the facts of the second need; unsat iff both are.

    A fact is every clause without an atom in its body, a query without one too. If the first parent is sat, its
    model with f1 and everything of the second false is a model: each clause of the second has a false premise. If
    the second is sat, its model with f1 and everything of the first true is one. If both are unsat, the refutation
    of the first derives f1, and that of the second follows with f1 as the premise of its leaves.
    """

    name = "fuse-sequential"

    def fuse(self, pair: Pair) -> Instance:
        flag = Atom(pair.markers[0], ())
        guarded = [_guarded(clause, flag) for clause in pair.second]
        predicates = (*pair.declared.predicates, Predicate(flag.predicate, ()))
        return pair.declared.replace(predicates=predicates, clauses=(*_deriving(pair.first, flag), *guarded))

    def carry(self, pair: Pair, first: Witness | None, second: Witness | None) -> Witness | None:
        flag = pair.markers[0]
        if isinstance(first, Model):
            return _joined(first, _constant(pair.predicates_of_second, FALSE), {flag: FALSE})
        if isinstance(second, Model):
            return _joined(second, _constant(pair.predicates_of_first, TRUE), {flag: TRUE})
        if not isinstance(first, Refutation) or not isinstance(second, Refutation):
            return None
        before = _reaching(first.steps, Atom(flag, ()))
        after = _moved(second.steps, len(pair.first), len(before))
        return Refutation((*before, *(_needing(step, len(before) - 1) for step in after)))


# Clauses -------------------------------------------------------------------------------------------------


def _deriving(clauses: Iterable[Clause], flag: Atom) -> list[Clause]:
    """The clauses, their queries deriving the flag."""
    return [Clause(c.variables, c.constraint, c.body, flag) if c.is_query else c for c in clauses]


def _guarded(clause: Clause, flag: Atom) -> Clause:
    return Clause(clause.variables, clause.constraint, (flag,), clause.head) if clause.is_fact else clause


# Models --------------------------------------------------------------------------------------------------


def _restricted(parent: Known) -> Witness | None:
    """The witness; a model without what it says beyond the predicates of its instance."""
    if not isinstance(parent.witness, Model):
        return parent.witness
    signature = parent.instance.signature
    return Model({name: i for name, i in parent.witness.interpretations.items() if name in signature})


def _constant(predicates: Iterable[Predicate], truth: Term) -> dict[str, Interpretation]:
    """Every predicate true, or false, of everything."""
    return {
        p.name: Interpretation(tuple(variable(f"x{n}", sort) for n, sort in enumerate(p.sorts)), truth)
        for p in predicates
    }


def _joined(model: Model, others: dict[str, Interpretation], flags: dict[str, Term]) -> Model:
    meanings = {flag: Interpretation((), truth) for flag, truth in flags.items()}
    return Model({**model.interpretations, **others, **meanings})


# Refutations ---------------------------------------------------------------------------------------------


def _moved(steps: Sequence[Step], clauses: int, before: int) -> list[Step]:
    """The steps behind so many others, by clauses behind so many others."""
    return [
        Step(step.fact, step.clause + clauses, step.values, tuple(p + before for p in step.premises)) for step in steps
    ]


def _reaching(steps: Sequence[Step], flag: Atom) -> list[Step]:
    """The steps, with the flag in place of false."""
    return [Step(step.fact or flag, step.clause, step.values, step.premises) for step in steps]


def _needing(step: Step, flag: int) -> Step:
    """A leaf has the step that derives the flag as its one premise."""
    return step if step.premises else Step(step.fact, step.clause, step.values, (flag,))


FUSIONS: tuple[Fusion, ...] = (FuseStrong(), FuseWeak(), FuseSequential())
