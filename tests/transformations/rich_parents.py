"""Tiny instances that brute force still solves, with nested connectives and quantifiers in their bodies."""

from __future__ import annotations

from math import prod
from random import Random

from chc.build import apply, conjunction, disjunction
from chc.instance import Clause, Instance, make_clause
from chc.sorts import BOOL, bitvec
from chc.terms import Term, quantifier, variable
from chc.values import cardinality
from tests.transformations.brute_force import random_tiny_instance
from transformations.random_terms import random_constraint

MOST_ASSIGNMENTS = 1 << 12


def random_rich_instance(rng: Random) -> Instance:
    """A tiny instance, most clauses of which have one more conjunct of some depth."""
    tiny = random_tiny_instance(rng)
    return tiny.replace(clauses=[_enriched(clause, rng) if rng.random() < 0.7 else clause for clause in tiny.clauses])


def _enriched(clause: Clause, rng: Random) -> Clause:
    return make_clause([*clause.constraint, _formula(clause, rng)], clause.body, clause.head, clause.variables)


def _formula(clause: Clause, rng: Random) -> Term:
    """A disjunction or a negated conjunction, so that it is neither flattened nor often false."""
    parts = [_part(clause, rng) for _ in range(rng.choice((2, 3, 3, 4)))]
    match rng.randrange(4):
        case 0:
            return apply("not", (conjunction(parts),))
        case 1:
            return disjunction([conjunction(parts[:2]), *parts[2:], _part(clause, rng)])
        case 2:
            return apply("=>", (conjunction(parts[1:]), disjunction([parts[0], _part(clause, rng)])))
        case _:
            return disjunction([apply("ite", (parts[0], parts[1], parts[-1])), _part(clause, rng)])


def _part(clause: Clause, rng: Random) -> Term:
    if rng.random() < 0.7:
        return random_constraint(clause.variables or (variable("b", BOOL),), (), rng, depth=2)
    bound = [variable(name, rng.choice((BOOL, bitvec(2)))) for name in ("m", "n")]
    body = random_constraint((*clause.variables, *bound), (), rng, depth=2)
    return quantifier(rng.choice(("exists", "forall")), tuple(bound), body)


def is_small(instance: Instance) -> bool:
    """Whether brute force can go through all assignments."""
    sizes = [[cardinality(var.sort) for var in clause.variables] for clause in instance.clauses]
    return all(
        prod(MOST_ASSIGNMENTS + 1 if size is None else size for size in clause) <= MOST_ASSIGNMENTS for clause in sizes
    )
