"""Which datatypes make sense: every one needs a finite value, and only finitely many others may come with it."""

from __future__ import annotations

from chc.build import SortError
from chc.sorts import Datatype, DatatypeGroup, Sort, show_sort, sorts_within


def check_datatypes(group: DatatypeGroup) -> None:
    """`SortError` where a datatype of the group has no finite value, or needs infinitely many sorts."""
    _check_inhabited(group)
    for datatype in group.datatypes:
        for constructor in datatype.constructors:
            for selector in constructor.selectors:
                _check_regular(datatype, selector.sort, {member.name for member in group.datatypes})


def _check_inhabited(group: DatatypeGroup) -> None:
    open_names = {datatype.name for datatype in group.datatypes}
    progress = True
    while progress and open_names:
        progress = False
        for datatype in group.datatypes:
            if datatype.name in open_names and _has_finite_value(datatype, open_names):
                open_names.discard(datatype.name)
                progress = True
    if open_names:
        raise SortError(f"the datatype `{min(open_names)}` has no finite value")


def _has_finite_value(datatype: Datatype, open_names: set[str]) -> bool:
    return any(all(s.sort.name not in open_names for s in c.selectors) for c in datatype.constructors)


def _check_regular(datatype: Datatype, field: Sort, group: set[str]) -> None:
    """A field `(Tree (Pair T))` of `(Tree T)` would need trees of pairs of pairs of pairs, without end."""
    for part in sorts_within(field):
        if part.name in group:
            for arg in part.args:
                if arg not in datatype.parameters and not set(datatype.parameters).isdisjoint(sorts_within(arg)):
                    raise SortError(f"the datatype `{datatype.name}` is not regular: it has a field {show_sort(field)}")
