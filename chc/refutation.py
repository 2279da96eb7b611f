"""Refutations: derivations of false, with the clause and the values of every step or with the facts alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from chc.instance import Atom, Clause, Instance
from chc.lexer import ReadError
from chc.printer import show_atom, show_term
from chc.sorts import show_sort
from chc.symbols import Symbols
from chc.terms import Term
from chc.vocabulary import read_atom, read_term, symbols_of, symbols_without_predicates


class Step(msgspec.Struct, frozen=True):
    """One clause of the instance applied once; a fact of None is false.

    `values` are ground terms for the variables of the clause, in their order; `premises` are the numbers of
    earlier steps, one for each atom in the body of the clause, in their order.
    """

    fact: Atom | None
    clause: int
    values: tuple[Term, ...]
    premises: tuple[int, ...]


class Refutation(msgspec.Struct, frozen=True):
    """A derivation of false, which is the fact of the last step. Nothing here says that it is a right one."""

    steps: tuple[Step, ...]


class DerivedFact(msgspec.Struct, frozen=True):
    """A fact that a solver claims to follow from earlier ones by some clause; None is false.

    The order of the premises need not be the order of the atoms in the clause.
    """

    fact: Atom | None
    premises: tuple[int, ...]


class Derivation(msgspec.Struct, frozen=True):
    """What solvers print: facts, each after its premises, the last one false."""

    facts: tuple[DerivedFact, ...]


class _Written(msgspec.Struct, frozen=True):
    """A step as stored, its terms as text."""

    fact: str | None
    clause: int
    values: tuple[str, ...]
    premises: tuple[int, ...]


class _WrittenRefutation(msgspec.Struct, frozen=True):
    steps: tuple[_Written, ...]


class _Words(NamedTuple):
    """What may be said in facts, and what in values."""

    facts: Symbols
    values: Symbols


def refutation_to_json(refutation: Refutation) -> dict[str, object]:
    """The refutation as plain data, the same for the same refutation."""
    return {
        "steps": [
            {
                "fact": None if step.fact is None else show_atom(step.fact),
                "clause": step.clause,
                "values": [show_term(value) for value in step.values],
                "premises": list(step.premises),
            }
            for step in refutation.steps
        ]
    }


def refutation_from_json(data: object, instance: Instance) -> Refutation:
    """The refutation that `refutation_to_json` wrote; `ReadError` where the data does not fit the instance."""
    try:
        stored = msgspec.convert(data, _WrittenRefutation, strict=True)
    except msgspec.ValidationError as problem:
        raise ReadError(f"the data is not a refutation: {problem}") from None
    words = _Words(symbols_of(instance), symbols_without_predicates(instance))
    steps = [_read_step(number, step, instance, words) for number, step in enumerate(stored.steps)]
    if not steps or steps[-1].fact is not None:
        raise ReadError("the last step of the refutation does not derive false")
    return Refutation(tuple(steps))


def _read_step(number: int, written: _Written, instance: Instance, words: _Words) -> Step:
    if not 0 <= written.clause < len(instance.clauses):
        raise ReadError(f"step {number} names clause {written.clause} of {len(instance.clauses)}")
    clause = instance.clauses[written.clause]
    fact = None if written.fact is None else read_atom(written.fact, words.facts)
    values = tuple(read_term(value, words.values) for value in written.values)
    reason = _misfit(number, clause, values, written.premises)
    if reason is not None:
        raise ReadError(f"step {number}, by clause {written.clause}, {reason}")
    return Step(fact, written.clause, values, written.premises)


def _misfit(number: int, clause: Clause, values: Sequence[Term], premises: Sequence[int]) -> str | None:
    """Why a step with these parts cannot be an application of the clause, in words."""
    if len(values) != len(clause.variables):
        return f"has {len(values)} values for {len(clause.variables)} variables"
    for var, value in zip(clause.variables, values, strict=True):
        if var.sort is not value.sort:
            return f"has a value of sort {show_sort(value.sort)} for `{var.name}` of sort {show_sort(var.sort)}"
    if len(premises) != len(clause.body):
        return f"has {len(premises)} premises for {len(clause.body)} atoms"
    if any(not 0 <= premise < number for premise in premises):
        return "has a premise that is no earlier step"
    return None
