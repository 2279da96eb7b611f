"""Random clauses over the predicates of an instance."""

from __future__ import annotations

from random import Random

from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.sorts import BOOL, Sort
from chc.terms import Term, variable
from transformations.names import Names
from transformations.random_terms import RandomTerms


def random_clause(instance: Instance, rng: Random) -> Clause:
    """A well-formed clause: up to three atoms in its body, up to two conjuncts, any head."""
    predicates = [
        rng.choice(instance.predicates) for _ in range(rng.choice((0, 1, 1, 2, 3)) if instance.predicates else 0)
    ]
    head = rng.choice(instance.predicates) if instance.predicates and rng.random() < 0.8 else None
    variables = _variables(instance, [*predicates, *([] if head is None else [head])], rng)
    terms = RandomTerms(variables, instance.datatypes, rng, partial=True)
    body = [_atom(predicate, variables, terms, rng) for predicate in predicates]
    constraint = [terms.constraint() for _ in range(rng.choice((0, 1, 1, 2)))]
    return make_clause(constraint, body, None if head is None else _atom(head, variables, terms, rng), variables)


def _variables(instance: Instance, predicates: list[Predicate], rng: Random) -> list[Term]:
    """One to three variables of each sort that the predicates take."""
    sorts: list[Sort] = list(dict.fromkeys(sort for predicate in predicates for sort in predicate.sorts))
    names = Names(instance)
    return [variable(names.fresh("v"), sort) for sort in sorts or [BOOL] for _ in range(rng.choice((1, 2, 3)))]


def _atom(predicate: Predicate, variables: list[Term], terms: RandomTerms, rng: Random) -> Atom:
    return Atom(predicate.name, tuple(_argument(sort, variables, terms, rng) for sort in predicate.sorts))


def _argument(sort: Sort, variables: list[Term], terms: RandomTerms, rng: Random) -> Term:
    made = terms.term(sort, depth=2) if rng.random() < 0.3 else None
    return made or rng.choice([var for var in variables if var.sort is sort])
