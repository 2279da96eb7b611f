"""What the operations on integers and reals give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from math import floor
from operator import ge, gt, le, lt
from typing import Final

from chc.sorts import REAL
from chc.terms import Term
from chc.undetermined import Undetermined
from chc.values import Value

Number = int | Fraction
Operation = Callable[[Term, Sequence[Value]], Value]

MAXIMAL_BITS: Final = 1 << 13
"""Larger numbers are not computed: squaring forty times over would fill the memory, and no text could hold them."""


def numbers(values: Sequence[Value]) -> list[Number]:
    """The values, which must be numbers."""
    found = [value for value in values if isinstance(value, int | Fraction)]
    if len(found) != len(values):
        raise TypeError("an assignment gives a value of another sort where a number is expected")
    return found


def integers(values: Sequence[Value]) -> list[int]:
    """The values, which must be integers or bit-vectors."""
    found = [value for value in values if isinstance(value, int)]
    if len(found) != len(values):
        raise TypeError("an assignment gives a value of another sort where an integer is expected")
    return found


def euclidean_quotient(a: int, b: int) -> int:
    """The `div` of SMT-LIB: the remainder is never negative."""
    if b == 0:
        raise Undetermined("division by zero")
    return a // b if b > 0 else -(a // -b)


def euclidean_remainder(a: int, b: int) -> int:
    if b == 0:
        raise Undetermined("remainder of a division by zero")
    return a % abs(b)


def _length(number: Number) -> int:
    return number.numerator.bit_length() + number.denominator.bit_length()


def _times(a: Number, b: Number) -> Number:
    if _length(a) + _length(b) > MAXIMAL_BITS:
        raise Undetermined("a number too large to compute")
    return a * b


def _over(a: Number, b: Number) -> Number:
    if b == 0:
        raise Undetermined("division by zero")
    return _times(a, 1 / Fraction(b))


def _plus(a: Number, b: Number) -> Number:
    if _length(a) + _length(b) > MAXIMAL_BITS:
        raise Undetermined("a number too large to compute")
    return a + b


def _minus(term: Term, values: Sequence[Value]) -> Value:
    found = numbers(values)
    if len(found) == 1:
        return -found[0]
    return reduce(_plus, (-number for number in found[1:]), found[0])


def _fold(step: Callable[[Number, Number], Number]) -> Operation:
    return lambda term, values: reduce(step, numbers(values))


def _fold_integers(step: Callable[[int, int], int]) -> Operation:
    return lambda term, values: reduce(step, integers(values))


def _sorted_number(operation: Operation) -> Operation:
    """The same, with the result a `Fraction` where the term is a real."""

    def run(term: Term, values: Sequence[Value]) -> Value:
        result = operation(term, values)
        return Fraction(result) if term.sort is REAL and isinstance(result, int) else result

    return run


OPERATIONS: Final[dict[str, Operation]] = {
    "+": _sorted_number(_fold(_plus)),
    "-": _sorted_number(_minus),
    "*": _sorted_number(_fold(_times)),
    "/": _sorted_number(_fold(_over)),
    "abs": lambda term, values: abs(integers(values)[0]),
    "div": _fold_integers(euclidean_quotient),
    "mod": _fold_integers(euclidean_remainder),
    "to_real": lambda term, values: Fraction(numbers(values)[0]),
    "to_int": lambda term, values: floor(numbers(values)[0]),
    "is_int": lambda term, values: numbers(values)[0].denominator == 1,
}

COMPARISONS: Final[dict[str, Callable[[Number, Number], bool]]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
