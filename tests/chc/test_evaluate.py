"""Evaluation, case by case, with the corners where SMT-LIB leaves a value open."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from chc.build import BUILTIN_NAMES, SYNONYMS, apply, constant_array, equation
from chc.evaluate import _OPERATIONS, evaluate, value_of_ground
from chc.evaluate_lazily import LAZY
from chc.sorts import BOOL, INT, REAL, Selector, Sort, array, bitvec, make_sort
from chc.terms import (
    FALSE,
    TRUE,
    Term,
    bits,
    constructor_term,
    integer,
    literal,
    predicate_term,
    quantifier,
    real,
    selector_term,
    variable,
)
from chc.terms import (
    tester_term as made_with,
)
from chc.undetermined import Undetermined
from chc.values import DataValue, Element, Value, array_value

LIST = make_sort("List")
COLOUR = make_sort("Colour")
NIL = constructor_term("nil", (), LIST)
OPEN = equation(apply("div", (integer(1), integer(0))), integer(0))
"""A formula whose value SMT-LIB leaves open."""


def cons(head: Term, tail: Term) -> Term:
    return constructor_term("cons", (head, tail), LIST)


def head_of(term: Term) -> Term:
    return selector_term(Selector("head", INT), "cons", 0, term)


def tail_of(term: Term) -> Term:
    return selector_term(Selector("tail", LIST), "cons", 1, term)


def store(target: Term, index: Term, element: Term) -> Term:
    return apply("store", (target, index, element))


def on_integers(name: str, *args: int, params: tuple[int, ...] = ()) -> Value:
    return value_of_ground(apply(name, tuple(integer(arg) for arg in args), params))


def on_reals(name: str, *args: str) -> Value:
    return value_of_ground(apply(name, tuple(real(Fraction(arg)) for arg in args)))


def on_bits(name: str, *args: int, width: int = 4, params: tuple[int, ...] = ()) -> Value:
    return value_of_ground(apply(name, tuple(bits(arg, width) for arg in args), params))


def reason(term: Term, assignment: Mapping[Term, Value] | None = None) -> str:
    """Why the term has no value; the test fails where it has one."""
    with pytest.raises(Undetermined) as caught:
        evaluate(term, assignment or {})
    return caught.value.reason


def test_every_operation_is_known() -> None:
    """What can be built can be evaluated."""
    written_otherwise = {"true", "false", "divisible"}
    assert BUILTIN_NAMES - set(SYNONYMS) - written_otherwise | {"const"} == set(LAZY) | set(_OPERATIONS)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("not", (TRUE,), False),
        ("and", (TRUE, TRUE, FALSE), False),
        ("or", (FALSE, FALSE, TRUE), True),
        ("xor", (TRUE, TRUE, TRUE), True),
        ("xor", (TRUE, TRUE), False),
        ("=>", (TRUE, TRUE, FALSE), False),
        ("=>", (TRUE, FALSE, FALSE), True),
        ("=>", (FALSE, TRUE, FALSE), True),
        ("=", (TRUE, TRUE, FALSE), False),
        ("distinct", (TRUE, FALSE), True),
        ("distinct", (TRUE, FALSE, TRUE), False),
        ("ite", (FALSE, TRUE, FALSE), False),
        ("and", (OPEN, FALSE), False),
        ("and", (FALSE, OPEN), False),
        ("or", (OPEN, TRUE), True),
        ("=>", (FALSE, OPEN), True),
        ("=>", (OPEN, TRUE), True),
        ("=>", (TRUE, OPEN, FALSE, OPEN), True),
        ("=", (OPEN, TRUE, FALSE), False),
        ("distinct", (TRUE, OPEN, TRUE), False),
        ("ite", (TRUE, FALSE, OPEN), False),
        ("ite", (FALSE, OPEN, TRUE), True),
        ("ite", (OPEN, TRUE, TRUE), True),
    ],
)
def test_core(name: str, args: tuple[Term, ...], expected: bool) -> None:
    """An open argument matters only where the others do not decide."""
    assert expected is value_of_ground(apply(name, args))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("not", (OPEN,)),
        ("and", (OPEN, TRUE)),
        ("or", (FALSE, OPEN)),
        ("xor", (TRUE, OPEN)),
        ("=>", (TRUE, OPEN)),
        ("=>", (OPEN, FALSE)),
        ("=", (OPEN, TRUE)),
        ("distinct", (TRUE, OPEN)),
        ("ite", (OPEN, TRUE, FALSE)),
        ("ite", (OPEN, OPEN, TRUE)),
        ("ite", (TRUE, OPEN, TRUE)),
    ],
)
def test_core_left_open(name: str, args: tuple[Term, ...]) -> None:
    """Where it does matter, the reason is that of the argument."""
    assert "division by zero" == reason(apply(name, args))


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("+", (1, 2, 3), 6),
        ("-", (10, 3, 2), 5),
        ("*", (2, 3, -4), -24),
        ("div", (7, 2), 3),
        ("div", (-7, 2), -4),
        ("div", (7, -2), -3),
        ("div", (-7, -2), 4),
        ("div", (100, 7, 2), 7),
        ("mod", (7, 2), 1),
        ("mod", (-7, 2), 1),
        ("mod", (7, -2), 1),
        ("mod", (-7, -2), 1),
        ("abs", (-5,), 5),
        ("<", (1, 2, 2), False),
        ("<=", (1, 2, 2), True),
        (">", (3, 2, 1), True),
        (">=", (3, 3, 4), False),
        ("to_real", (3,), Fraction(3)),
        ("to_int", (3,), 3),
    ],
)
def test_integers(name: str, args: tuple[int, ...], expected: Value) -> None:
    """Division is Euclidean, and chains associate to the left."""
    assert expected == on_integers(name, *args)


def test_negation_of_an_integer_that_is_no_literal() -> None:
    """The builder folds `-` over literals only."""
    assert -3 == value_of_ground(apply("-", (apply("+", (integer(1), integer(2))),)))


@pytest.mark.parametrize(("number", "expected"), [(6, True), (-6, True), (7, False), (0, True)])
def test_divisible(number: int, expected: bool) -> None:
    assert expected is on_integers("divisible", number, params=(3,))


@pytest.mark.parametrize("name", ["div", "mod"])
def test_integer_division_by_zero(name: str) -> None:
    """Every function that agrees elsewhere is a legal `div`."""
    assert "division by zero" in reason(apply(name, (integer(7), integer(0))))


def test_a_comparison_decided_beside_an_open_argument() -> None:
    """One pair that fails is enough."""
    opened = apply("div", (integer(1), integer(0)))
    assert value_of_ground(apply("<", (integer(3), integer(2), opened))) is False
    assert "division by zero" == reason(apply("<", (integer(1), integer(2), opened)))


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("+", ("1/2", "1/3"), Fraction(5, 6)),
        ("-", ("1/2", "1/3", "1/6"), Fraction(0)),
        ("*", ("2/3", "3/2"), Fraction(1)),
        ("/", ("1", "3", "2"), Fraction(1, 6)),
        ("to_int", ("-1/2",), -1),
        ("to_int", ("7/2",), 3),
        ("is_int", ("4/2",), True),
        ("is_int", ("1/2",), False),
        ("<", ("1/3", "1/2"), True),
        ("=", ("2/4", "1/2"), True),
    ],
)
def test_reals(name: str, args: tuple[str, ...], expected: Value) -> None:
    """`to_int` rounds down; a real is a `Fraction` also where it is whole."""
    found = on_reals(name, *args)
    assert expected == found
    assert type(expected) is type(found)


def test_real_division_by_zero() -> None:
    assert "division by zero" == reason(apply("/", (real(1), real(0))))


def test_products_of_absurd_size_are_not_computed() -> None:
    """Squaring forty times over would fill the memory."""
    term = integer(3)
    for _ in range(40):
        term = apply("*", (term, term))
    assert "a number too large to compute" == reason(term)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("bvand", (0b1100, 0b1010, 0b1111), 0b1000),
        ("bvor", (0b1100, 0b1010), 0b1110),
        ("bvxor", (0b1100, 0b1010), 0b0110),
        ("bvnot", (0b1100,), 0b0011),
        ("bvneg", (1,), 15),
        ("bvneg", (8,), 8),
        ("bvadd", (9, 9, 1), 3),
        ("bvmul", (5, 5, 3), 11),
        ("bvsub", (3, 5), 14),
        ("bvudiv", (13, 4), 3),
        ("bvudiv", (13, 0), 15),
        ("bvurem", (13, 4), 1),
        ("bvurem", (13, 0), 13),
        ("bvsdiv", (-7, 2), -3),
        ("bvsdiv", (-8, -1), -8),
        ("bvsdiv", (5, 0), -1),
        ("bvsdiv", (-5, 0), 1),
        ("bvsrem", (-7, 2), -1),
        ("bvsrem", (7, -2), 1),
        ("bvsrem", (-7, 0), -7),
        ("bvsmod", (-7, 2), 1),
        ("bvsmod", (7, -2), -1),
        ("bvsmod", (-7, 0), -7),
        ("bvshl", (0b0011, 2), 0b1100),
        ("bvshl", (1, 4), 0),
        ("bvshl", (1, 15), 0),
        ("bvlshr", (0b1100, 2), 0b0011),
        ("bvlshr", (0b1100, 9), 0),
        ("bvashr", (0b1000, 2), 0b1110),
        ("bvashr", (0b1000, 9), 0b1111),
        ("bvashr", (0b0100, 9), 0),
        ("bvnand", (0b1100, 0b1010), 0b0111),
        ("bvnor", (0b1100, 0b1010), 0b0001),
        ("bvxnor", (0b1100, 0b1010), 0b1001),
        ("bvcomp", (3, 3), 1),
        ("bvcomp", (3, 4), 0),
        ("concat", (0b1100, 0b1010), 0b11001010),
    ],
)
def test_bits(name: str, args: tuple[int, ...], expected: int) -> None:
    """Width four; negative numbers are written for their two's complement."""
    assert expected % 256 % (256 if name == "concat" else 16) == on_bits(name, *args)


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("bvult", 1, 15, True),
        ("bvule", 15, 15, True),
        ("bvugt", 1, 15, False),
        ("bvuge", 15, 1, True),
        ("bvslt", 1, 15, False),
        ("bvsle", 15, 15, True),
        ("bvsgt", 1, 15, True),
        ("bvsge", 15, 1, False),
    ],
)
def test_bit_comparisons(name: str, a: int, b: int, expected: bool) -> None:
    assert expected is on_bits(name, a, b)


