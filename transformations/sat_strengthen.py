"""Sat to sat: less follows than before, because a body asks for more or a clause is gone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from chc.build import apply as apply_operation
from chc.instance import Clause, Instance, make_clause
from chc.printer import show_term
from chc.terms import FALSE, FreeVariables, Term, free_variables, substitute, subterms
from chc.witness import Truth, Witness
from transformations.known import Inapplicable
from transformations.random_terms import RandomTerms
from transformations.sat_plug import same_model
from transformations.settle import settled
from transformations.transformation import Parents, Site, Transformation
from transformations.written import item, read_constraint, with_item


class ConstraintChoice(msgspec.Struct, frozen=True):
    """A clause, and a formula over its variables as text."""

    clause: int
    constraint: str


class AddConstraintLhs(Transformation[ConstraintChoice]):
    """Conjoin any well-sorted constraint over the clause's variables to its body.

    A clause with a stronger body is implied by the clause as it was, whatever the constraint says; so each model of
    the parent is one of the child. In an unsat parent the added constraint may break the refutation.
    """

    name = "add-constraint-lhs"
    section = "A"
    takes = frozenset((Truth.sat,))
    choice = ConstraintChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        return [(n,) for n in range(len(parents[0].instance.clauses))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> ConstraintChoice | None:
        parent = parents[0].instance
        constraint = _random_constraint(parent, parent.clauses[site[0]], rng)
        return None if constraint is None else ConstraintChoice(site[0], show_term(constraint))

    def apply(self, parents: Parents, choice: ConstraintChoice) -> Instance:
        parent = parents[0].instance
        clause = item(parent.clauses, choice.clause)
        more = read_constraint(choice.constraint, parent, clause.variables)
        stronger = make_clause([*clause.constraint, more], clause.body, clause.head, clause.variables)
        return parent.replace(clauses=with_item(parent.clauses, choice.clause, settled(stronger, parent)))

    def transport(self, parents: Parents, choice: ConstraintChoice, child: Instance) -> Witness | None:
        return same_model(parents)


def _random_constraint(parent: Instance, clause: Clause, rng: Random) -> Term | None:
    """False, a formula of the theories, two terms of the clause compared, or what another clause says."""
    terms = RandomTerms(clause.variables, parent.datatypes, rng, partial=True)
    match rng.randrange(10):
        case 0:
            return FALSE
        case 1 | 2 | 3:
            return _borrowed(parent, terms, rng)
        case 4 | 5:
            return _compared(clause, rng)
        case _:
            return terms.constraint()


def _borrowed(parent: Instance, terms: RandomTerms, rng: Random) -> Term | None:
    """A conjunct of some clause, with terms over this one's variables in place of that one's."""
    conjuncts = [part for clause in parent.clauses for part in clause.constraint]
    if not conjuncts:
        return None
    conjunct = rng.choice(conjuncts)
    binding: dict[Term, Term] = {}
    for var in free_variables([conjunct]):
        found = terms.term(var.sort, depth=rng.choice((0, 0, 1)))
        if found is None:
            return None
        binding[var] = found
    return substitute([conjunct], binding)[0]


def _compared(clause: Clause, rng: Random) -> Term | None:
    """An equation or its contrary between two terms of the clause that have one sort."""
    free, mine = FreeVariables(), set(clause.variables)
    terms = [term for term in subterms(clause.terms) if free(term) <= mine]
    if not terms:
        return None
    left = rng.choice(terms)
    others = [term for term in terms if term.sort is left.sort and term is not left]
    return apply_operation(rng.choice(("=", "distinct")), (left, rng.choice(others))) if others else None


class KeptChoice(msgspec.Struct, frozen=True):
    """The clauses that are kept, in the order of the child."""

    kept: tuple[int, ...]


class DropClause(Transformation[KeptChoice]):
    """Keep a subset of the clauses, in any order.

    A model of all clauses is one of some of them, and their order means nothing. Without one of its clauses an
    unsat parent may become sat.
    """

    name = "drop-clause"
    section = "A"
    takes = frozenset((Truth.sat,))
    choice = KeptChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        """One for each clause that may go first; the last one of all stays."""
        count = len(parents[0].instance.clauses)
        return [(n,) for n in range(count)] if count > 1 else ()

    def draw(self, parents: Parents, site: Site, rng: Random) -> KeptChoice | None:
        kept = [n for n in range(len(parents[0].instance.clauses)) if n != site[0]]
        while len(kept) > 1 and rng.random() < 0.3:
            kept.pop(rng.randrange(len(kept)))
        if rng.random() < 0.3:
            rng.shuffle(kept)
        return KeptChoice(tuple(kept))

    def apply(self, parents: Parents, choice: KeptChoice) -> Instance:
        if len(set(choice.kept)) < len(choice.kept):
            raise Inapplicable("a clause is kept twice")
        parent = parents[0].instance
        return parent.replace(clauses=[item(parent.clauses, n) for n in choice.kept])

    def transport(self, parents: Parents, choice: KeptChoice, child: Instance) -> Witness | None:
        return same_model(parents)
