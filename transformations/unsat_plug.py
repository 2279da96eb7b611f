"""Unsat to unsat: more follows than before, because a body asks for less or a head says more."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from chc.instance import Atom, Clause, Instance, make_clause
from chc.refutation import Refutation, Step
from chc.witness import Truth, Witness
from transformations.carry import prune, renumber
from transformations.known import Inapplicable
from transformations.sat_plug import ClauseChoice
from transformations.transformation import Parents, Site, Transformation
from transformations.written import item, with_item, without


class PartChoice(msgspec.Struct, frozen=True):
    """A part of the body of a clause: an atom, or with a number beyond those of the atoms a conjunct."""

    clause: int
    part: int


def carried(parents: Parents, child: Instance) -> Refutation | None:
    """The parent's refutation by clauses of the same numbers, whose variables may have become fewer."""
    witness = parents[0].witness
    if not isinstance(witness, Refutation):
        return None
    return renumber(witness, parents[0].instance, child, lambda number: number)


class PlugTopLhs(Transformation[PartChoice]):
    """Replace a conjunct, or an atom, in the body of a clause by true.

    The new clause implies the old one, so what was derived is derived still: in the refutation the steps by that
    clause lose the premise, and with it what only that premise needed. A sat parent may become unsat.
    """

    name = "plug-top-lhs"
    section = "B"
    takes = frozenset((Truth.unsat,))
    choice = PartChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        clauses = parents[0].instance.clauses
        return [(n, m) for n, clause in enumerate(clauses) for m in range(len(clause.body) + len(clause.constraint))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> PartChoice | None:
        return PartChoice(*site)

    def apply(self, parents: Parents, choice: PartChoice) -> Instance:
        parent = parents[0].instance
        clause = item(parent.clauses, choice.clause)
        body, constraint = clause.body, clause.constraint
        if choice.part < len(body):
            body = without(body, choice.part)
        else:
            constraint = without(constraint, choice.part - len(body))
        weaker = make_clause(constraint, body, clause.head, clause.variables)
        return parent.replace(clauses=with_item(parent.clauses, choice.clause, weaker))

    def transport(self, parents: Parents, choice: PartChoice, child: Instance) -> Witness | None:
        refutation = carried(parents, child)
        atoms = len(parents[0].instance.clauses[choice.clause].body)
        if refutation is None or choice.part >= atoms:
            return refutation
        return prune([_less(step, choice) for step in refutation.steps])


def _less(step: Step, choice: PartChoice) -> Step:
    if step.clause != choice.clause:
        return step
    return Step(step.fact, step.clause, step.values, without(step.premises, choice.part))


class PredicateChoice(msgspec.Struct, frozen=True):
    """A predicate, and whether the clauses that derive it go as well."""

    predicate: str
    drop: bool


class PlugTopPredicate(Transformation[PredicateChoice]):
    """Replace a predicate by true everywhere it occurs in a body; drop what is no longer needed.

    Each new clause implies the old one, so what was derived is derived still. The clauses that derive the predicate
    help nobody any more and may go, and the predicate with them: in the refutation the subtrees of its facts are cut
    off. A sat parent may become unsat.
    """

    name = "plug-top-predicate"
    section = "B"
    takes = frozenset((Truth.unsat,))
    choice = PredicateChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        """The numbers of the predicates that occur in a body."""
        parent = parents[0].instance
        used = {atom.predicate for clause in parent.clauses for atom in clause.body}
        return [(n,) for n, predicate in enumerate(parent.predicates) if predicate.name in used]

    def draw(self, parents: Parents, site: Site, rng: Random) -> PredicateChoice | None:
        return PredicateChoice(parents[0].instance.predicates[site[0]].name, rng.random() < 0.5)

    def apply(self, parents: Parents, choice: PredicateChoice) -> Instance:
        parent = parents[0].instance
        if choice.predicate not in parent.signature:
            raise Inapplicable(f"there is no predicate {choice.predicate}")
        clauses = [_true_in_body(parent.clauses[n], choice.predicate) for n in _kept(parent, choice)]
        predicates = [p for p in parent.predicates if not choice.drop or p.name != choice.predicate]
        return parent.replace(predicates=predicates, clauses=clauses)

    def transport(self, parents: Parents, choice: PredicateChoice, child: Instance) -> Witness | None:
        parent, witness = parents[0].instance, parents[0].witness
        if not isinstance(witness, Refutation):
            return None
        needed = prune([_without_premises(step, parent, choice.predicate) for step in witness.steps])
        place = {old: new for new, old in enumerate(_kept(parent, choice))}
        return renumber(needed, parent, child, place.__getitem__)


def _kept(parent: Instance, choice: PredicateChoice) -> list[int]:
    """The numbers of the clauses that stay."""
    return [n for n, clause in enumerate(parent.clauses) if not choice.drop or not _derives(clause, choice.predicate)]


def _derives(clause: Clause, predicate: str) -> bool:
    return clause.head is not None and clause.head.predicate == predicate


def _true_in_body(clause: Clause, predicate: str) -> Clause:
    body: list[Atom] = [atom for atom in clause.body if atom.predicate != predicate]
    if len(body) == len(clause.body):
        return clause
    return make_clause(clause.constraint, body, clause.head, clause.variables)


def _without_premises(step: Step, parent: Instance, predicate: str) -> Step:
    atoms = parent.clauses[step.clause].body
    premises = [p for atom, p in zip(atoms, step.premises, strict=True) if atom.predicate != predicate]
    return Step(step.fact, step.clause, step.values, tuple(premises))


class PlugBottomRhs(Transformation[ClauseChoice]):
    """Replace the head of a clause by false.

    The new clause implies the old one. If the refutation uses the clause, it may end at the first step that does,
    since that one derives false now; if not, it stays. A sat parent may become unsat.
    """

    name = "plug-bottom-rhs"
    section = "B"
    takes = frozenset((Truth.unsat,))
    choice = ClauseChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        return [(n,) for n, clause in enumerate(parents[0].instance.clauses) if clause.head is not None]

    def draw(self, parents: Parents, site: Site, rng: Random) -> ClauseChoice | None:
        return ClauseChoice(*site)

    def apply(self, parents: Parents, choice: ClauseChoice) -> Instance:
        parent = parents[0].instance
        clause = item(parent.clauses, choice.clause)
        if clause.head is None:
            raise Inapplicable("the clause is a query already")
        query = make_clause(clause.constraint, clause.body, None, clause.variables)
        return parent.replace(clauses=with_item(parent.clauses, choice.clause, query))

    def transport(self, parents: Parents, choice: ClauseChoice, child: Instance) -> Witness | None:
        refutation = carried(parents, child)
        if refutation is None:
            return None
        steps = refutation.steps
        first = next((n for n, step in enumerate(steps) if step.clause == choice.clause), None)
        if first is None:
            return refutation
        end = Step(None, choice.clause, steps[first].values, steps[first].premises)
        return prune([*steps[:first], end])
