"""Texts: literals, names, sharing that is neither lost nor captures anything."""

from __future__ import annotations

from fractions import Fraction

import pytest

from chc.build import apply, conjunction, constant_array
from chc.instance import Atom, make_clause
from chc.printer import atom_term, show_atom, show_clause, show_declarations, show_literal, show_term
from chc.script import read_instance
from chc.sorts import BOOL, INT, array, bitvec
from chc.symbols import Symbols
from chc.terms import FALSE, TRUE, Term, bits, free_variables, integer, literal, quantifier, real, variable
from chc.vocabulary import read_term

X, Y = variable("x", INT), variable("y", INT)


def big(*leaves: Term) -> Term:
    """A term that is worth a name when it occurs twice."""
    return apply("+", tuple(apply("*", (leaves[n % len(leaves)], integer(n))) for n in range(20)))


def positive(term: Term) -> Term:
    return apply(">", (term, integer(0)))


def exists(bound: Term, *parts: Term) -> Term:
    return quantifier("exists", (bound,), conjunction(parts))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (TRUE, "true"),
        (FALSE, "false"),
        (integer(-3), "(- 3)"),
        (real(3), "3.0"),
        (real(Fraction(-1, 3)), "(- (/ 1.0 3.0))"),
        (bits(10, 8), "#x0a"),
        (bits(2, 3), "#b010"),
        (literal(1, bitvec(1)), "#b1"),
    ],
)
def test_literals(term: Term, text: str) -> None:
    assert text == show_literal(term) == show_term(term)


def test_large_shared_terms_are_named_once() -> None:
    """Small ones are repeated; names that are taken are not used."""
    taken = variable("a!1", INT)
    shared = big(X, taken)
    text = show_term(apply("=", (shared, apply("-", (shared, taken)))))
    assert text.startswith("(let ((a!2 (+ (* x 0)")
    assert text.endswith("(= a!2 (- a!2 a!1)))")
    assert "(= (+ x y) (+ x y))" == show_term(apply("=", (apply("+", (X, Y)), apply("+", (X, Y)))))


def reads_back(term: Term) -> bool:
    return term is read_term(show_term(term), Symbols(), free_variables([term]))


def test_names_do_not_leave_the_reach_of_their_variables() -> None:
    """A term over a bound variable is named below the quantifier, once in each; one over others outside."""
    inside, outside = big(X, Y), big(Y)
    formula = conjunction(
        [
            exists(X, positive(inside), positive(apply("-", (inside, outside)))),
            quantifier("forall", (X,), conjunction([positive(apply("-", (inside, inside))), positive(outside)])),
        ]
    )
    text = show_term(formula)
    assert text.startswith("(let ((a!1 ")
    assert 3 == text.count("(let ")
    assert reads_back(formula)


def test_a_bound_variable_never_hides_a_name() -> None:
    """Although it is called like one, and does not even occur."""
    shared = big(Y)
    formula = conjunction([positive(shared), exists(variable("a!1", BOOL), positive(shared), positive(X))])
    assert show_term(formula).startswith("(let ((a!2 ")
    assert reads_back(formula)


def test_what_is_free_here_and_bound_there_is_not_shared() -> None:
    """The same term over x, once outside and once below a quantifier over x: two different things."""
    shared = big(X)
    formula = conjunction([positive(shared), exists(X, positive(shared), positive(apply("-", (shared, Y))))])
    again = read_term(show_term(formula), Symbols(), [X, Y])
    assert formula is not again
    assert show_term(formula) == show_term(again)
    assert [X, Y] == free_variables([again])
    assert "(exists ((x!1 Int)) (let ((a!1 (+ (* x!1 0)" in show_term(formula)


def test_shared_quantifiers_do_not_blow_up() -> None:
    """Two different quantifiers over the two of the level below, fifty times over."""
    low: tuple[Term, Term] = (positive(X), positive(Y))
    for n in range(50):
        bound = variable(f"z{n}", INT)
        both = conjunction([*low, positive(bound)])
        low = quantifier("exists", (bound,), both), quantifier("forall", (bound,), both)
    assert len(show_term(low[0])) < 20_000
    assert reads_back(low[0])


def test_quantifiers_nested_a_hundred_deep() -> None:
    """Each with a term of its own variable that is worth a name."""
    formula: Term = TRUE
    for n in range(100):
        bound = variable(f"z{n}", INT)
        formula = exists(bound, positive(big(bound, X)), positive(apply("-", (big(bound, X), Y))), formula)
    assert reads_back(formula)


def test_cutting_off() -> None:
    """For people, not for solvers."""
    assert "(+ x…" == show_term(apply("+", (X, Y)), limit=4)
    assert "(+ x y)" == show_term(apply("+", (X, Y)), limit=7)
    assert "<term (+ x y)>" == repr(apply("+", (X, Y)))


def test_atoms_and_clauses() -> None:
    """Names in bars where they need them; `false` for no head."""
    atom = Atom("two words", (X,))
    assert ("(|two words| x)", "false") == (show_atom(atom), show_atom(None))
    assert "|two words|" == show_atom(Atom("two words", ()))
    assert show_atom(atom) == show_term(atom_term(atom))
    assert "(=> true false)" == show_clause(make_clause([]))
    assert "(forall ((x Int)) (=> (and (|two words| x) (> x 0)) false))" == show_clause(
        make_clause([positive(X)], [atom])
    )


def test_arrays() -> None:
    nested = constant_array(array(INT, array(INT, BOOL)), constant_array(array(INT, BOOL), TRUE))
    assert "((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) true))" == show_term(nested)


def test_scripts() -> None:
    """Byte for byte: logic, sorts, datatypes, predicates, clauses, question."""
    instance = read_instance("""
(declare-sort U 1)
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (one A) (two B))))))
(declare-fun |my P| ((Pair Int Bool) (_ BitVec 3)) Bool)
(assert (forall ((p (Pair Int Bool)) (b (_ BitVec 3))) (=> (two p) (|my P| p b))))
""")
    assert show_declarations(instance) == instance.text.splitlines()[1:4]
    assert (
        "(set-logic HORN)\n"
        "(declare-sort U 1)\n"
        "(declare-datatypes ((Pair 2)) ((par (A B) ((pair (one A) (two B))))))\n"
        "(declare-fun |my P| ((Pair Int Bool) (_ BitVec 3)) Bool)\n"
        "(assert (forall ((p (Pair Int Bool)) (b (_ BitVec 3))) (=> (two p) (|my P| p b))))\n"
        "(check-sat)\n"
    ) == instance.text
