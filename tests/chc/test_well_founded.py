"""Datatypes that make no sense are refused."""

from __future__ import annotations

import pytest

from chc.build import SortError
from chc.sorts import INT, Constructor, Datatype, DatatypeGroup, Selector, Sort, array, make_sort
from chc.well_founded import check_datatypes

X, Y = make_sort("X"), make_sort("Y")


def datatype(name: str, params: tuple[Sort, ...], *constructors: tuple[Sort, ...]) -> Datatype:
    """A datatype with a constructor for each list of fields."""
    built = []
    for number, fields in enumerate(constructors):
        selectors = tuple(Selector(f"{name}{number}.{place}", sort) for place, sort in enumerate(fields))
        built.append(Constructor(f"{name}{number}", selectors))
    return Datatype(name, params, tuple(built))


def of(name: str, *args: Sort) -> Sort:
    return make_sort(name, args)


@pytest.mark.parametrize(
    "group",
    [
        (datatype("L", (), (), (INT, of("L"))),),
        (datatype("A", (), (of("B"),)), datatype("B", (), (of("A"),), (INT,))),
        (datatype("L", (X,), (), (X, of("L", X))),),
        (datatype("A", (X, Y), (), (of("A", Y, X),)),),
        (datatype("A", (X,), (), (of("A", INT),)),),
        (datatype("T", (X,), (X, of("List", of("T", X)))),),
        (datatype("T", (), (array(INT, INT),)),),
    ],
)
def test_accepted(group: tuple[Datatype, ...]) -> None:
    """Recursive, mutually recursive, parametric, with parameters swapped or fixed, inside an older one."""
    check_datatypes(DatatypeGroup(group))


@pytest.mark.parametrize(
    ("group", "message"),
    [
        ((datatype("L", (), (INT, of("L"))),), "the datatype `L` has no finite value"),
        ((datatype("A", (), (of("B"),)), datatype("B", (), (of("A"),))), "the datatype `A` has no finite value"),
        (
            (datatype("T", (X,), (), (of("T", array(INT, X)),)),),
            r"the datatype `T` is not regular: it has a field \(T \(Array Int X\)\)",
        ),
    ],
)
def test_refused(group: tuple[Datatype, ...], message: str) -> None:
    """No finite value, or infinitely many sorts."""
    with pytest.raises(SortError, match=message):
        check_datatypes(DatatypeGroup(group))
