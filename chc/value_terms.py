"""From values back to ground terms, so that they can be printed and put into clauses."""

from __future__ import annotations

from collections.abc import Iterable

from chc.sorts import DatatypeGroup, Sort
from chc.terms import Term, builtin, constructor_term, literal, variable
from chc.values import ArrayValue, DataValue, Element, Value, sort_key

Typed = tuple[Value, Sort]


def term_of_value(value: Value, sort: Sort, datatypes: Iterable[DatatypeGroup] = ()) -> Term:
    """The ground term of the value: a literal, `store`s into a constant array, or constructors.

    `datatypes` are those of the instance, which know the sorts of fields. An element of an uninterpreted sort
    has no ground term; it becomes a variable of its name.
    """
    return _Writer(datatypes).write((value, sort))


class _Writer:
    """Writes values as terms, and remembers each part it has written."""

    def __init__(self, datatypes: Iterable[DatatypeGroup]) -> None:
        self._declared = {datatype.name: datatype for group in datatypes for datatype in group.datatypes}
        self._done: dict[Typed, Term] = {}
        self._fields: dict[tuple[Sort, str], tuple[Sort, ...]] = {}

    def write(self, root: Typed) -> Term:
        done = self._done
        stack = [root]
        while stack:
            typed = stack[-1]
            parts = self._parts(*typed)
            missing = [part for part in parts if part not in done]
            if missing:
                stack.extend(missing)
            else:
                done[typed] = _assemble(*typed, [done[part] for part in parts])
                stack.pop()
        return done[root]

    def _parts(self, value: Value, sort: Sort) -> list[Typed]:
        if isinstance(value, DataValue):
            return list(zip(value.args, self._field_sorts(sort, value.constructor), strict=True))
        if isinstance(value, ArrayValue):
            index_sort, element_sort = sort.args
            parts: list[Typed] = [(value.default, element_sort)]
            for index in sorted(value.exceptions, key=sort_key):
                parts += (index, index_sort), (value.exceptions[index], element_sort)
            return parts
        return []

    def _field_sorts(self, sort: Sort, constructor: str) -> tuple[Sort, ...]:
        key = (sort, constructor)
        if key not in self._fields:
            for found in self._declared[sort.name].instantiate(sort):
                self._fields[sort, found.name] = tuple(selector.sort for selector in found.selectors)
        return self._fields[key]


def _assemble(value: Value, sort: Sort, parts: list[Term]) -> Term:
    if isinstance(value, DataValue):
        return constructor_term(value.constructor, tuple(parts), sort)
    if isinstance(value, Element):
        return variable(value.name, sort)
    if not isinstance(value, ArrayValue):
        return literal(value, sort)
    written = builtin("const", (parts[0],), sort)
    for position in range(1, len(parts), 2):
        written = builtin("store", (written, parts[position], parts[position + 1]), sort)
    return written
