"""Sat to sat: atoms replaced by what the model says of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from chc.build import negation
from chc.instance import Instance, make_clause
from chc.model import Model
from chc.witness import Truth, Witness
from transformations.known import Inapplicable
from transformations.settle import settled
from transformations.transformation import Parents, Site, Transformation
from transformations.written import item, with_item, without


class AtomChoice(msgspec.Struct, frozen=True):
    """An atom in the body of a clause."""

    clause: int
    atom: int


class ClauseChoice(msgspec.Struct, frozen=True):
    """A clause."""

    clause: int


def parent_model(parents: Parents) -> Model:
    """The model that a transformation wants to put into the clauses."""
    witness = parents[0].witness
    if not isinstance(witness, Model):
        raise Inapplicable("there is no model to plug")
    return witness


def same_model(parents: Parents) -> Witness | None:
    """The parent's model, where it is also one of the child."""
    witness = parents[0].witness
    return witness if isinstance(witness, Model) else None


class PlugModelLhs(Transformation[AtomChoice]):
    """In one clause replace a body atom p(X) by M(p)(X).

    Under M the atom and the formula are the same, so the clause holds under M as before, and M stays a model. The
    child is no longer recursive there: the solver gets an invariant for nothing and must not fall over it.
    """

    name = "plug-model-lhs"
    section = "A"
    takes = frozenset((Truth.sat,))
    needs_witness = True
    choice = AtomChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        if not isinstance(parents[0].witness, Model):
            return ()
        return [(n, m) for n, clause in enumerate(parents[0].instance.clauses) for m in range(len(clause.body))]

    def draw(self, parents: Parents, site: Site, rng: Random) -> AtomChoice | None:
        return AtomChoice(*site)

    def apply(self, parents: Parents, choice: AtomChoice) -> Instance:
        parent, model = parents[0].instance, parent_model(parents)
        clause = item(parent.clauses, choice.clause)
        formula = model.holds(item(clause.body, choice.atom))
        body = without(clause.body, choice.atom)
        plugged = make_clause([*clause.constraint, formula], body, clause.head, clause.variables)
        return parent.replace(clauses=with_item(parent.clauses, choice.clause, settled(plugged, parent)))

    def transport(self, parents: Parents, choice: AtomChoice, child: Instance) -> Witness | None:
        return same_model(parents)


class PlugModelRhs(Transformation[ClauseChoice]):
    """Replace the head h(X) of a clause by false and add ¬M(h)(X) to its body.

    Under M the clause φ → h(X) says φ → M(h)(X), which is φ ∧ ¬M(h)(X) → false: M stays a model. What the clause
    derived is no longer derived, but must not lie outside of the model.
    """

    name = "plug-model-rhs"
    section = "A"
    takes = frozenset((Truth.sat,))
    needs_witness = True
    choice = ClauseChoice

    def sites(self, parents: Parents) -> Sequence[Site]:
        if not isinstance(parents[0].witness, Model):
            return ()
        return [(n,) for n, clause in enumerate(parents[0].instance.clauses) if clause.head is not None]

    def draw(self, parents: Parents, site: Site, rng: Random) -> ClauseChoice | None:
        return ClauseChoice(*site)

    def apply(self, parents: Parents, choice: ClauseChoice) -> Instance:
        parent, model = parents[0].instance, parent_model(parents)
        clause = item(parent.clauses, choice.clause)
        if clause.head is None:
            raise Inapplicable("the clause is a query already")
        formula = negation(model.holds(clause.head))
        plugged = make_clause([*clause.constraint, formula], clause.body, None, clause.variables)
        return parent.replace(clauses=with_item(parent.clauses, choice.clause, settled(plugged, parent)))

    def transport(self, parents: Parents, choice: ClauseChoice, child: Instance) -> Witness | None:
        return same_model(parents)