@pytest.mark.parametrize(
    ("name", "params", "arg", "expected"),
    [
        ("extract", (2, 1), 0b1101, 0b10),
        ("zero_extend", (4,), 0b1101, 0b1101),
        ("zero_extend", (0,), 0b1101, 0b1101),
        ("sign_extend", (4,), 0b1101, 0b11111101),
        ("sign_extend", (4,), 0b0101, 0b0101),
        ("repeat", (3,), 0b1101, 0b110111011101),
        ("rotate_left", (1,), 0b1101, 0b1011),
        ("rotate_left", (4,), 0b1101, 0b1101),
        ("rotate_left", (9,), 0b1101, 0b1011),
        ("rotate_right", (1,), 0b1101, 0b1110),
        ("rotate_right", (0,), 0b1101, 0b1101),
        ("ubv_to_int", (), 0b1101, 13),
        ("sbv_to_int", (), 0b1101, -3),
        ("sbv_to_int", (), 0b0101, 5),
    ],
)
def test_indexed_bits(name: str, params: tuple[int, ...], arg: int, expected: int) -> None:
    assert expected == on_bits(name, arg, params=params)


@pytest.mark.parametrize(("number", "expected"), [(5, 5), (-1, 15), (33, 1)])
def test_integer_to_bits(number: int, expected: int) -> None:
    assert expected == on_integers("int_to_bv", number, params=(4,))


