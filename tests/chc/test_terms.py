"""Terms: interning, traversal, free variables, substitution; also where they nest a hundred thousand deep."""

from __future__ import annotations

import gc
import pickle
import sys
from fractions import Fraction
from random import Random
from threading import Thread

import pytest

from chc import terms
from chc.build import apply, conjunction, equation
from chc.evaluate import evaluate
from chc.printer import show_term
from chc.sorts import BOOL, INT, REAL, bitvec
from chc.symbols import Symbols
from chc.terms import (
    FALSE,
    SIZE_BEYOND_COUNTING,
    TRUE,
    FreeVariables,
    Kind,
    Term,
    bits,
    builtin,
    free_variables,
    fresh_name,
    integer,
    literal,
    literal_value,
    map_terms,
    quantifier,
    real,
    rebuild,
    substitute,
    subterms,
    tree_size,
    variable,
)
from chc.vocabulary import read_term

DEEP = 100_000
X, Y, Z = (variable(name, INT) for name in "xyz")
P = variable("p", BOOL)


def plus(*args: Term) -> Term:
    return apply("+", args)


def less(left: Term, right: Term) -> Term:
    return apply("<", (left, right))


def exists(bound: Term, body: Term) -> Term:
    return quantifier("exists", (bound,), body)


def tower(height: int) -> Term:
    term = X
    for _ in range(height):
        term = plus(term, integer(1))
    return term


def test_equal_means_identical() -> None:
    """The same parts give the same object; another sort another one."""
    assert plus(X, integer(1)) is plus(variable("x", INT), integer(1))
    assert X is not variable("x", REAL)
    assert 4 == len({TRUE, integer(1), real(1), bits(1, 1)})


def test_literals_of_equal_value_are_of_the_type_of_their_sort() -> None:
    """In Python True, 1 and 1/1 are equal keys: who comes first must not decide what is printed."""
    made = literal(True, INT), literal(7, REAL), literal(0, BOOL), literal(Fraction(3), bitvec(4))
    assert [int, Fraction, bool, int] == [type(literal_value(term)) for term in made]
    assert ["1", "7.0", "false", "#x3"] == [show_term(term) for term in made]
    assert (integer(1), FALSE) == (made[0], made[2])
    assert bits(255, 4) is bits(15, 4)


def test_terms_are_forgotten() -> None:
    """The table is weak: what nobody holds is gone."""
    before = len(terms._terms)
    held = [plus(X, integer(n)) for n in range(1000, 2000)]
    assert before + 1000 <= len(terms._terms)
    del held
    gc.collect()
    assert before + 10 > len(terms._terms)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("-", (integer(5),), integer(-5)),
        ("-", (integer(-5),), integer(5)),
        ("/", (real(1), real(3)), real(Fraction(1, 3))),
        ("/", (real(1), real(3), real(-2)), real(Fraction(-1, 6))),
        ("to_real", (integer(3),), real(3)),
    ],
)
def test_what_is_written_as_an_operation_is_a_literal(name: str, args: tuple[Term, ...], expected: Term) -> None:
    """However it is made: else it would print like a literal and be another term."""
    variables = tuple(variable(f"v{n}", arg.sort) for n, arg in enumerate(args))
    binding = dict(zip(variables, args, strict=True))
    assert expected is apply(name, args)
    assert expected is builtin(name, args, expected.sort)
    assert [expected] == substitute([apply(name, variables)], binding)
    assert [expected] == map_terms([apply(name, variables)], lambda term: binding.get(term, term))


def test_what_is_no_literal_stays_an_operation() -> None:
    """A difference, a division by zero, and a fraction that no text could hold."""
    assert Kind.BUILTIN is apply("-", (integer(5), integer(3))).kind
    assert Kind.BUILTIN is apply("/", (real(1), real(0))).kind
    huge = apply("/", (real(Fraction(1, 10**3000)), real(10**3000)))
    assert Kind.BUILTIN is huge.kind
    assert huge is read_term(show_term(huge), Symbols())


def test_subterms_come_once_and_after_their_arguments() -> None:
    """From left to right, also over several roots."""
    inner = plus(X, Y)
    product = apply("*", (inner, inner))
    assert [X, Y, inner, product, Z] == list(subterms([product, Z, inner]))


def test_subterms_passed_over() -> None:
    """What is not wanted is left out, with everything below it."""
    inner = plus(X, Y)
    assert [Z, plus(inner, Z)] == list(subterms([plus(inner, Z)], lambda term: term is not inner))


def test_free_variables_in_order() -> None:
    """From left to right, those that are bound here and free there as well."""
    formula = conjunction([exists(X, less(X, Z)), less(Y, X), exists(Y, less(X, Y))])
    assert [Z, Y, X] == free_variables([formula])
    assert [] == free_variables([quantifier("forall", (X, Y), less(X, Y))])
    assert [X] == free_variables([exists(Y, conjunction([less(X, Y), exists(X, less(X, Y))]))])
    assert frozenset((X, Y, Z)) == FreeVariables()(formula)


def test_quantifiers_over_nothing_vanish() -> None:
    assert P is quantifier("forall", (), P)


