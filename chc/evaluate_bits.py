"""What the operations on bit-vectors give. Each is its unsigned number; results are cut to the width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, and_, ge, gt, le, lt, mul, or_, xor
from typing import Final

from chc.evaluate_numbers import Operation, integers
from chc.terms import Term
from chc.values import Value

Binary = Callable[[int, int, int], int]
"""From the width and two numbers to a number."""


def signed(width: int, value: int) -> int:
    """The number in two's complement."""
    return value - (1 << width) if value >> (width - 1) else value


def unsigned_quotient(width: int, a: int, b: int) -> int:
    return a // b if b else (1 << width) - 1


def unsigned_remainder(width: int, a: int, b: int) -> int:
    return a % b if b else a


def signed_quotient(width: int, a: int, b: int) -> int:
    """Rounded towards zero; by zero, what the quotient of the magnitudes gives with the sign put back."""
    a, b = signed(width, a), signed(width, b)
    magnitude = unsigned_quotient(width, abs(a), abs(b))
    return -magnitude if (a < 0) != (b < 0) else magnitude


def signed_remainder(width: int, a: int, b: int) -> int:
    """The remainder with the sign of the dividend."""
    a, b = signed(width, a), signed(width, b)
    magnitude = unsigned_remainder(width, abs(a), abs(b))
    return -magnitude if a < 0 else magnitude


def signed_modulus(width: int, a: int, b: int) -> int:
    """The remainder with the sign of the divisor."""
    a, b = signed(width, a), signed(width, b)
    return a % b if b else a


def shift_left(width: int, a: int, b: int) -> int:
    return a << b if b < width else 0


def shift_right(width: int, a: int, b: int) -> int:
    return a >> min(b, width)


def shift_right_signed(width: int, a: int, b: int) -> int:
    return signed(width, a) >> min(b, width)


def rotate_left(width: int, value: int, by: int) -> int:
    by %= width
    return value << by | value >> (width - by)


_BINARY: Final[dict[str, Binary]] = {
    "bvsub": lambda width, a, b: a - b,
    "bvudiv": unsigned_quotient,
    "bvurem": unsigned_remainder,
    "bvsdiv": signed_quotient,
    "bvsrem": signed_remainder,
    "bvsmod": signed_modulus,
    "bvshl": shift_left,
    "bvlshr": shift_right,
    "bvashr": shift_right_signed,
    "bvnand": lambda width, a, b: ~(a & b),
    "bvnor": lambda width, a, b: ~(a | b),
    "bvxnor": lambda width, a, b: ~(a ^ b),
    "bvcomp": lambda width, a, b: int(a == b),
}
_FOLDED: Final[dict[str, Callable[[int, int], int]]] = {
    "bvand": and_,
    "bvor": or_,
    "bvxor": xor,
    "bvadd": add,
    "bvmul": mul,
}
_COMPARED: Final[dict[str, Callable[[int, int], bool]]] = {"lt": lt, "le": le, "gt": gt, "ge": ge}


def _width(term: Term) -> int:
    """The width of the first argument."""
    return term.args[0].sort.width


def _cut(term: Term, value: int) -> int:
    return value & ((1 << term.sort.width) - 1)


def _binary(operation: Binary) -> Operation:
    def run(term: Term, values: Sequence[Value]) -> int:
        a, b = integers(values)
        return _cut(term, operation(_width(term), a, b))

    return run


def _folded(step: Callable[[int, int], int]) -> Operation:
    def run(term: Term, values: Sequence[Value]) -> int:
        return reduce(lambda a, b: _cut(term, step(a, b)), integers(values))

    return run


def _unary(operation: Callable[[int, int], int]) -> Operation:
    """From the width and a number; the result is cut to the width of the term."""

    def run(term: Term, values: Sequence[Value]) -> int:
        (value,) = integers(values)
        return _cut(term, operation(_width(term), value))

    return run


def _indexed(operation: Callable[[int, int, int], int]) -> Operation:
    """From the width, a number and the first index; the result is cut to the width of the term."""

    def run(term: Term, values: Sequence[Value]) -> int:
        index = [param for param in term.params if isinstance(param, int)]
        (value,) = integers(values)
        return _cut(term, operation(_width(term), value, index[-1]))

    return run


def _unsigned_compare(compare: Callable[[int, int], bool]) -> Operation:
    def run(term: Term, values: Sequence[Value]) -> bool:
        a, b = integers(values)
        return compare(a, b)

    return run


def _signed_compare(compare: Callable[[int, int], bool]) -> Operation:
    def run(term: Term, values: Sequence[Value]) -> bool:
        a, b = integers(values)
        return compare(signed(_width(term), a), signed(_width(term), b))

    return run


def _concat(term: Term, values: Sequence[Value]) -> int:
    joined = 0
    for arg, value in zip(term.args, integers(values), strict=True):
        joined = joined << arg.sort.width | value
    return joined


def _repeat(width: int, value: int, times: int) -> int:
    """The number times 1…01…01, which is a quotient of two numbers of ones."""
    return value * (((1 << width * times) - 1) // ((1 << width) - 1))


OPERATIONS: Final[dict[str, Operation]] = {
    **{name: _binary(operation) for name, operation in _BINARY.items()},
    **{name: _folded(step) for name, step in _FOLDED.items()},
    **{f"bvu{name}": _unsigned_compare(compare) for name, compare in _COMPARED.items()},
    **{f"bvs{name}": _signed_compare(compare) for name, compare in _COMPARED.items()},
    "bvnot": _unary(lambda width, value: ~value),
    "bvneg": _unary(lambda width, value: -value),
    "concat": _concat,
    "extract": _indexed(lambda width, value, low: value >> low),
    "zero_extend": _unary(lambda width, value: value),
    "sign_extend": _unary(signed),
    "repeat": _indexed(_repeat),
    "rotate_left": _indexed(rotate_left),
    "rotate_right": _indexed(lambda width, value, by: rotate_left(width, value, -by)),
    "ubv_to_int": lambda term, values: integers(values)[0],
    "sbv_to_int": lambda term, values: signed(_width(term), integers(values)[0]),
    "int_to_bv": lambda term, values: _cut(term, integers(values)[0]),
}
