"""Unsat to unsat: clauses go that the refutation does not need, and others come."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from chc.instance import Clause, Instance, make_clause
from chc.refutation import Refutation, Step
from chc.terms import free_variables
from chc.witness import Truth, Witness
from transformations.carry import prune, renumber
from transformations.known import Inapplicable
from transformations.random_clauses import random_clause
from transformations.settle import settled
from transformations.transformation import Parents, Site, Transformation
from transformations.written import item, read_clause, with_item, without, write_clause


def parent_refutation(parents: Parents) -> Refutation:
    """The refutation that a transformation takes its bearings from."""
    witness = parents[0].witness
    if not isinstance(witness, Refutation):
        raise Inapplicable("there is no refutation")
    return witness


def used_clauses(refutation: Refutation) -> set[int]:
    return {step.clause for step in refutation.steps}


class ReplacedChoice(msgspec.Struct, frozen=True):
    """A clause that goes, and the text of the one that takes its place, if any."""

    clause: int
    replacement: str | None


class DropRedundantClause(Transformation[ReplacedChoice]):
    """Remove a clause that the refutation does not use, or put any other in its place.

    The refutation stays what it is, for all of its clauses are still there. A sat parent has no refutation to tell
    which clauses are redundant.
    """

    name = "drop-redundant-clause"
    section = "B"
    takes = frozenset((Truth.unsat,))
    needs_witness = True
    choice = ReplacedChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        witness = parents[0].witness
        if not isinstance(witness, Refutation):
            return ()
        used = used_clauses(witness)
        return [(n,) for n in range(len(parents[0].instance.clauses)) if n not in used]

    def draw(self, parents: Parents, site: Site, rng: Random) -> ReplacedChoice | None:
        other = write_clause(random_clause(parents[0].instance, rng)) if rng.random() < 0.3 else None
        return ReplacedChoice(site[0], other)

    def apply(self, parents: Parents, choice: ReplacedChoice) -> Instance:
        parent = parents[0].instance
        if choice.clause in used_clauses(parent_refutation(parents)):
            raise Inapplicable("the refutation uses the clause")
        if choice.replacement is None:
            return parent.replace(clauses=without(parent.clauses, choice.clause))
        other = read_clause(choice.replacement, parent)
        return parent.replace(clauses=with_item(parent.clauses, choice.clause, other))

    def transport(self, parents: Parents, choice: ReplacedChoice, child: Instance) -> Witness | None:
        gone = choice.replacement is None
        refutation, parent = parent_refutation(parents), parents[0].instance
        return renumber(refutation, parent, child, lambda n: n - 1 if gone and n > choice.clause else n)


class FactChoice(msgspec.Struct, frozen=True):
    """A step of the refutation whose fact becomes a clause, and whether the clause that derived it goes."""

    step: int
    remove: bool


class ReplaceClauseWithFact(Transformation[FactChoice]):
    """Choose a fact F of the refutation and add the clause true → F; perhaps remove the clause that derived F.

    In the refutation the subtree of F becomes a leaf, a step by the new clause, so what is left still derives false.
    The clause that derived F may be removed only if no other step of what is left uses it. Without this condition
    {x ≤ 0 → P(x); P(x) ∧ x < 2 ∧ y = x+1 → P(y); P(x) ∧ x ≥ 2 → false} with F = P(1) would lose the clause that
    P(2) needs, and become sat.
    """

    name = "replace-clause-with-fact"
    section = "B"
    takes = frozenset((Truth.unsat,))
    needs_witness = True
    choice = FactChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        witness = parents[0].witness
        if not isinstance(witness, Refutation):
            return ()
        return [(n,) for n, step in enumerate(witness.steps) if step.fact is not None]

    def draw(self, parents: Parents, site: Site, rng: Random) -> FactChoice | None:
        return FactChoice(site[0], is_dispensable(parent_refutation(parents), site[0]) and rng.random() < 0.7)

    def apply(self, parents: Parents, choice: FactChoice) -> Instance:
        parent, refutation = parents[0].instance, parent_refutation(parents)
        step = item(refutation.steps, choice.step)
        fact = settled(_fact_clause(step), parent)
        if not choice.remove:
            return parent.replace(clauses=(*parent.clauses, fact))
        if not is_dispensable(refutation, choice.step):
            raise Inapplicable("another step needs the clause")
        return parent.replace(clauses=with_item(parent.clauses, step.clause, fact))

    def transport(self, parents: Parents, choice: FactChoice, child: Instance) -> Witness | None:
        refutation = parent_refutation(parents)
        step = refutation.steps[choice.step]
        number = step.clause if choice.remove else len(child.clauses) - 1
        return prune(_with_leaf(refutation, choice.step, number))


def _fact_clause(step: Step) -> Clause:
    """The clause true → F. An element without a ground term is a variable, and F then said of all elements."""
    if step.fact is None:
        raise Inapplicable("false is no fact to start from")
    return make_clause((), (), step.fact)


def _with_leaf(refutation: Refutation, at: int, clause: int) -> list[Step]:
    """The steps, with that one needing nothing but the clause."""
    fact = refutation.steps[at].fact
    assert fact is not None
    leaf = Step(fact, clause, tuple(free_variables(fact.args)), ())
    return [*refutation.steps[:at], leaf, *refutation.steps[at + 1 :]]


def is_dispensable(refutation: Refutation, at: int) -> bool:
    """Whether the clause of a step is used by no other one, once the step needs no derivation any more."""
    clause = refutation.steps[at].clause
    left = prune(_with_leaf(refutation, at, -1))
    return clause not in used_clauses(left)


class AddedChoice(msgspec.Struct, frozen=True):
    """The text of a clause, and the number that it gets."""

    position: int
    clause: str


class AddClause(Transformation[AddedChoice]):
    """Add any well-formed clause.

    What was derived without it is derived still, so the refutation stays. A sat parent may become unsat.
    """

    name = "add-clause"
    section = "B"
    takes = frozenset((Truth.unsat,))
    choice = AddedChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        """Before each clause, and behind the last."""
        return [(n,) for n in range(len(parents[0].instance.clauses) + 1)]

    def draw(self, parents: Parents, site: Site, rng: Random) -> AddedChoice | None:
        return AddedChoice(site[0], write_clause(random_clause(parents[0].instance, rng)))

    def apply(self, parents: Parents, choice: AddedChoice) -> Instance:
        parent = parents[0].instance
        clauses = list(parent.clauses)
        if not 0 <= choice.position <= len(clauses):
            raise Inapplicable(f"no place {choice.position} among {len(clauses)} clauses")
        clauses.insert(choice.position, read_clause(choice.clause, parent))
        return parent.replace(clauses=clauses)

    def transport(self, parents: Parents, choice: AddedChoice, child: Instance) -> Witness | None:
        witness = parents[0].witness
        if not isinstance(witness, Refutation):
            return None
        return renumber(witness, parents[0].instance, child, lambda n: n + 1 if n >= choice.position else n)
