"""Values: equal iff they denote the same, however they came about, and printable as terms."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chc.evaluate import evaluate, value_of_ground
from chc.printer import show_term
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
    make_sort,
)
from chc.terms import variable
from chc.value_terms import term_of_value
from chc.values import (
    INFINITE,
    DataValue,
    Element,
    Value,
    all_values,
    array_value,
    cardinality,
    element_at,
    show_value,
    surely_differ,
)

COLOUR = make_sort("Colour")
ITEM = make_sort("T")
LISTS = DatatypeGroup(
    (
        Datatype(
            "List",
            (ITEM,),
            (
                Constructor("nil", ()),
                Constructor("cons", (Selector("head", ITEM), Selector("tail", make_sort("List", (ITEM,))))),
            ),
        ),
    )
)
INTEGERS = make_sort("List", (INT,))
NIL = DataValue("nil")


def numbers(length: int, last: int = 0) -> DataValue:
    """A list of that many numbers."""
    value = DataValue("cons", (last, NIL))
    for n in range(length):
        value = DataValue("cons", (n, value))
    return value


@pytest.mark.parametrize(
    ("sort", "size"),
    [
        (BOOL, 2),
        (bitvec(3), 8),
        (bitvec(500), INFINITE),
        (INT, INFINITE),
        (REAL, INFINITE),
        (COLOUR, None),
        (array(BOOL, bitvec(2)), 16),
        (array(bitvec(6), BOOL), INFINITE),
        (array(INT, BOOL), INFINITE),
        (array(BOOL, INT), INFINITE),
        (array(INT, COLOUR), None),
        (array(COLOUR, INT), None),
    ],
)
def test_cardinality(sort: Sort, size: int | None) -> None:
    assert size == cardinality(sort)


@pytest.mark.parametrize("sort", [BOOL, bitvec(3), array(BOOL, bitvec(2)), array(array(BOOL, BOOL), BOOL)])
def test_all_values_are_as_many_as_the_sort_has(sort: Sort) -> None:
    """None is missing and none comes twice, arrays of arrays included."""
    assert cardinality(sort) == len(set(all_values(sort)))


BYTES = array(bitvec(2), bitvec(1))
TABLES = st.dictionaries(st.integers(0, 3), st.integers(0, 1))
BIT = st.integers(0, 1)


@given(BIT, TABLES, BIT, TABLES)
def test_arrays_are_equal_iff_they_agree_everywhere(
    default: int, table: dict[Value, Value], other_default: int, other_table: dict[Value, Value]
) -> None:
    """Over four indices everything can be looked at, whatever was written how."""
    a, b = array_value(BYTES, default, table), array_value(BYTES, other_default, other_table)
    rows = [[element_at(value, index) for index in range(4)] for value in (a, b)]
    assert [table.get(index, default) for index in range(4)] == rows[0]
    assert (rows[0] == rows[1]) is (a == b) is not surely_differ(a, b)
    assert a != b or hash(a) == hash(b)


def test_open_arrays_differ_only_for_a_reason() -> None:
    """Over a sort of unknown size different defaults prove nothing, a common index does; also deep inside."""
    sort = array(COLOUR, INT)
    red, blue = Element("red"), Element("blue")
    left, right = array_value(sort, 0, {red: 1}), array_value(sort, 1, {blue: 0})
    assert left != right
    assert not surely_differ(left, right)
    assert surely_differ(left, array_value(sort, 1, {red: 0}))
    assert not surely_differ(DataValue("box", (left, 1)), DataValue("box", (right, 1)))
    assert surely_differ(DataValue("box", (left, 1)), DataValue("box", (right, 2)))
    assert surely_differ(DataValue("box", (left,)), DataValue("bag", (right,)))
    nested = [array_value(array(INT, sort), inner, {}) for inner in (left, right)]
    assert not surely_differ(nested[0], nested[1])
    assert surely_differ(nested[0], array_value(array(INT, sort), right, {3: array_value(sort, 7, {red: 9})}))


def test_long_lists_are_compared_hashed_and_shown() -> None:
    """Ten thousand cells and more, built twice."""
    assert numbers(50_000) == numbers(50_000)
    assert hash(numbers(50_000)) == hash(numbers(50_000))
    assert numbers(50_000) != numbers(50_000, last=1)
    assert surely_differ(numbers(50_000), numbers(50_000, last=1))
    assert len(repr(numbers(50_000))) < 2000


def test_shared_trees_are_compared_once() -> None:
    """As trees these have 2^200 leaves."""
    left = right = NIL
    for _ in range(200):
        left, right = DataValue("node", (left, left)), DataValue("node", (right, right))
    assert left == right


def test_values_for_a_reader() -> None:
    """Stored elements stand in order, absurd numbers in hexadecimal."""
    assert "[0, -1: 2, 3: 7]" == show_value(array_value(array(INT, INT), 0, {3: 7, -1: 2}))
    assert "(cons 1 nil)" == show_value(numbers(0, last=1))
    assert "(box true 1/2 red)" == show_value(DataValue("box", (True, Fraction(1, 2), Element("red"))))
    assert show_value(1 << 100_000).startswith("0x1000")


@pytest.mark.parametrize(
    ("value", "sort", "text"),
    [
        (True, BOOL, "true"),
        (-3, INT, "(- 3)"),
        (Fraction(1, 2), REAL, "(/ 1.0 2.0)"),
        (5, bitvec(4), "#x5"),
        (numbers(0, last=1), INTEGERS, "((as cons (List Int)) 1 (as nil (List Int)))"),
        (
            array_value(array(INT, BOOL), False, {2: True, 1: True}),
            array(INT, BOOL),
            "(store (store ((as const (Array Int Bool)) false) 1 true) 2 true)",
        ),
        (Element("red"), COLOUR, "red"),
    ],
)
def test_terms_of_values(value: Value, sort: Sort, text: str) -> None:
    """The term prints as expected and has the value it came from."""
    term = term_of_value(value, sort, (LISTS,))
    assert text == show_term(term)
    assert sort is term.sort
    assert value == evaluate(term, {variable("red", COLOUR): Element("red")})


def test_terms_of_long_lists() -> None:
    """A list inside an array, back and forth."""
    sort = array(INT, INTEGERS)
    value = array_value(sort, NIL, {1: numbers(50_000)})
    assert value == value_of_ground(term_of_value(value, sort, (LISTS,)))
