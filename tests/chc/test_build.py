"""What the operations take and give, and what they refuse."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chc.build import (
    BUILTIN_NAMES,
    MAXIMAL_WIDTH,
    SortError,
    agree,
    apply,
    coerce,
    conjunction,
    conjuncts,
    constant_array,
    disjunction,
    equation,
    negation,
    to_real,
)
from chc.printer import show_term
from chc.sorts import BOOL, INT, REAL, Sort, array, bitvec, make_sort, show_sort
from chc.terms import FALSE, TRUE, Term, bits, integer, real, variable

SORTS = {
    "p": BOOL,
    "q": BOOL,
    "i": INT,
    "j": INT,
    "r": REAL,
    "b": bitvec(8),
    "n": bitvec(4),
    "a": array(INT, REAL),
    "d": make_sort("D"),
}


def args(names: str) -> tuple[Term, ...]:
    """`i r` are the integer variable i and the real variable r."""
    return tuple(variable(name, SORTS[name]) for name in names.split())


@pytest.mark.parametrize(
    ("name", "names", "params", "text", "sort"),
    [
        ("and", "p q p", (), "(and p q p)", BOOL),
        ("and", "p", (), "p", BOOL),
        ("or", "p", (), "p", BOOL),
        ("xor", "p q p", (), "(xor p q p)", BOOL),
        ("=>", "p q p", (), "(=> p q p)", BOOL),
        ("implies", "p q", (), "(=> p q)", BOOL),
        ("not", "p", (), "(not p)", BOOL),
        ("=", "i j i", (), "(= i j i)", BOOL),
        ("=", "i r", (), "(= (to_real i) r)", BOOL),
        ("distinct", "i r i", (), "(distinct (to_real i) r (to_real i))", BOOL),
        ("iff", "p q", (), "(= p q)", BOOL),
        ("ite", "p i r", (), "(ite p (to_real i) r)", REAL),
        ("+", "i j i", (), "(+ i j i)", INT),
        ("+", "i r", (), "(+ (to_real i) r)", REAL),
        ("+", "i", (), "i", INT),
        ("*", "r", (), "r", REAL),
        ("-", "i", (), "(- i)", INT),
        ("-", "i j", (), "(- i j)", INT),
        ("<", "i r i", (), "(< (to_real i) r (to_real i))", BOOL),
        ("/", "i j", (), "(/ (to_real i) (to_real j))", REAL),
        ("div", "i j i", (), "(div i j i)", INT),
        ("mod", "i j", (), "(mod i j)", INT),
        ("divisible", "i", (3,), "(= (mod i 3) 0)", BOOL),
        ("to_real", "i", (), "(to_real i)", REAL),
        ("to_real", "r", (), "r", REAL),
        ("to_int", "i", (), "(to_int (to_real i))", INT),
        ("is_int", "r", (), "(is_int r)", BOOL),
        ("bvadd", "b b b", (), "(bvadd b b b)", bitvec(8)),
        ("bvand", "b", (), "b", bitvec(8)),
        ("bvnot", "b", (), "(bvnot b)", bitvec(8)),
        ("bvsdiv_i", "b b", (), "(bvsdiv b b)", bitvec(8)),
        ("bvslt", "b b", (), "(bvslt b b)", BOOL),
        ("bvcomp", "b b", (), "(bvcomp b b)", bitvec(1)),
        ("concat", "b n b", (), "(concat b n b)", bitvec(20)),
        ("extract", "b", (5, 2), "((_ extract 5 2) b)", bitvec(4)),
        ("zero_extend", "b", (0,), "((_ zero_extend 0) b)", bitvec(8)),
        ("sign_extend", "b", (8,), "((_ sign_extend 8) b)", bitvec(16)),
        ("repeat", "b", (3,), "((_ repeat 3) b)", bitvec(24)),
        ("rotate_left", "b", (9,), "((_ rotate_left 9) b)", bitvec(8)),
        ("bv2nat", "b", (), "(bv2nat b)", INT),
        ("int2bv", "i", (4,), "((_ int2bv 4) i)", bitvec(4)),
        ("select", "a i", (), "(select a i)", REAL),
        ("store", "a i i", (), "(store a i (to_real i))", array(INT, REAL)),
        ("true", "", (), "true", BOOL),
    ],
)
def test_operations(name: str, names: str, params: tuple[int, ...], text: str, sort: Sort) -> None:
    """Integers beside reals become reals; synonyms are one operation; what is only one argument is that."""
    term = apply(name, args(names), params)
    assert text == show_term(term)
    assert show_sort(sort) == show_sort(term.sort)


@pytest.mark.parametrize(
    ("name", "names", "params", "message"),
    [
        ("and", "p i", (), "`and` expects Bool arguments, found (Bool Int)"),
        ("and", "", (), "`and` expects Bool arguments, found (nothing)"),
        ("xor", "p", (), "`xor` expects at least two Bool arguments, found (Bool)"),
        ("not", "p p", (), "`not` expects 1 argument, found 2"),
        ("not", "i", (), "`not` expects a Bool argument, found (Int)"),
        ("=", "i", (), "`=` expects at least two arguments of one sort, found (Int)"),
        ("=", "i r p", (), "`=` expects at least two arguments of one sort, found (Int Real Bool)"),
        ("ite", "i i i", (), "`ite` expects a Bool and two arguments of one sort, found (Int Int Int)"),
        ("ite", "p i", (), "`ite` expects 3 arguments, found 2"),
        ("+", "", (), "`+` expects Int or Real arguments, found (nothing)"),
        ("+", "i b i", (), "`+` expects Int or Real arguments, found (Int (_ BitVec 8) Int)"),
        ("<", "p p", (), "`<` expects Int or Real arguments, found (Bool Bool)"),
        ("/", "r", (), "`/` expects at least two arguments, found (Real)"),
        ("div", "i r", (), "`div` expects Int arguments, found (Int Real)"),
        ("mod", "i i i", (), "`mod` expects 2 Int arguments, found (Int Int Int)"),
        ("abs", "r", (), "`abs` expects Int arguments, found (Real)"),
        ("divisible", "i", (), "`divisible` expects 1 numeral index, as in (_ divisible 1)"),
        ("bvadd", "b n", (), "`bvadd` expects bit-vectors of one width, found ((_ BitVec 8) (_ BitVec 4))"),
        ("bvsub", "b b b", (), "`bvsub` expects 2 arguments, found 3"),
        ("concat", "b", (), "`concat` expects at least two bit-vectors, found ((_ BitVec 8))"),
        ("extract", "b", (2, 5), "(_ extract 2 5) does not fit a bit-vector of width 8"),
        ("extract", "b", (8, 0), "(_ extract 8 0) does not fit a bit-vector of width 8"),
        ("extract", "b", (5,), "`extract` expects 2 numeral indices, as in (_ extract 1)"),
        ("repeat", "b", (0,), "`repeat` by 0 would give a bit-vector of width 0"),
        (
            "zero_extend",
            "b",
            (MAXIMAL_WIDTH,),
            f"`zero_extend` by {MAXIMAL_WIDTH} would give a bit-vector of width 1048584",
        ),
        ("int_to_bv", "i", (0,), "`int_to_bv` expects an Int argument and a positive width, found (Int)"),
        ("select", "i i", (), "`select` expects an array and an index, found (Int Int)"),
        ("select", "a p", (), "`select` expects an index of sort Int, found ((Array Int Real) Bool)"),
        (
            "store",
            "a i p",
            (),
            "`store` expects an index and an element that fit (Array Int Real), found ((Array Int Real) Int Bool)",
        ),
        ("+", "i i", (1,), "`+` takes no index"),
        ("sin", "r", (), "`sin` is not declared and is no operation of a supported theory"),
    ],
)
def test_refusals(name: str, names: str, params: tuple[int, ...], message: str) -> None:
    """Each says what was expected and what was found."""
    with pytest.raises(SortError) as caught:
        apply(name, args(names), params)
    assert message == str(caught.value)


def test_integers_become_reals_where_reals_are_wanted() -> None:
    """Literals become literals; other sorts are left alone."""
    i, r = args("i r")
    assert real(3) is to_real(integer(3))
    assert (to_real(i), r) == agree((i, r))
    assert (i, i) == agree((i, i))
    assert (i, TRUE) == agree((i, TRUE))
    assert (real(2), integer(2), TRUE) == coerce((integer(2), integer(2), TRUE), (REAL, INT, REAL))


def test_constant_arrays() -> None:
    """The element fits, or is made to."""
    assert "((as const (Array Int Real)) 2.0)" == show_term(constant_array(array(INT, REAL), integer(2)))
    with pytest.raises(SortError, match="expects an array sort, found Int"):
        constant_array(INT, integer(2))
    with pytest.raises(SortError, match="expects an element of sort Real"):
        constant_array(array(INT, REAL), TRUE)


def test_connectives_are_as_small_as_they_can_be() -> None:
    """No `and` over one formula, no doubled negation."""
    p, q = args("p q")
    assert (TRUE, p) == (conjunction([]), conjunction([p]))
    assert (FALSE, p) == (disjunction([]), disjunction([p]))
    assert (FALSE, TRUE, p) == (negation(TRUE), negation(FALSE), negation(negation(p)))
    assert "(and p q)" == show_term(conjunction([p, q]))
    assert "(= p q)" == show_term(equation(p, q))


def test_conjuncts() -> None:
    """From left to right, without `true`, also where they nest deep."""
    p, q = args("p q")
    assert [p, q, FALSE] == conjuncts(conjunction([TRUE, conjunction([p, conjunction([q, TRUE])]), FALSE]))
    deep = p
    for _ in range(100_000):
        deep = conjunction([deep, q])
    assert 100_001 == len(conjuncts(deep))


def test_literals() -> None:
    """Minus five and one third are literals, as in every solver's output."""
    assert integer(-5) is apply("-", (integer(5),))
    assert real(Fraction(1, 3)) is apply("/", (integer(1), integer(3)))
    assert bits(-1, 4) is bits(15, 4)


def test_names() -> None:
    """What belongs to the theories cannot be declared."""
    assert {"true", "and", "bv2nat", "extract", "divisible"} <= BUILTIN_NAMES