def test_one_bit_is_signed_too() -> None:
    """The narrowest vector has the numbers 0 and -1."""
    assert -1 == on_bits("sbv_to_int", 1, width=1)
    assert 1 == on_bits("bvsdiv", 1, 1, width=1)


def test_arrays() -> None:
    """A store is read back, the default elsewhere, and the later store wins."""
    target = store(constant_array(array(INT, INT), integer(0)), integer(1), integer(7))
    again = store(target, integer(1), integer(8))
    assert [7, 0, 8] == [
        value_of_ground(apply("select", (t, integer(i)))) for t, i in ((target, 1), (target, 2), (again, 1))
    ]
    assert value_of_ground(equation(store(again, integer(1), integer(0)), store(target, integer(1), integer(0))))
    assert value_of_ground(equation(target, again)) is False


def test_arrays_that_list_all_their_indices() -> None:
    """Over Bool two arrays with different defaults are equal when everything is stored over."""
    sort = array(BOOL, INT)
    stored = [store(store(constant_array(sort, integer(n)), TRUE, integer(1)), FALSE, integer(2)) for n in (0, 5)]
    assert value_of_ground(equation(*stored)) is True
    assert value_of_ground(apply("distinct", tuple(stored))) is False


def test_array_equality_over_a_sort_of_unknown_size() -> None:
    """With one store in each, two arrays over colours are equal if there are just two colours."""
    sort = array(COLOUR, INT)
    red, blue = variable("red", COLOUR), variable("blue", COLOUR)
    values: dict[Term, Value] = {red: Element("red"), blue: Element("blue")}
    zero, one = (constant_array(sort, integer(n)) for n in (0, 1))
    left, right = store(zero, red, integer(1)), store(one, blue, integer(0))
    assert "unknown size" in reason(equation(left, right), values)
    assert "unknown size" in reason(apply("distinct", (left, right)), values)
    assert evaluate(equation(left, zero), values) is False
    assert evaluate(equation(left, left), values) is True


