"""Two instances beside one another, without a name in common but those of datatypes that are the same in both."""

from __future__ import annotations

import msgspec

from chc.instance import Clause, Instance, Predicate
from chc.sorts import DatatypeGroup
from transformations.names import Names, variable_names
from transformations.renaming import Renaming
from transformations.settle import settled


class Pair(msgspec.Struct, frozen=True):
    """What two instances declare together, and their clauses, those of the second with its names changed."""

    declared: Instance
    """Sorts, datatypes and predicates of both, and no clauses."""
    first: tuple[Clause, ...]
    second: tuple[Clause, ...]
    renaming: Renaming
    """What the names of the second have become."""
    split: int
    """How many of the predicates are those of the first."""
    markers: tuple[str, str]
    """Two names that neither uses."""

    @property
    def predicates_of_first(self) -> tuple[Predicate, ...]:
        return self.declared.predicates[: self.split]

    @property
    def predicates_of_second(self) -> tuple[Predicate, ...]:
        return self.declared.predicates[self.split :]


def disjoint(first: Instance, second: Instance) -> Pair:
    """The pair of the two; the first keeps its names."""
    names = Names(first)
    names.reserve(variable_names(second))
    sorts = _parameters(first, second, names)
    sorts |= {name: new for name, _ in second.sorts if (new := names.keep(name)) != name}
    renaming, groups = _datatypes(first, second, sorts, names)
    predicates = {p.name: new for p in second.predicates if (new := names.keep(p.name)) != p.name}
    renaming = Renaming(predicates, renaming.sorts, renaming.functions)
    declared = Instance(
        (*first.sorts, *((sorts.get(name, name), arity) for name, arity in second.sorts)),
        (*first.datatypes, *groups),
        (*first.predicates, *(renaming.predicate(p) for p in second.predicates)),
        (),
    )
    clauses = tuple(settled(renaming.clause(clause), declared) for clause in second.clauses)
    free = Names(declared, first, second, declared.replace(clauses=clauses))
    markers = free.fresh(), free.fresh()
    return Pair(declared, first.clauses, clauses, renaming, len(first.predicates), markers)


def _parameters(first: Instance, second: Instance, names: Names) -> dict[str, str]:
    """New names for sort parameters of the second that are called like a sort of the first."""
    parameters = {p.name for group in second.datatypes for d in group.datatypes for p in d.parameters}
    names.reserve(parameters)
    sorts = {name for name, _ in first.sorts} | {d.name for group in first.datatypes for d in group.datatypes}
    return {name: names.fresh(name) for name in sorted(parameters & sorts)}


def _datatypes(
    first: Instance, second: Instance, sorts: dict[str, str], names: Names
) -> tuple[Renaming, list[DatatypeGroup]]:
    """The groups that the second has to itself, and the new names in them; equal groups are shared."""
    sorts, functions = dict(sorts), dict[str, str]()
    own = []
    for group in second.datatypes:
        if Renaming({}, sorts, functions).group(group) not in first.datatypes:
            for datatype in group.datatypes:
                _rename(datatype.name, sorts, names)
                for constructor in datatype.constructors:
                    _rename(constructor.name, functions, names)
                    for selector in constructor.selectors:
                        _rename(selector.name, functions, names)
            own.append(group)
    renaming = Renaming({}, sorts, functions)
    return renaming, [renaming.group(group) for group in own]


def _rename(name: str, table: dict[str, str], names: Names) -> None:
    new = names.keep(name)
    if new != name:
        table[name] = new
