"""Some ground term of a sort, for where any will do."""

from __future__ import annotations

from collections.abc import Iterable

from chc.sorts import BOOL, INT, REAL, Constructor, Datatype, DatatypeGroup, Sort, is_array, is_bitvec
from chc.terms import FALSE, Term, bits, builtin, constructor_term, integer, real


class DefaultTerms:
    """Zero, false, the empty array, the smallest constructor term. Uninterpreted sorts have no ground term."""

    def __init__(self, datatypes: Iterable[DatatypeGroup]) -> None:
        self._declared = {datatype.name: datatype for group in datatypes for datatype in group.datatypes}
        self._found: dict[Sort, Term | None] = {}

    def of(self, sort: Sort) -> Term | None:
        """The term, or None where there is none."""
        if sort not in self._found:
            self._found[sort] = None  # what needs itself is no way to a smallest term
            found = self._make(sort)
            if found is None:
                del self._found[sort]
                return None
            self._found[sort] = found
        return self._found[sort]

    def _make(self, sort: Sort) -> Term | None:
        if sort is BOOL:
            return FALSE
        if sort is INT:
            return integer(0)
        if sort is REAL:
            return real(0)
        if is_bitvec(sort):
            return bits(0, sort.width)
        if is_array(sort):
            element = self.of(sort.args[1])
            return None if element is None else builtin("const", (element,), sort)
        datatype = self._declared.get(sort.name)
        return None if datatype is None else self._construct(datatype, sort)

    def _construct(self, datatype: Datatype, sort: Sort) -> Term | None:
        for constructor in sorted(datatype.instantiate(sort), key=lambda c: len(c.selectors)):
            args = self._fields(constructor)
            if args is not None:
                return constructor_term(constructor.name, args, sort)
        return None

    def _fields(self, constructor: Constructor) -> tuple[Term, ...] | None:
        found = []
        for selector in constructor.selectors:
            term = self.of(selector.sort)
            if term is None:
                return None
            found.append(term)
        return tuple(found)
