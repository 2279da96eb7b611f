"""What is declared can be applied, and nothing can be declared twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chc.build import SortError, apply
from chc.printer import show_term
from chc.script import read_instance
from chc.sorts import BOOL, INT, REAL, array, make_sort, show_sort
from chc.symbols import Symbols
from chc.terms import TRUE, Term, integer, quantifier, real, variable
from chc.vocabulary import symbols_of

INSTANCE = read_instance("""
(declare-sort U 0)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (car T) (cdr (List T)))))))
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (one A) (two B))))))
(declare-fun P (Int Real) Bool)
""")
X = variable("x", INT)


def symbols() -> Symbols:
    return symbols_of(INSTANCE)


def list_of(length: int) -> Term:
    term = symbols().construct("nil", (), make_sort("List", (INT,)))
    for n in range(length):
        term = symbols().apply("cons", (integer(n), term))
    return term


def test_predicates_take_what_fits() -> None:
    """An integer where a real is wanted becomes one."""
    assert "(P 1 2.0)" == show_term(symbols().apply("P", (integer(1), integer(2))))


def test_constructors_of_parametric_datatypes() -> None:
    """The sort follows from the arguments, nested ones too, or is given."""
    pair = symbols().apply("pair", (list_of(1), TRUE))
    assert "(Pair (List Int) Bool)" == show_sort(pair.sort)
    given = symbols().construct("pair", (integer(1), TRUE), make_sort("Pair", (REAL, BOOL)))
    assert "((as pair (Pair Real Bool)) 1.0 true)" == show_term(given)


def test_selectors_and_testers() -> None:
    """A field has the sort that the parameters of its value say."""
    pair = symbols().apply("pair", (list_of(1), TRUE))
    assert make_sort("List", (INT,)) is symbols().apply("one", (pair,)).sort
    assert BOOL is symbols().apply("two", (pair,)).sort
    assert symbols().test("nil", (list_of(0),)) is symbols().apply("is-nil", (list_of(0),))
    assert symbols().test("nil", (list_of(0),)) is symbols().apply("is", (list_of(0),), ("nil",))


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("P", (integer(1),), "`P` expects 2 arguments, found 1"),
        ("P", (integer(1), TRUE), "argument 2 of `P` is of sort Bool, expected Real"),
        ("P", (real(1), real(1)), "argument 1 of `P` is of sort Real, expected Int"),
        ("nil", (), "the sort of `nil` is open in T; write (as nil SORT)"),
        ("pair", (TRUE,), "the sort of `pair` is open in B; write (as pair SORT)"),
        ("cons", (TRUE, list_of(0)), "argument 2 of `cons` is of sort (List Int), expected (List Bool)"),
        ("car", (integer(1),), "`car` expects one argument of sort List, found (Int)"),
        ("is-cons", (integer(1),), "(_ is cons) expects one argument of sort List"),
        ("unheard", (), "`unheard` is not declared and is no operation of a supported theory"),
    ],
)
def test_refusals(name: str, args: tuple[Term, ...], message: str) -> None:
    with pytest.raises(SortError) as caught:
        symbols().apply(name, args)
    assert message == str(caught.value)


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda known: known.check_new_sort("Int"), "the sort `Int` exists already"),
        (lambda known: known.check_new_sort("U"), "the sort `U` exists already"),
        (lambda known: known.check_new_sort("List"), "the sort `List` exists already"),
        (lambda known: known.check_new_function("P"), "`P` is declared already"),
        (lambda known: known.check_new_function("cons"), "`cons` is declared already"),
        (lambda known: known.check_new_function("car"), "`car` is declared already"),
        (lambda known: known.check_new_function("bvadd"), "`bvadd` belongs to SMT-LIB and cannot be declared again"),
        (lambda known: known.check_new_function("forall"), "`forall` belongs to SMT-LIB and cannot be declared again"),
        (lambda known: known.sort_of("V", ()), "the sort `V` is not declared"),
        (lambda known: known.sort_of("Pair", (INT,)), "`Pair` expects 2 arguments, found 1"),
    ],
)
def test_names_are_declared_once(declare: Callable[[Symbols], object], message: str) -> None:
    with pytest.raises(SortError) as caught:
        declare(symbols())
    assert message == str(caught.value)


def test_sorts_and_macros() -> None:
    """A defined sort is replaced by what it stands for."""
    known = symbols()
    param = make_sort("T")
    known.sort_macros["Row"] = ((param,), array(INT, param))
    assert array(INT, BOOL) is known.sort_of("Row", (BOOL,))
    assert make_sort("Pair", (INT, REAL)) is known.sort_of("Pair", (INT, REAL))


def test_definitions_are_expanded_without_capture() -> None:
    """Bound variables of the body make way for what arrives."""
    known = symbols()
    bound = variable("y", INT)
    known.define("below", (X,), quantifier("exists", (bound,), apply("<", (bound, X))))
    assert "(exists ((y!1 Int)) (< y!1 y))" == show_term(known.apply("below", (bound,)))
    assert known.definitions["below"].size == known.expanded_nodes


def test_names_that_variables_must_not_hide() -> None:
    """Whatever may have to be printed where the variable is in scope."""
    assert [True] * 4 + [False] * 2 == [symbols().hides(n) for n in ("P", "cons", "car", "select", "U", "x")]
