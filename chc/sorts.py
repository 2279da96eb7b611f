"""Sorts, and the datatypes that declare some of them. Sorts are interned: equal means identical."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec


class Sort:
    """A sort such as `Int`, `(_ BitVec 8)`, `(Array Int Bool)` or `(List Int)`."""

    __slots__ = ("args", "name", "size", "width")

    name: str
    args: tuple[Sort, ...]
    width: int
    size: int
    """How many sorts it is written with; a sort that shares its arguments may be exponentially large."""

    def __repr__(self) -> str:
        return f"<sort {show_sort(self)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return make_sort, (self.name, self.args, self.width)


_sorts: dict[tuple[str, tuple[Sort, ...], int], Sort] = {}


def make_sort(name: str, args: tuple[Sort, ...] = (), width: int = 0) -> Sort:
    """The one sort with this name, these arguments and (for bit-vectors) this width."""
    key = (name, args, width)
    sort = _sorts.get(key)
    if sort is None:
        fresh = Sort()
        fresh.name, fresh.args, fresh.width = key
        fresh.size = 1 + sum(arg.size for arg in args)
        sort = _sorts.setdefault(key, fresh)
    return sort


BOOL: Final = make_sort("Bool")
INT: Final = make_sort("Int")
REAL: Final = make_sort("Real")
NUMERIC: Final = frozenset((INT, REAL))
BUILTIN_SORT_NAMES: Final = frozenset(("Bool", "Int", "Real", "BitVec", "Array"))


def bitvec(width: int) -> Sort:
    return make_sort("BitVec", (), width)


def array(index: Sort, element: Sort) -> Sort:
    return make_sort("Array", (index, element))


def is_bitvec(sort: Sort) -> bool:
    return sort.name == "BitVec" and sort.width > 0


def is_array(sort: Sort) -> bool:
    return sort.name == "Array" and len(sort.args) == 2


def is_builtin(sort: Sort) -> bool:
    return sort.name in BUILTIN_SORT_NAMES


def show_sort(sort: Sort) -> str:
    """The sort in SMT-LIB syntax."""
    if is_bitvec(sort):
        return f"(_ BitVec {sort.width})"
    name = quote_symbol(sort.name)
    if not sort.args:
        return name
    return f"({name} {' '.join(show_sort(arg) for arg in sort.args)})"


def sorts_within(sort: Sort) -> Iterator[Sort]:
    """The sort and every sort among its arguments, at any depth."""
    pending = [sort]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(current.args)


def substitute_sorts(sort: Sort, binding: Mapping[Sort, Sort]) -> Sort:
    """The sort with parameters replaced: `(List T)` under `T := Int` is `(List Int)`."""
    if sort in binding:
        return binding[sort]
    if not sort.args:
        return sort
    return make_sort(sort.name, tuple(substitute_sorts(arg, binding) for arg in sort.args), sort.width)


_SIMPLE_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$%^&*_-+=<>.?/")
RESERVED_WORDS: Final = frozenset(
    (
        "_",
        "!",
        "as",
        "let",
        "exists",
        "forall",
        "match",
        "par",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
        "STRING",
    )
)


def quote_symbol(name: str) -> str:
    """The symbol as SMT-LIB wants it, in bars where it needs them."""
    simple = name != "" and not name[0].isdigit() and name not in RESERVED_WORDS and _SIMPLE_CHARACTERS.issuperset(name)
    return name if simple else f"|{name}|"


class Selector(msgspec.Struct, frozen=True):
    """A field of a constructor."""

    name: str
    sort: Sort


class Constructor(msgspec.Struct, frozen=True):
    """One way to build a value of a datatype."""

    name: str
    selectors: tuple[Selector, ...]


class Datatype(msgspec.Struct, frozen=True):
    """A datatype as declared; `parameters` are the sort parameters of a parametric one."""

    name: str
    parameters: tuple[Sort, ...]
    constructors: tuple[Constructor, ...]

    def instantiate(self, sort: Sort) -> tuple[Constructor, ...]:
        """The constructors with the parameters replaced by the arguments of `sort`."""
        if not self.parameters:
            return self.constructors
        binding = dict(zip(self.parameters, sort.args, strict=True))
        return tuple(
            Constructor(c.name, tuple(Selector(s.name, substitute_sorts(s.sort, binding)) for s in c.selectors))
            for c in self.constructors
        )


class DatatypeGroup(msgspec.Struct, frozen=True):
    """Datatypes declared together, because they may mention one another."""

    datatypes: tuple[Datatype, ...]
