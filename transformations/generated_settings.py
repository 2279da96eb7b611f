"""What a generated seed speaks of: the theories, their sorts and datatypes, and ground terms of these sorts."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

import msgspec

from chc.build import apply, constant_array
from chc.sorts import (
    BOOL,
    INT,
    REAL,
    Constructor,
    Datatype,
    DatatypeGroup,
    Selector,
    Sort,
    array,
    bitvec,
    is_array,
    is_bitvec,
    make_sort,
)
from chc.terms import FALSE, TRUE, Term, bits, constructor_term, integer, real

THEORIES: Final = ("int", "real", "bool", "bv", "array", "datatype", "mixed")
WIDTHS: Final = (3, 4, 8, 16, 32)


class Setting(msgspec.Struct, frozen=True):
    """The sorts that arguments of predicates may have; one that is listed twice is twice as likely."""

    sorts: tuple[Sort, ...]
    datatypes: tuple[DatatypeGroup, ...] = ()

    def constructors(self, sort: Sort) -> tuple[Constructor, ...]:
        """The constructors of the sort; none where it is no datatype."""
        for group in self.datatypes:
            for datatype in group.datatypes:
                if datatype.name == sort.name:
                    return datatype.instantiate(sort)
        return ()


def _datatype(name: str, **constructors: dict[str, Sort]) -> Datatype:
    made = (Constructor(c, tuple(Selector(f, s) for f, s in fields.items())) for c, fields in constructors.items())
    return Datatype(name, (), tuple(made))


_LIST: Final = make_sort("Cells")
_TREE: Final = make_sort("Tree")
_FOREST: Final = make_sort("Forest")
GROUPS: Final = (
    DatatypeGroup((_datatype("Cells", none={}, cell={"item": INT, "rest": _LIST}),)),
    DatatypeGroup((_datatype("Tree", leaf={}, node={"left": _TREE, "key": INT, "right": _TREE}),)),
    DatatypeGroup((_datatype("Mode", idle={}, busy={}, done={}, failed={}),)),
    DatatypeGroup((_datatype("Point", point={"east": INT, "north": INT}),)),
    DatatypeGroup((_datatype("Reply", nothing={}, found={"what": INT}, wrong={"why": BOOL}),)),
    DatatypeGroup(
        (
            _datatype("Tree", branch={"label": INT, "below": _FOREST}),
            _datatype("Forest", bare={}, grown={"first": _TREE, "others": _FOREST}),
        )
    ),
)
"""Each is used alone: some share names."""

_ARRAYS: Final = (
    (array(INT, INT), INT),
    (array(INT, BOOL), INT),
    (array(INT, REAL), INT),
    (array(bitvec(4), bitvec(8)), bitvec(4)),
    (array(INT, array(INT, INT)), INT),
)


def draw_setting(theory: str, rng: Random) -> Setting:
    """Sorts of the theory. A mixture has sorts of all of them."""
    match theory:
        case "int":
            return Setting((INT,))
        case "real":
            return Setting((REAL,))
        case "bool":
            return Setting((BOOL,))
        case "bv":
            width = bitvec(rng.choice(WIDTHS))
            return Setting((width, width, bitvec(rng.choice(WIDTHS))))
        case "array":
            return Setting(rng.choice(_ARRAYS))
        case "datatype":
            group = rng.choice(GROUPS)
            return Setting((*(make_sort(datatype.name) for datatype in group.datatypes), INT), (group,))
        case "mixed":
            return _mixture(rng)
    raise ValueError(f"no theory is called {theory!r}; there are: {', '.join(THEORIES)}")


def _mixture(rng: Random) -> Setting:
    parts = [draw_setting(theory, rng) for theory in THEORIES if theory != "mixed"]
    chosen = rng.sample(parts, rng.randint(2, 4))
    return Setting(
        tuple(sort for part in chosen for sort in part.sorts),
        tuple(group for part in chosen for group in part.datatypes),
    )


def ground_term(sort: Sort, setting: Setting, rng: Random, depth: int = 2) -> Term:
    """A small ground term of the sort."""
    if sort is BOOL:
        return rng.choice((TRUE, FALSE))
    if sort is INT:
        return integer(rng.randint(-4, 12))
    if sort is REAL:
        return real(Fraction(rng.randint(-8, 24), rng.choice((1, 1, 2, 4, 5))))
    if is_bitvec(sort):
        return bits(rng.choice((0, 1, rng.getrandbits(sort.width))), sort.width)
    if is_array(sort):
        return _ground_array(sort, setting, rng, depth)
    return _ground_data(sort, setting, rng, depth)


def _ground_array(sort: Sort, setting: Setting, rng: Random, depth: int) -> Term:
    index, element = sort.args
    term = constant_array(sort, ground_term(element, setting, rng, depth - 1))
    for _ in range(rng.choice((0, 0, 1, 2))):
        value = ground_term(element, setting, rng, depth - 1)
        term = apply("store", (term, ground_term(index, setting, rng, depth - 1), value))
    return term


def _ground_data(sort: Sort, setting: Setting, rng: Random, depth: int) -> Term:
    """Below the given depth only constructors are used that lead to an end."""
    constructors = setting.constructors(sort)
    if depth <= 0:
        fewest = min(_datatype_fields(c, setting) for c in constructors)
        constructors = tuple(c for c in constructors if _datatype_fields(c, setting) == fewest)
    chosen = rng.choice(constructors)
    fields = tuple(ground_term(field.sort, setting, rng, depth - 1) for field in chosen.selectors)
    return constructor_term(chosen.name, fields, sort)


def _datatype_fields(constructor: Constructor, setting: Setting) -> int:
    return sum(bool(setting.constructors(field.sort)) for field in constructor.selectors)
