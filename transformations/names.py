"""Names for what a transformation adds, which nobody else has and no solver stumbles over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chc.build import BUILTIN_NAMES
from chc.instance import Instance
from chc.sorts import BUILTIN_SORT_NAMES, RESERVED_WORDS
from chc.terms import Kind, bound_variables, subterms


def symbol_names(instance: Instance) -> Iterator[str]:
    """The names of sorts, sort parameters, datatypes, constructors, selectors, testers and predicates."""
    yield from (name for name, _ in instance.sorts)
    for group in instance.datatypes:
        for datatype in group.datatypes:
            yield datatype.name
            yield from (parameter.name for parameter in datatype.parameters)
            for constructor in datatype.constructors:
                yield from (constructor.name, f"is-{constructor.name}")
                yield from (selector.name for selector in constructor.selectors)
    yield from (predicate.name for predicate in instance.predicates)


def variable_names(instance: Instance) -> Iterator[str]:
    """The names of the variables, bound ones too."""
    for clause in instance.clauses:
        yield from (var.name for var in clause.variables)
        for node in subterms(clause.terms):
            if node.kind is Kind.QUANTIFIER:
                yield from (var.name for var in bound_variables(node))


class Names:
    """The names of an instance, and fresh ones beside them."""

    def __init__(self, *instances: Instance) -> None:
        self._taken: set[str] = set(BUILTIN_NAMES | BUILTIN_SORT_NAMES | RESERVED_WORDS)
        for instance in instances:
            self._taken.update(symbol_names(instance))
            self._taken.update(variable_names(instance))

    def reserve(self, names: Iterable[str]) -> None:
        """Names that are not to be given away."""
        self._taken.update(names)

    def fresh(self, stem: str = "fresh") -> str:
        """The first of `stem_1`, `stem_2`, … that is free; it is taken from now on."""
        number = 1
        while f"{stem}_{number}" in self._taken:
            number += 1
        self._taken.add(f"{stem}_{number}")
        return f"{stem}_{number}"

    def keep(self, name: str) -> str:
        """The name itself where it is free, otherwise a fresh one like it; it is taken from now on."""
        if name in self._taken:
            return self.fresh(name)
        self._taken.add(name)
        return name
