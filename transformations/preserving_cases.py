"""Clauses divided into cases, and bodies strengthened by what is known to hold."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chc.build import negation
from chc.instance import Clause, Instance, make_clause
from chc.model import Model
from chc.printer import show_term
from chc.refutation import Refutation, Step
from chc.terms import TRUE, Term
from chc.witness import Truth
from transformations.carry import values_of
from transformations.known import Inapplicable, Known
from transformations.preserving_base import ClauseChoice, Preserving, splice
from transformations.preserving_folding import AtomChoice
from transformations.preserving_steps import Derivation, rewrite_steps, value_under
from transformations.random_terms import random_constraint
from transformations.transformation import Parents, Site
from transformations.written import item, read_constraint


class CaseChoice(ClauseChoice, frozen=True):
    """The constraint, as text over the variables of the clause, that is assumed in one case and denied in the other."""

    constraint: str


class CaseSplit(Preserving[CaseChoice]):
    """Splits a clause into one with a constraint c and one with ¬c.

    In every assignment one of the two holds, so together they say what the clause said. A step of a refutation is
    by the case that holds under its values.
    """

    name = "case-split"
    choice = CaseChoice

    def sites(self, parents: Parents) -> list[Site]:
        return [(number,) for number, clause in enumerate(parents[0].instance.clauses) if clause.variables]

    def draw(self, parents: Parents, site: Site, rng: Random) -> CaseChoice | None:
        instance = parents[0].instance
        clause = item(instance.clauses, site[0])
        constraint = random_constraint(clause.variables, instance.datatypes, rng)
        return self.confirmed(parents, CaseChoice(site[0], show_term(constraint)))

    def apply(self, parents: Parents, choice: CaseChoice) -> Instance:
        instance = parents[0].instance
        clause = item(instance.clauses, choice.clause)
        case = read_constraint(choice.constraint, instance, clause.variables)
        return splice(instance, choice.clause, [_with(clause, case), _with(clause, negation(case))])

    def carry_refutation(self, parent: Known, choice: CaseChoice, child: Instance) -> Refutation | None:
        chosen = parent.instance.clauses[choice.clause]
        case = read_constraint(choice.constraint, parent.instance, chosen.variables)

        def expand(made: Derivation, step: Step, premises: list[int]) -> int | None:
            values = values_of(parent.instance.clauses[step.clause], step)
            number = step.clause + (step.clause > choice.clause)
            if step.clause == choice.clause:
                holds = value_under(case, values)
                if holds is None:
                    return None
                number = step.clause + (not holds)
            return made.add(number, values, premises, step.fact)

        return rewrite_steps(parent.refutation, child, expand)


def _with(clause: Clause, conjunct: Term) -> Clause:
    return make_clause([*clause.constraint, conjunct], clause.body, clause.head, clause.variables)


class StrengthenWithInvariant(Preserving[AtomChoice]):
    """Conjoins M(p)(X) beside a body atom p(X), M the model of the parent.

    The clause becomes weaker, so M stays a model. Only sat parents come with a model that is certified; that of an
    unsat parent would need a certified over-approximation, so nothing is promised there.
    """

    name = "strengthen-with-invariant"
    takes = frozenset((Truth.sat,))
    needs_witness = True
    choice = AtomChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        witness = parents[0].witness
        if not isinstance(witness, Model):
            return []
        return [
            (number, position)
            for number, clause in enumerate(parents[0].instance.clauses)
            for position, atom in enumerate(clause.body)
            if witness.interpretations[atom.predicate].body is not TRUE
        ]

    def draw(self, parents: Parents, site: Site, rng: Random) -> AtomChoice | None:
        return self.confirmed(parents, AtomChoice(*site))

    def apply(self, parents: Parents, choice: AtomChoice) -> Instance:
        clause = item(parents[0].instance.clauses, choice.clause)
        if parents[0].truth is not Truth.sat:
            raise Inapplicable("the parent has no model")
        invariant = parents[0].model.holds(item(clause.body, choice.atom))
        return splice(parents[0].instance, choice.clause, [_with(clause, invariant)])

    def carry_refutation(self, parent: Known, choice: AtomChoice, child: Instance) -> Refutation | None:
        return None
