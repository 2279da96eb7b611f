"""Single terms, sorts and atoms over the symbols of an instance."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chc.instance import Atom
from chc.lexer import ReadError
from chc.script import read_instance
from chc.sorts import INT, array, make_sort
from chc.symbols import Symbols
from chc.terms import integer, variable
from chc.vocabulary import read_atom, read_sort, read_term, symbols_of, symbols_without_predicates

INSTANCE = read_instance("""
(declare-sort U 1)
(declare-datatypes ((Ints 0)) (((none) (more (head Int) (tail Ints)))))
(declare-fun P (Int) Bool)
(declare-fun Q () Bool)
""")
SYMBOLS = symbols_of(INSTANCE)


def test_tables() -> None:
    """With predicates and without."""
    assert ({"P": (INT,), "Q": ()}, {}) == (SYMBOLS.predicates, symbols_without_predicates(INSTANCE).predicates)
    assert {"none", "more"} == set(SYMBOLS.constructors)
    assert INSTANCE.datatypes == tuple(SYMBOLS.groups)


def test_reading() -> None:
    assert array(INT, make_sort("U", (INT,))) is read_sort("(Array Int (U Int))", SYMBOLS)
    x = variable("none", INT)
    assert x is read_term("none", SYMBOLS, [x])
    assert Atom("P", (integer(-3),)) == read_atom("(P (- 3))", SYMBOLS)
    assert Atom("Q", ()) == read_atom("Q", SYMBOLS)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_sort, "Int Int", "1:5: something follows where the text should end"),
        (read_sort, "V", "1:1: the sort `V` is not declared"),
        (read_sort, "", "1:1: the text ends where a sort was expected"),
        (read_term, "(+ 1 2) x", "1:9: something follows where the text should end"),
        (read_term, "(+ 1 y)", "1:6: `y` is not declared and is no operation of a supported theory"),
        (read_atom, "(P x)", "1:4: `x` is not declared and is no operation of a supported theory"),
        (read_atom, "(not Q)", "expected a predicate applied to values, found `(not Q)`"),
        (read_atom, "(P (ite Q 1 2))", "expected a predicate applied to values, found `(P (ite Q 1 2))`"),
        (read_atom, "true", "expected a predicate applied to values, found `true`"),
        (read_atom, "Q Q", "1:3: something follows where the text should end"),
    ],
)
def test_refusals(read: Callable[[str, Symbols], object], text: str, message: str) -> None:
    """Nothing is half read."""
    with pytest.raises(ReadError) as caught:
        read(text, SYMBOLS)
    assert message == str(caught.value)