def test_an_index_that_may_be_another() -> None:
    """Arrays over colours are indices here: what is stored at one may be stored at the other."""
    inner = array(COLOUR, INT)
    first, second = variable("first", inner), variable("second", inner)
    values: dict[Term, Value] = {
        first: array_value(inner, 0, {Element("red"): 1}),
        second: array_value(inner, 1, {Element("blue"): 0}),
    }
    target = store(constant_array(array(inner, INT), integer(0)), first, integer(5))
    assert 5 == evaluate(apply("select", (target, first)), values)
    assert "may or may not" in reason(apply("select", (target, second)), values)
    assert "may or may not" in reason(store(target, second, integer(6)), values)


def test_datatypes() -> None:
    """Constructors, selectors, testers; a selector of another constructor is open."""
    one = cons(integer(1), NIL)
    assert DataValue("cons", (1, DataValue("nil"))) == value_of_ground(one)
    assert 1 == value_of_ground(head_of(one))
    assert DataValue("nil") == value_of_ground(tail_of(one))
    assert [True, False] == [value_of_ground(made_with("cons", term)) for term in (one, NIL)]
    assert "`head` applied to `nil`" == reason(head_of(NIL))


def test_variables() -> None:
    """A variable has the value assigned, as the type of its sort, or none."""
    x, y = variable("x", INT), variable("y", REAL)
    assert 5 == evaluate(apply("+", (x, integer(2))), {x: 3})
    assert isinstance(evaluate(y, {y: 1}), Fraction)
    assert "`x` has no value" == reason(x)


def test_a_literal_has_the_type_of_its_sort() -> None:
    """Literals that are equal as Python numbers are one term, whoever made it first."""
    assert isinstance(value_of_ground(literal(987654, REAL)), Fraction)
    assert isinstance(value_of_ground(real(987654)), Fraction)


def test_predicates_are_open() -> None:
    assert "uninterpreted predicate" in reason(predicate_term("p", ()))


def test_quantifiers_over_small_sorts() -> None:
    """Every value is tried, and a bound variable hides a free one of the same name."""
    v = variable("v", bitvec(8))
    b = variable("b", BOOL)
    square = equation(apply("bvmul", (v, v)), bits(1, 8))
    assert evaluate(quantifier("exists", (v,), square), {v: 0}) is True
    assert evaluate(quantifier("forall", (v,), square), {v: 1}) is False
    assert value_of_ground(quantifier("forall", (b,), apply("or", (b, apply("not", (b,)))))) is True
    assert "division by zero" == reason(quantifier("exists", (b,), apply("and", (b, OPEN))))
    assert value_of_ground(quantifier("exists", (b,), apply("or", (b, OPEN)))) is True