@pytest.mark.parametrize(
    ("formula", "binding", "expected"),
    [
        (less(X, Y), {X: Y, Y: X}, "(< y x)"),
        (exists(X, less(X, Y)), {X: Z}, "(exists ((x Int)) (< x y))"),
        (exists(X, less(X, Y)), {Y: X}, "(exists ((x!1 Int)) (< x!1 x))"),
        (exists(X, less(X, Y)), {Y: plus(Z, X)}, "(exists ((x!1 Int)) (< x!1 (+ z x)))"),
        (exists(X, exists(Y, less(X, Y))), {Z: X}, "(exists ((x Int)) (exists ((y Int)) (< x y)))"),
        (
            exists(X, exists(Y, less(plus(X, Y), Z))),
            {Z: plus(X, Y)},
            "(exists ((x!1 Int)) (exists ((y!1 Int)) (< (+ x!1 y!1) (+ x y))))",
        ),
        (
            exists(X, exists(variable("x!1", INT), less(plus(X, variable("x!1", INT)), Y))),
            {Y: X},
            "(exists ((x!1 Int)) (exists ((x!2 Int)) (< (+ x!1 x!2) x)))",
        ),
        (
            conjunction([less(X, Y), exists(X, conjunction([less(X, Y), exists(Y, less(X, Y))]))]),
            {X: Y, Y: X},
            "(and (< y x) (exists ((x!1 Int)) (and (< x!1 x) (exists ((y!1 Int)) (< x!1 y!1)))))",
        ),
    ],
)
def test_substitution(formula: Term, binding: dict[Term, Term], expected: str) -> None:
    """Simultaneous, and nothing is captured."""
    assert expected == show_term(substitute([formula], binding)[0])


def test_a_name_is_captured_whatever_its_sort() -> None:
    """In a text `x` is `x`: a Boolean of that name must not get under a quantifier over integers of that name."""
    arriving = variable("x", BOOL)
    (found,) = substitute([exists(X, conjunction([less(X, Y), P]))], {P: arriving})
    assert "(exists ((x!1 Int)) (and (< x!1 y) x))" == show_term(found)


def test_fresh_names() -> None:
    """The wish, or the stem with the first number that is free."""
    assert "x" == fresh_name("x", set[str]().__contains__)
    assert "x!2" == fresh_name("x", {"x", "x!1"}.__contains__)
    assert "x!1" == fresh_name("x!7", {"x!7"}.__contains__)
    assert "v!1" == fresh_name("!x", {"!x"}.__contains__)


def test_rebuilding_and_mapping() -> None:
    """The same node over other arguments; every node changed, leaves first."""
    assert plus(Y, Z) is rebuild(plus(X, Y), (Y, Z))
    assert [plus(Z, plus(Z, Y))] == map_terms([plus(X, plus(X, Y))], lambda term: Z if term is X else term)


def test_tree_size() -> None:
    """Without sharing; numbers that nobody could count are cut off."""
    assert 7 == tree_size(plus(plus(X, Y), plus(X, Y)))
    term = X
    for _ in range(1000):
        term = plus(term, term)
    assert SIZE_BEYOND_COUNTING == tree_size(term)


def test_knowing_quantifiers() -> None:
    """Every term knows whether there is one below it."""
    formula = exists(X, less(X, Y))
    assert formula.has_quantifier
    assert conjunction([P, apply("not", (formula,))]).has_quantifier
    assert not less(X, Y).has_quantifier


def test_depth_is_no_problem() -> None:
    """Printed, read, substituted, evaluated, measured, sent to another process."""
    deep = tower(DEEP)
    assert deep is read_term(show_term(deep), Symbols(), [X])
    (changed,) = substitute([deep], {X: integer(5)})
    assert DEEP + 5 == evaluate(changed, {})
    assert [X] == free_variables([deep])
    assert 2 * DEEP + 1 == tree_size(deep)
    assert deep is pickle.loads(pickle.dumps(deep))


def test_deep_terms_can_be_thrown_away() -> None:
    """Whether by the last reference or by the collector, without a crash of the interpreter."""
    held = [tower(DEEP)]
    cycle: list[object] = [held.pop()]
    cycle.append(cycle)
    del cycle
    gc.collect()
    by_reference = tower(DEEP)
    del by_reference
    assert X is tower(0)


def test_deep_ite() -> None:
    """One inside the other, as a translated switch has them."""
    term: Term = X
    for n in range(DEEP):
        term = apply("ite", (less(X, integer(n % 7)), term, integer(n)))
    assert term is read_term(show_term(term), Symbols(), [X])
    assert DEEP - 1 == evaluate(term, {X: 7})


def test_deep_let() -> None:
    """Each name used twice in the next: as a tree it would have 2^100000 leaves."""
    opening = "".join(f"(let ((n{n} (+ n{n - 1} n{n - 1}))) " for n in range(1, DEEP))
    text = f"(let ((n0 x)) {opening}n{DEEP - 1}{')' * DEEP}"
    term = read_term(text, Symbols(), [X])
    assert SIZE_BEYOND_COUNTING == tree_size(term)
    assert term is read_term(show_term(term), Symbols(), [X])


def test_pickled_terms_keep_their_sharing_and_identity() -> None:
    """Quantifiers and their variables too."""
    formula = exists(X, conjunction([less(X, Y), equation(plus(X, X), Z)]))
    assert (formula, [formula, X]) == pickle.loads(pickle.dumps((formula, [formula, X])))


def make_and_drop(seed: int, failures: list[str]) -> None:
    random = Random(seed)
    for _ in range(4000):
        sum_ = plus(integer(random.randrange(50)), variable(f"t{random.randrange(5)}", INT))
        if plus(*sum_.args) is not sum_ or apply("*", (sum_, X)) is not apply("*", (plus(*sum_.args), X)):
            failures.append(f"a second {show_term(sum_)}")


def test_threads_agree_on_terms() -> None:
    """Equal terms made at the same time in several threads, and dropped again, are one."""
    failures: list[str] = []
    threads = [Thread(target=make_and_drop, args=(seed, failures)) for seed in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert [] == failures
