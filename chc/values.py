"""Values that ground terms denote: immutable, hashable; the sort of a term tells how to read one.

A Boolean is a `bool`, an integer an `int`, a real a `Fraction`, a bit-vector its unsigned `int`. Values nest
as deep as terms do (a list of ten thousand cells is one), so hashes are kept and nothing here recurses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import Final

import msgspec

from chc.sorts import BOOL, INT, REAL, Sort, is_array, is_bitvec


class Element(msgspec.Struct, frozen=True):
    """An element of an uninterpreted sort; elements of different names are different."""

    name: str


class DataValue:
    """A constructor applied to values."""

    __slots__ = ("_hash", "args", "constructor", "is_open")

    constructor: str
    args: tuple[Value, ...]
    is_open: bool
    """Whether a part of it is an array that may equal one that is written differently."""

    def __init__(self, constructor: str, args: tuple[Value, ...] = ()) -> None:
        self.constructor = constructor
        self.args = args
        self.is_open = any(is_open(arg) for arg in args)
        self._hash = hash((constructor, args))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataValue):
            return NotImplemented
        return _written_alike(self, other)

    def __repr__(self) -> str:
        return f"<value {show_value(self, limit=200)}>"


class ArrayValue:
    """An array: `exceptions` where it has been stored to, `default` elsewhere. Made by `array_value`."""

    __slots__ = ("_hash", "default", "exceptions", "is_open", "sort")

    sort: Sort
    default: Value
    exceptions: Mapping[Value, Value]
    is_open: bool
    """Whether it may equal an array that is written differently, as the number of indices is unknown."""

    def __init__(self, sort: Sort, default: Value, exceptions: dict[Value, Value]) -> None:
        self.sort = sort
        self.default = default
        self.exceptions = MappingProxyType(exceptions)
        self.is_open = (
            cardinality(sort.args[0]) is None or is_open(default) or any(is_open(part) for part in exceptions.values())
        )
        self._hash = hash((sort, default, frozenset(exceptions.items())))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArrayValue):
            return NotImplemented
        return _written_alike(self, other)

    def __repr__(self) -> str:
        return f"<value {show_value(self, limit=200)}>"


Value = bool | int | Fraction | ArrayValue | DataValue | Element


def is_open(value: Value) -> bool:
    """Whether a value that is written differently may still be the same one."""
    return isinstance(value, DataValue | ArrayValue) and value.is_open


INFINITE: Final = 1 << 64
"""The size of an infinite sort, and of any with more values than somebody could list."""


def cardinality(sort: Sort) -> int | None:
    """How many values the sort has; None where only the declarations of an instance would tell."""
    if sort is BOOL:
        return 2
    if is_bitvec(sort):
        return 1 << min(sort.width, 64)
    if sort is INT or sort is REAL:
        return INFINITE
    if not is_array(sort):
        return None
    indices, elements = cardinality(sort.args[0]), cardinality(sort.args[1])
    if indices is None or elements is None:
        return None
    return INFINITE if indices >= 64 or elements == INFINITE else min(elements**indices, INFINITE)


def all_values(sort: Sort) -> Iterator[Value]:
    """Every value of a sort of known finite size, in a fixed order."""
    if sort is BOOL:
        yield from (False, True)
    elif is_bitvec(sort):
        yield from range(1 << sort.width)
    else:
        indices, elements = (list(all_values(part)) for part in sort.args)
        for row in product(elements, repeat=len(indices)):
            yield array_value(sort, row[0], dict(zip(indices, row, strict=True)))


def array_value(sort: Sort, default: Value, exceptions: Mapping[Value, Value]) -> ArrayValue:
    """The array of this sort, written in the one way that equal arrays share.

    The default is the most frequent element. Only over a finite index sort can that be another than the one
    given, and only when half of the indices are stored; then all are listed.
    """
    kept = {index: element for index, element in exceptions.items() if element != default}
    size = cardinality(sort.args[0])
    if size is None or 2 * len(kept) < size:
        return ArrayValue(sort, default, kept)
    table = {index: kept.get(index, default) for index in all_values(sort.args[0])}
    counts = Counter(table.values())
    common = max(counts, key=counts.__getitem__)
    return ArrayValue(sort, common, {index: element for index, element in table.items() if element != common})


Pair = tuple[Value, Value]


def _written_alike(left: Value, right: Value) -> bool:
    stack: list[Pair] = [(left, right)]
    seen: set[tuple[int, int]] = set()
    while stack:
        a, b = stack.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if isinstance(a, DataValue) and isinstance(b, DataValue):
            if a._hash != b._hash or a.constructor != b.constructor or len(a.args) != len(b.args):
                return False
            seen.add((id(a), id(b)))
            stack.extend(zip(a.args, b.args, strict=True))
        elif isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
            if a._hash != b._hash or a.sort is not b.sort or a.exceptions.keys() != b.exceptions.keys():
                return False
            seen.add((id(a), id(b)))
            stack.append((a.default, b.default))
            stack.extend((element, b.exceptions[index]) for index, element in a.exceptions.items())
        elif isinstance(a, DataValue | ArrayValue) or isinstance(b, DataValue | ArrayValue) or a != b:
            return False
    return True


def surely_differ(left: Value, right: Value) -> bool:
    """Whether two values of one sort are different, however many elements the sorts of unknown size have."""
    stack: list[Pair] = [(left, right)]
    seen: set[Pair] = set()
    while stack:
        a, b = pair = stack.pop()
        if a == b or pair in seen:
            continue
        seen.add(pair)
        if not is_open(a) and not is_open(b):
            return True
        if isinstance(a, DataValue) and isinstance(b, DataValue):
            if a.constructor != b.constructor:
                return True
            stack.extend(zip(a.args, b.args, strict=True))
        elif isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
            stack.extend(_elements_to_compare(a, b))
    return False


def _elements_to_compare(a: ArrayValue, b: ArrayValue) -> Iterator[Pair]:
    """Pairs of elements that the two arrays surely have at the same index."""
    indices = a.exceptions.keys() | b.exceptions.keys()
    for index in indices:
        one, other = element_at(a, index), element_at(b, index)
        if one is not None and other is not None:
            yield one, other
    size = cardinality(a.sort.args[0])
    if size is not None and len(indices) < size:
        yield a.default, b.default


def element_at(array: ArrayValue, index: Value) -> Value | None:
    """The element at the index; None where a stored index may or may not be this one."""
    if index in array.exceptions:
        return array.exceptions[index]
    if cardinality(array.sort.args[0]) is None:
        if any(not surely_differ(index, stored) for stored in array.exceptions):
            return None
    return array.default


def sort_key(value: Value) -> tuple[Fraction | int, str]:
    """A key that orders values of one sort, the same in each run."""
    return (value, "") if isinstance(value, int | Fraction) else (0, show_value(value))


def show_value(value: Value, limit: int = 0) -> str:
    """The value for a reader, such as `(cons 1 nil)` or `[0, 3: 7]`; cut off after `limit` pieces."""
    pieces: list[str] = []
    stack: list[Value | str] = [value]
    while stack:
        if limit and len(pieces) > limit:
            pieces.append("…")
            break
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
        elif isinstance(item, DataValue | ArrayValue):
            stack.extend(reversed(_pieces(item)))
        elif isinstance(item, Element):
            pieces.append(item.name)
        else:
            pieces.append(_show_number(item))
    return "".join(pieces)


def _pieces(value: DataValue | ArrayValue) -> list[Value | str]:
    if isinstance(value, DataValue):
        if not value.args:
            return [value.constructor]
        return ["(", value.constructor, *(part for arg in value.args for part in (" ", arg)), ")"]
    stored = sorted(value.exceptions.items(), key=lambda item: sort_key(item[0]))
    return ["[", value.default, *(p for index, element in stored for p in (", ", index, ": ", element)), "]"]


def _show_number(value: bool | int | Fraction) -> str:
    """The number; in hexadecimal where it has thousands of digits: Python refuses decimals then."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if value.bit_length() < 4096 else hex(value)
    return f"{_show_number(value.numerator)}/{_show_number(value.denominator)}"
