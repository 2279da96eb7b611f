"""How large a value of a datatype is, said by its constructors alone."""

from __future__ import annotations

from typing import Final

from backends.unreadable import Unreadable
from chc.build import conjunction, disjunction, negation
from chc.sorts import Sort
from chc.symbols import Symbols
from chc.terms import FALSE, Term

LARGEST: Final = 8
"""Sizes are compared with numbers up to this one; the formulas grow quickly with it."""
_MOST_PARTS: Final = 2000


class Sizes:
    """A size counts the constructor of a value and those of its fields, as far as they are of the same group."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._at_most: dict[tuple[Term, int], Term] = {}

    def compare(self, relation: str, value: Term, bound: int) -> Term:
        """The size of the value against a number; `Unreadable` where that would be too long to say."""
        match relation:
            case "<=":
                return self._up_to(value, bound)
            case "<":
                return self._up_to(value, bound - 1)
            case ">=":
                return negation(self._up_to(value, bound - 1))
            case ">":
                return negation(self._up_to(value, bound))
            case _:
                return self._exactly(value, bound)

    def _exactly(self, value: Term, size: int) -> Term:
        return conjunction([self._up_to(value, size), negation(self._up_to(value, size - 1))])

    def _up_to(self, value: Term, size: int) -> Term:
        if size > LARGEST or len(self._at_most) > _MOST_PARTS:
            raise Unreadable(f"the model speaks of sizes of datatypes up to {size}, which would be too long to say")
        if size <= 0:
            return FALSE
        key = value, size
        if key not in self._at_most:
            self._at_most[key] = disjunction(self._cases(value, size))
        return self._at_most[key]

    def _cases(self, value: Term, size: int) -> list[Term]:
        """One for each constructor that leaves room for its fields."""
        datatype = self._symbols.datatypes[value.sort.name]
        cases = []
        for constructor in datatype.instantiate(value.sort):
            fields = [
                self._symbols.apply(selector.name, (value,))
                for selector in constructor.selectors
                if self._counts(value.sort, selector.sort)
            ]
            if len(fields) < size:
                is_so = self._symbols.test(constructor.name, (value,))
                cases.append(conjunction([is_so, *self._together(fields, size - 1)]))
        return cases

    def _together(self, fields: list[Term], size: int) -> list[Term]:
        """What says that these fields have no more than this size in all."""
        if not fields:
            return []
        first, rest = fields[0], fields[1:]
        if not rest:
            return [self._up_to(first, size)]
        ways = range(1, size - len(rest) + 1)
        return [
            disjunction(
                [conjunction([self._exactly(first, part), *self._together(rest, size - part)]) for part in ways]
            )
        ]

    def _counts(self, outer: Sort, field: Sort) -> bool:
        """Whether both were declared together."""
        names = [{datatype.name for datatype in group.datatypes} for group in self._symbols.groups]
        return any(outer.name in group and field.name in group for group in names)
