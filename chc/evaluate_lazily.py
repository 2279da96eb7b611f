"""Nodes that may have a value although an argument has none, or that should not ask for all their arguments.

Each is a generator: it yields a term and the scope to look at it in, is sent the outcome, returns its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from itertools import pairwise
from typing import Final

from chc import evaluate_numbers
from chc.evaluate_numbers import Number, numbers
from chc.terms import Kind, Term
from chc.undetermined import Undetermined
from chc.values import ArrayValue, Value, array_value, is_open, surely_differ

Outcome = Value | Undetermined


class Scope:
    """An assignment, and what is already known under it."""

    __slots__ = ("assignment", "known")

    def __init__(self, assignment: Mapping[Term, Value]) -> None:
        self.assignment = assignment
        self.known: dict[Term, Outcome] = {}


Steps = Generator[tuple[Term, Scope], Outcome, Outcome]
Node = Callable[[Term, Scope], Steps]
Relation = Callable[[Value, Value], bool]

UNKNOWN_SIZE: Final = "equality of arrays over a sort of unknown size"


def as_array(value: Value) -> ArrayValue:
    """The value, which must be an array."""
    if not isinstance(value, ArrayValue):
        raise TypeError("an assignment gives a value of another sort where an array is expected")
    return value


def _connective(neutral: bool) -> Node:
    """`and` with neutral element true, `or` with false: the other one decides."""

    def steps(term: Term, scope: Scope) -> Steps:
        unknown: Undetermined | None = None
        for arg in term.args:
            outcome = yield arg, scope
            if isinstance(outcome, Undetermined):
                unknown = outcome
            elif outcome is not neutral:
                return outcome
        return neutral if unknown is None else unknown

    return steps


def _implication(term: Term, scope: Scope) -> Steps:
    """False iff all premises are true and the conclusion is false; `=>` associates to the right."""
    unknown: Undetermined | None = None
    last = len(term.args) - 1
    for position, arg in enumerate(term.args):
        outcome = yield arg, scope
        if isinstance(outcome, Undetermined):
            unknown = outcome
        elif outcome is (position == last):
            return True
    return False if unknown is None else unknown


def _ite(term: Term, scope: Scope) -> Steps:
    """The chosen branch; where the condition is open, the value that both branches have."""
    condition, *branches = term.args
    outcome = yield condition, scope
    if not isinstance(outcome, Undetermined):
        return (yield branches[0 if outcome else 1], scope)
    then = yield branches[0], scope
    if isinstance(then, Undetermined):
        return outcome
    other = yield branches[1], scope
    return then if not isinstance(other, Undetermined) and then == other else outcome


def _chain(holds: Relation) -> Node:
    """A relation between neighbours, such as `(< 1 2 3)`: one pair that fails decides."""

    def steps(term: Term, scope: Scope) -> Steps:
        outcomes: list[Outcome] = []
        unknown: Undetermined | None = None
        for arg in term.args:
            outcomes.append((yield arg, scope))
        for left, right in pairwise(outcomes):
            verdict = _verdict(holds, left, right)
            if verdict is False:
                return False
            if isinstance(verdict, Undetermined):
                unknown = verdict
        return True if unknown is None else unknown

    return steps


def _verdict(holds: Relation, left: Outcome, right: Outcome) -> bool | Undetermined:
    if isinstance(left, Undetermined):
        return left
    if isinstance(right, Undetermined):
        return right
    try:
        return holds(left, right)
    except Undetermined as failed:
        return Undetermined(failed.reason)


def _same(left: Value, right: Value) -> bool:
    if left == right:
        return True
    if not surely_differ(left, right):
        raise Undetermined(UNKNOWN_SIZE)
    return False


def _distinct(term: Term, scope: Scope) -> Steps:
    """One pair of equal arguments decides."""
    unknown: Undetermined | None = None
    values: dict[Value, None] = {}
    for arg in term.args:
        outcome = yield arg, scope
        if isinstance(outcome, Undetermined):
            unknown = outcome
        elif outcome in values:
            return False
        else:
            if is_open(outcome) and not all(surely_differ(outcome, other) for other in values):
                unknown = Undetermined(UNKNOWN_SIZE)
            values[outcome] = None
    return True if unknown is None else unknown


def _comparison(compare: Callable[[Number, Number], bool]) -> Node:
    def holds(left: Value, right: Value) -> bool:
        a, b = numbers((left, right))
        return compare(a, b)

    return _chain(holds)


def _store(term: Term, scope: Scope) -> Steps:
    """A chain of stores is taken as one, so that a long one does not copy the array at each link."""
    links: list[Term] = []
    target = term
    while target.kind is Kind.BUILTIN and target.name == "store" and target not in scope.known:
        links.append(target)
        target = target.args[0]
    outcome = yield target, scope
    if isinstance(outcome, Undetermined):
        return outcome
    base = as_array(outcome)
    stored = dict(base.exceptions)
    for link in reversed(links):
        index = yield link.args[1], scope
        element = yield link.args[2], scope
        if isinstance(index, Undetermined) or isinstance(element, Undetermined):
            return index if isinstance(index, Undetermined) else element
        if is_open(index) and not all(old == index or surely_differ(old, index) for old in stored):
            return Undetermined("store at an index that may or may not be stored already")
        stored[index] = element
    return array_value(term.sort, base.default, stored)


LAZY: Final[dict[str, Node]] = {
    "and": _connective(True),
    "or": _connective(False),
    "=>": _implication,
    "ite": _ite,
    "=": _chain(_same),
    "distinct": _distinct,
    "store": _store,
    **{name: _comparison(compare) for name, compare in evaluate_numbers.COMPARISONS.items()},
}