def nested_bytes(depth: int) -> Term:
    """`forall` over one byte after another; true, but only all combinations tell."""
    names = [variable(f"v{i}", bitvec(8)) for i in range(depth)]
    body = apply("bvuge", (apply("bvor", tuple(names)), names[0]))
    for name in names:
        body = quantifier("forall", (name,), body)
    return body


def test_quantifiers_that_are_left_open() -> None:
    """Infinite sorts, sorts too large, and too many combinations, at once or nested."""
    n, w = variable("n", INT), variable("w", bitvec(9))
    a, b = variable("a", bitvec(8)), variable("b", bitvec(8))
    assert "infinite or too large" in reason(quantifier("forall", (n,), equation(n, n)))
    assert "infinite or too large" in reason(quantifier("forall", (w,), equation(w, w)))
    assert "infinite or too large" in reason(quantifier("forall", (a, b), equation(a, b)))
    assert "too many combinations" in reason(nested_bytes(3))
    assert value_of_ground(nested_bytes(1)) is True


def test_a_quantifier_whose_variable_does_not_matter() -> None:
    """The body is false whatever the number is."""
    n = variable("n", INT)
    body = apply("and", (equation(n, integer(0)), FALSE))
    assert evaluate(quantifier("exists", (n,), body), {n: 0}) is False


DEEP = 100_000
LONG = 30_000


def test_deep_terms() -> None:
    """Sums, conjunctions, branches, stores and selectors nested a hundred thousand deep."""
    x, p = variable("x", INT), variable("p", BOOL)
    total, formula, branch = x, p, x
    stored = constant_array(array(INT, INT), integer(0))
    for n in range(DEEP):
        total = apply("+", (total, integer(1)))
        formula = apply("not", (apply("and", (formula, p)),))
        branch = apply("ite", (p, branch, integer(0)))
        stored = store(stored, integer(n), integer(1))
    values: dict[Term, Value] = {x: 3, p: True}
    assert DEEP + 3 == evaluate(total, values)
    assert evaluate(formula, values) is (DEEP % 2 == 0)
    assert 3 == evaluate(branch, values)
    assert 1 == evaluate(apply("select", (stored, integer(DEEP // 2))), values)


def test_deep_quantifiers() -> None:
    """Quantifiers nest without recursion; the number of trials is bounded."""
    body: Term = TRUE
    for n in range(2000):
        body = quantifier("exists", (variable(f"b{n}", BOOL),), body)
    assert value_of_ground(body) is True


def test_shared_terms_are_evaluated_once() -> None:
    """As a tree this sum would have 2^200 leaves."""
    term = apply("ite", (TRUE, integer(1), integer(0)))
    for _ in range(200):
        term = apply("+", (term, term))
    assert 2**200 == value_of_ground(term)


def test_long_lists() -> None:
    """A list of thirty thousand cells is built, compared and taken apart."""
    long = [NIL, NIL]
    for n in range(LONG):
        long = [cons(apply("+", (integer(n), integer(k))), cell) for k, cell in enumerate(long)]
    same = NIL
    for n in range(LONG):
        same = cons(apply("-", (apply("+", (integer(n), integer(1))), integer(1))), same)
    assert value_of_ground(equation(long[0], same)) is True
    assert value_of_ground(equation(long[0], long[1])) is False
    assert LONG - 2 == value_of_ground(head_of(tail_of(long[0])))


def test_a_value_of_another_sort_is_our_own_mistake() -> None:
    """An assignment that does not fit the sorts is reported, not evaluated."""
    wrong: list[tuple[Term, Sort]] = [
        (apply("+", (variable("i", INT), integer(1))), INT),
        (apply("abs", (variable("i", INT),)), INT),
        (made_with("nil", variable("i", LIST)), LIST),
        (apply("select", (variable("i", array(INT, INT)), integer(0))), array(INT, INT)),
    ]
    for term, sort in wrong:
        with pytest.raises(TypeError, match="of another sort"):
            evaluate(term, {variable("i", sort): Element("e")})
