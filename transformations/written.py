"""Parts of recorded choices: clauses and constraints as text, and numbers of things in an instance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from chc.instance import Clause, Instance
from chc.lexer import ReadError
from chc.printer import show_clause
from chc.script import read_instance
from chc.sorts import BOOL
from chc.terms import Term
from chc.vocabulary import read_term, symbols_without_predicates
from transformations.known import Inapplicable

T = TypeVar("T")


def item(things: Sequence[T], number: int) -> T:
    """The thing of this number, which a choice names."""
    if not 0 <= number < len(things):
        raise Inapplicable(f"number {number} of {len(things)}")
    return things[number]


def without(things: Sequence[T], number: int) -> tuple[T, ...]:
    """All but the thing of this number."""
    item(things, number)
    return (*things[:number], *things[number + 1 :])


def with_item(things: Sequence[T], number: int, new: T) -> tuple[T, ...]:
    """The things with another one at this number."""
    item(things, number)
    return (*things[:number], new, *things[number + 1 :])


def read_constraint(text: str, instance: Instance, variables: Sequence[Term]) -> Term:
    """The formula over these variables that a choice has recorded."""
    try:
        term = read_term(text, symbols_without_predicates(instance), variables)
    except ReadError as problem:
        raise Inapplicable(f"the constraint does not fit the clause: {problem}") from None
    if term.sort is not BOOL:
        raise Inapplicable("the constraint is no formula of the clause")
    return term


def write_clause(clause: Clause) -> str:
    """The clause as a choice records it."""
    return show_clause(clause)


def read_clause(text: str, instance: Instance) -> Clause:
    """The clause over the predicates of the instance that a choice has recorded."""
    declarations = instance.replace(clauses=()).text.removesuffix("(check-sat)\n")
    try:
        read = read_instance(f"{declarations}(assert {text})")
    except ReadError as problem:
        raise Inapplicable(f"the clause does not fit the instance: {problem}") from None
    if len(read.clauses) != 1 or read.predicates != instance.predicates:
        raise Inapplicable("the text is not one clause")
    return read.clauses[0]
