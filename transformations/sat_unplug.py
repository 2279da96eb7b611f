"""Sat to sat: constraints replaced by fresh predicates, which the solver then has to find again."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from chc.build import negation
from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.model import Interpretation, Model
from chc.terms import Term, free_variables
from chc.witness import Truth, Witness
from transformations.known import Inapplicable
from transformations.names import Names
from transformations.transformation import Parents, Site, Transformation
from transformations.written import item, with_item, without


class ConjunctChoice(msgspec.Struct, frozen=True):
    """A conjunct of the constraint of a clause."""

    clause: int
    conjunct: int


def fresh_predicate(instance: Instance, variables: Sequence[Term]) -> Predicate:
    """A predicate of a name that nothing in the instance has, over the sorts of the variables."""
    return Predicate(Names(instance).fresh(), tuple(var.sort for var in variables))


def with_interpretation(parents: Parents, child: Instance, params: Sequence[Term], body: Term) -> Witness | None:
    """The parent's model and what the child's last predicate means; None where there is no model."""
    witness = parents[0].witness
    if not isinstance(witness, Model):
        return None
    name = child.predicates[-1].name
    return Model({**witness.interpretations, name: Interpretation(tuple(params), body)})


def _conjunct(parents: Parents, choice: ConjunctChoice) -> tuple[Clause, Term]:
    clause = item(parents[0].instance.clauses, choice.clause)
    return clause, item(clause.constraint, choice.conjunct)


def _with_predicate(parent: Instance, predicate: Predicate, number: int, clause: Clause) -> Instance:
    return parent.replace(predicates=(*parent.predicates, predicate), clauses=with_item(parent.clauses, number, clause))


class UnplugLhs(Transformation[ConjunctChoice]):
    """Replace a conjunct φj of one clause by a fresh predicate over the free variables of φj.

    With the fresh predicate interpreted as φj the clause is what it was, so M and that interpretation are a model.
    Nothing derives the fresh predicate: an unsat parent may become sat.
    """

    name = "unplug-lhs"
    section = "A"
    takes = frozenset((Truth.sat,))
    choice = ConjunctChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        clauses = parents[0].instance.clauses
        return [(n, m) for n, clause in enumerate(clauses) for m in range(len(clause.constraint))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> ConjunctChoice | None:
        return ConjunctChoice(*site)

    def apply(self, parents: Parents, choice: ConjunctChoice) -> Instance:
        clause, conjunct = _conjunct(parents, choice)
        variables = free_variables([conjunct])
        predicate = fresh_predicate(parents[0].instance, variables)
        body = (*clause.body, Atom(predicate.name, tuple(variables)))
        rest = without(clause.constraint, choice.conjunct)
        changed = make_clause(rest, body, clause.head, clause.variables)
        return _with_predicate(parents[0].instance, predicate, choice.clause, changed)

    def transport(self, parents: Parents, choice: ConjunctChoice, child: Instance) -> Witness | None:
        _, conjunct = _conjunct(parents, choice)
        return with_interpretation(parents, child, free_variables([conjunct]), conjunct)


class UnplugRhs(Transformation[ConjunctChoice]):
    """In a query remove a conjunct φj and derive fresh(free variables of φj) instead of false.

    The query says: the rest implies ¬φj. With the fresh predicate interpreted as ¬φj the new clause says the same,
    so M and that interpretation are a model. No query asks for the fresh predicate: an unsat parent may become sat.
    """

    name = "unplug-rhs"
    section = "A"
    takes = frozenset((Truth.sat,))
    choice = ConjunctChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        clauses = parents[0].instance.clauses
        return [(n, m) for n, clause in enumerate(clauses) if clause.is_query for m in range(len(clause.constraint))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> ConjunctChoice | None:
        return ConjunctChoice(*site)

    def apply(self, parents: Parents, choice: ConjunctChoice) -> Instance:
        clause, conjunct = _conjunct(parents, choice)
        if not clause.is_query:
            raise Inapplicable("the clause is no query")
        variables = free_variables([conjunct])
        predicate = fresh_predicate(parents[0].instance, variables)
        rest = without(clause.constraint, choice.conjunct)
        changed = make_clause(rest, clause.body, Atom(predicate.name, tuple(variables)), clause.variables)
        return _with_predicate(parents[0].instance, predicate, choice.clause, changed)

    def transport(self, parents: Parents, choice: ConjunctChoice, child: Instance) -> Witness | None:
        _, conjunct = _conjunct(parents, choice)
        return with_interpretation(parents, child, free_variables([conjunct]), negation(conjunct))
