"""Sorts are interned, printed and substituted."""

from __future__ import annotations

import pickle

import pytest

from chc.sorts import (
    BOOL,
    INT,
    REAL,
    Constructor,
    Datatype,
    Selector,
    Sort,
    array,
    bitvec,
    is_array,
    is_bitvec,
    is_builtin,
    make_sort,
    quote_symbol,
    show_sort,
    sorts_within,
    substitute_sorts,
)

T = make_sort("T")
LIST = make_sort("List", (T,))


def test_equal_means_identical() -> None:
    """Also after a journey to another process."""
    sort = array(INT, make_sort("List", (bitvec(8),)))
    assert sort is array(INT, make_sort("List", (bitvec(8),)))
    assert sort is pickle.loads(pickle.dumps(sort))
    assert bitvec(8) is not bitvec(9)


@pytest.mark.parametrize(
    ("sort", "text"),
    [
        (BOOL, "Bool"),
        (bitvec(8), "(_ BitVec 8)"),
        (array(INT, array(REAL, BOOL)), "(Array Int (Array Real Bool))"),
        (make_sort("two words", (INT,)), "(|two words| Int)"),
    ],
)
def test_printing(sort: Sort, text: str) -> None:
    assert text == show_sort(sort)
    assert f"<sort {text}>" == repr(sort)


def test_kinds() -> None:
    """A declared sort called BitVec or Array without what belongs to it is neither."""
    assert (True, False) == (is_bitvec(bitvec(1)), is_bitvec(make_sort("BitVec")))
    assert (True, False) == (is_array(array(INT, INT)), is_array(make_sort("Array")))
    assert (True, False) == (is_builtin(array(INT, LIST)), is_builtin(LIST))


def test_size_and_parts() -> None:
    """A sort that doubles itself has an exponential size, known at once."""
    sort = INT
    for _ in range(60):
        sort = array(sort, sort)
    assert 2**61 - 1 == sort.size
    assert [array(INT, LIST), LIST, T, INT] == list(sorts_within(array(INT, LIST)))


def test_substitution() -> None:
    """Parameters are replaced at every depth, and simultaneously."""
    other = make_sort("U")
    pair = make_sort("Pair", (T, make_sort("List", (other,))))
    assert make_sort("Pair", (other, make_sort("List", (T,)))) is substitute_sorts(pair, {T: other, other: T})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x", "x"),
        ("x!1", "x!1"),
        ("two words", "|two words|"),
        ("1x", "|1x|"),
        ("", "||"),
        ("let", "|let|"),
        ("_", "|_|"),
        (":x", "|:x|"),
        ("x'", "|x'|"),
        ("é", "|é|"),
        ("-5", "-5"),
        ("a;b", "|a;b|"),
    ],
)
def test_quoting(name: str, text: str) -> None:
    """Bars only where SMT-LIB needs them."""
    assert text == quote_symbol(name)


def test_datatypes_are_instantiated() -> None:
    """The fields of a list of integers are an integer and a list of integers."""
    nil, cons = Constructor("nil", ()), Constructor("cons", (Selector("head", T), Selector("tail", LIST)))
    integers = make_sort("List", (INT,))
    expected = (nil, Constructor("cons", (Selector("head", INT), Selector("tail", integers))))
    assert expected == Datatype("List", (T,), (nil, cons)).instantiate(integers)
    assert (nil,) == Datatype("One", (), (nil,)).instantiate(make_sort("One"))
