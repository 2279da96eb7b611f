"""The value of a term under an assignment, as far as SMT-LIB determines one.

An open part does no harm where it does not matter: `(and false (= (div 1 0) 0))` is false. Nothing recurses:
each node is worked out by a generator that asks for the values it needs (see `chc.evaluate_lazily`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final

from chc import evaluate_bits, evaluate_numbers
from chc.evaluate_lazily import LAZY, Outcome, Scope, Steps, as_array
from chc.evaluate_numbers import numbers
from chc.sorts import BOOL, REAL, Sort
from chc.terms import Kind, Term, bound_variables, literal_value
from chc.undetermined import Undetermined
from chc.values import DataValue, Value, all_values, array_value, cardinality, element_at

MAXIMAL_DOMAIN: Final = 256
"""A quantified variable is tried with every value of its sort up to this many values."""
MAXIMAL_COMBINATIONS: Final = 4096
"""So many combinations are tried for one quantifier."""
MAXIMAL_TRIALS: Final = 1 << 14
"""And so many for all quantifiers of one evaluation, however they nest."""


def evaluate(term: Term, assignment: Mapping[Term, Value]) -> Value:
    """The value of the term where its free variables have these values; `Undetermined` where it has none."""
    outcome = _Evaluation().run(term, Scope(assignment))
    if isinstance(outcome, Undetermined):
        raise Undetermined(outcome.reason)
    return outcome


def value_of_ground(term: Term) -> Value:
    """The value of a term without free variables."""
    return evaluate(term, {})


class _Evaluation:
    """One evaluation: it counts how often quantified variables have been tried."""

    def __init__(self) -> None:
        self._trials = 0

    def run(self, root: Term, scope: Scope) -> Outcome:
        stack = [(root, scope, self._steps(root, scope))]
        answer: Outcome | None = None
        while stack:
            term, scope, steps = stack[-1]
            try:
                wanted, inner = next(steps) if answer is None else steps.send(answer)
            except StopIteration as finished:
                answer = scope.known[term] = finished.value
                stack.pop()
            else:
                answer = inner.known.get(wanted)
                if answer is None and wanted.args:
                    stack.append((wanted, inner, self._steps(wanted, inner)))
                elif answer is None:
                    answer = inner.known[wanted] = _attempt(wanted, (), inner)
        assert answer is not None
        return answer

    def _steps(self, term: Term, scope: Scope) -> Steps:
        if term.kind is Kind.QUANTIFIER:
            return self._quantifier(term, scope)
        if term.kind is Kind.BUILTIN and term.name in LAZY:
            return LAZY[term.name](term, scope)
        return _strict(term, scope)

    def _quantifier(self, term: Term, scope: Scope) -> Steps:
        """Every combination is tried. A variable of too large a sort has no value, which may not matter."""
        bound = bound_variables(term)
        listed = [var for var in bound if _is_small(var.sort)]
        if prod(cardinality(var.sort) or 1 for var in listed) > MAXIMAL_COMBINATIONS:
            listed = []
        outer = {var: value for var, value in scope.assignment.items() if var not in bound}
        decisive = term.name == "exists"
        unknown: Undetermined | None = None
        for values in product(*(all_values(var.sort) for var in listed)):
            self._trials += 1
            if self._trials > MAXIMAL_TRIALS:
                return Undetermined("quantifiers with too many combinations")
            outcome = yield term.args[0], Scope({**outer, **dict(zip(listed, values, strict=True))})
            if isinstance(outcome, Undetermined):
                unknown = outcome
            elif outcome is decisive:
                return decisive
        if unknown is not None and len(listed) < len(bound):
            return Undetermined("quantifier over an infinite or too large sort")
        return not decisive if unknown is None else unknown


def _is_small(sort: Sort) -> bool:
    size = cardinality(sort)
    return size is not None and size <= MAXIMAL_DOMAIN


def _strict(term: Term, scope: Scope) -> Steps:
    """A node whose value is open as soon as that of an argument is."""
    values: list[Value] = []
    for arg in term.args:
        outcome = scope.known.get(arg)
        if outcome is None:
            outcome = yield arg, scope
        if isinstance(outcome, Undetermined):
            return outcome
        values.append(outcome)
    return _attempt(term, values, scope)


def _attempt(term: Term, values: Sequence[Value], scope: Scope) -> Outcome:
    try:
        return _compute(term, values, scope)
    except Undetermined as failed:
        return Undetermined(failed.reason)


def _compute(term: Term, values: Sequence[Value], scope: Scope) -> Value:
    match term.kind:
        case Kind.LITERAL:
            return _of_sort(literal_value(term), term.sort)
        case Kind.VARIABLE:
            return _look_up(term, scope)
        case Kind.CONSTRUCTOR:
            return DataValue(term.name, tuple(values))
        case Kind.SELECTOR:
            return _field(term, _data(values[0]))
        case Kind.TESTER:
            return _data(values[0]).constructor == term.name
        case Kind.BUILTIN:
            return _OPERATIONS[term.name](term, values)
    raise Undetermined(f"`{term.name}` is an uninterpreted predicate")


def _of_sort(value: Value, sort: Sort) -> Value:
    """The number as the type that its sort calls for: equal literals are one term, whoever made it first."""
    if isinstance(value, int | Fraction):
        if sort is REAL:
            return Fraction(value)
        return bool(value) if sort is BOOL else int(value)
    return value


def _look_up(term: Term, scope: Scope) -> Value:
    if term not in scope.assignment:
        raise Undetermined(f"`{term.name}` has no value")
    return _of_sort(scope.assignment[term], term.sort)


def _data(value: Value) -> DataValue:
    if not isinstance(value, DataValue):
        raise TypeError("an assignment gives a value of another sort where one of a datatype is expected")
    return value


def _field(term: Term, value: DataValue) -> Value:
    constructor, position = term.params
    if value.constructor != constructor:
        raise Undetermined(f"`{term.name}` applied to `{value.constructor}`")
    assert isinstance(position, int)
    return value.args[position]


def _select(term: Term, values: Sequence[Value]) -> Value:
    element = element_at(as_array(values[0]), values[1])
    if element is None:
        raise Undetermined("select at an index that may or may not be stored")
    return element


_OPERATIONS: Final[dict[str, evaluate_numbers.Operation]] = {
    **evaluate_numbers.OPERATIONS,
    **evaluate_bits.OPERATIONS,
    "not": lambda term, values: not values[0],
    "xor": lambda term, values: sum(numbers(values)) % 2 == 1,
    "select": _select,
    "const": lambda term, values: array_value(term.sort, values[0], {}),
}
