"""What every transformation has to keep, checked on tiny instances by brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from chc.build import apply, conjunction, disjunction
from chc.model import Interpretation, Model
from chc.script import read_instance
from chc.sorts import BOOL, bitvec
from chc.terms import Term, bits, quantifier, variable
from tests.transformations.brute_force import random_tiny_instance, solve, witness_holds
from transformations.known import Known
from transformations.transformation import Entry, Made, Parents


def complaints(entry: Entry, parents: Parents, made: Made) -> list[str]:
    """Everything that is wrong with what the entry made from these parents."""
    child = made.child
    promise = entry.promise(parents)
    found = []
    if read_instance(child.instance.text) != child.instance:
        found.append("does not read back")
    if promise is not None and solve(child.instance).truth is not promise:
        found.append(f"is not {promise}")
    if promise is not None and child.witness is None:
        found.append("has no witness")
    if child.witness is not None and not witness_holds(child):
        found.append("has a wrong witness")
    if child.witness is not None and child.truth is not promise:
        found.append("has a witness of something else")
    recorded = msgspec.json.decode(msgspec.json.encode(made.choice))
    again = entry.repeat(parents, recorded)
    if (again.child.instance.text, again.child.witness) != (child.instance.text, child.witness):
        found.append("is not made again by the recorded choice")
    return found


def tiny_parents(entry: Entry, rng: Random) -> list[Known]:
    """As many solved instances as the entry takes, of truths for which it promises something."""
    parents: list[Known] = []
    while len(parents) < entry.arity:
        known = solve(random_tiny_instance(rng))
        if known.truth in entry.takes:
            parents.append(with_quantifiers(known, rng) if rng.random() < 0.3 else known)
    return parents


def with_quantifiers(known: Known, rng: Random) -> Known:
    """The same with a model that says the same by quantifiers, whose variables are called like those of clauses."""
    if not isinstance(known.witness, Model):
        return known
    meanings = known.witness.interpretations
    return Known(known.instance, Model({name: _quantified(meaning, rng) for name, meaning in meanings.items()}))


def _quantified(meaning: Interpretation, rng: Random) -> Interpretation:
    bound = variable(rng.choice("xyp"), rng.choice((BOOL, bitvec(2))))
    if rng.random() < 0.5:
        body = quantifier("exists", (bound,), conjunction([_is_zero(bound), meaning.body]))
    else:
        body = quantifier("forall", (bound,), disjunction([apply("not", (_is_zero(bound),)), meaning.body]))
    return Interpretation(meaning.params, body)


def _is_zero(term: Term) -> Term:
    return apply("not", (term,)) if term.sort is BOOL else apply("=", (term, bits(0, 2)))


def applications(entry: Entry, seeds: Sequence[int]) -> Iterator[tuple[int, list[Known], Made]]:
    """What the entry makes of tiny parents, at a random site for each seed."""
    for seed in seeds:
        rng = Random(seed)
        parents = tiny_parents(entry, rng)
        sites = entry.sites(parents)
        made = entry.attempt(parents, rng.choice(sites), rng) if sites else None
        if made is not None:
            yield seed, parents, made


def faults(entry: Entry, count: int) -> list[tuple[int, list[str]]]:
    """The seeds with complaints, after at least half of them led to a child."""
    judged = [(seed, complaints(entry, parents, made)) for seed, parents, made in applications(entry, range(count))]
    assert len(judged) >= count // 2
    return [(seed, found) for seed, found in judged if found]
