"""Fragments: shape, theories, size, and the short label."""

from __future__ import annotations

import itertools

import pytest

from chc.fragment import Fragment, Theory, fragment_of
from chc.script import read_instance

P = "(declare-fun P (Int) Bool)"
LIST = "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (car T) (cdr (L T)))))))"


def fragment(text: str) -> Fragment:
    return fragment_of(read_instance(text))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("(declare-fun Q (Bool) Bool)(assert (Q true))", "Bool-lin"),
        (P, "LIA-lin"),
        (P + "(assert (=> (P 1) (P 2) false))", "LIA-nonlin"),
        ("(declare-fun R (Real) Bool)", "LRA-lin"),
        (P + "(assert (forall ((x Int)) (=> (> (* x 1.5) 2) (P x))))", "LIRA-lin"),
        (P + "(assert (forall ((x Int)) (=> (= (* x x) 4) (P x))))", "NIA-lin"),
        (P + "(assert (forall ((x Int)) (=> (= (* 2 x (- 3)) 4) (P x))))", "LIA-lin"),
        (P + "(assert (forall ((x Int)) (=> (= (mod x 3) 1) (P x))))", "LIA-lin"),
        (P + "(assert (forall ((x Int)) (=> (= (mod 3 x) 1) (P x))))", "NIA-lin"),
        ("(declare-fun B ((_ BitVec 8)) Bool)", "BV-lin"),
        ("(assert (forall ((b (_ BitVec 8))) (not (= (bvmul b b) b))))", "BV-lin"),
        ("(declare-fun A ((Array Int Int)) Bool)", "LIA-Arrays-lin"),
        (
            LIST + "(declare-fun D ((L Int)) Bool)(assert (=> (D (as nil (L Int))) (D (as nil (L Int))) false))",
            "ADT-LIA-nonlin",
        ),
        (LIST + "(declare-fun A ((Array Int Int)) Bool)", "ADT-LIA-Arrays-lin"),
        ("(declare-sort U 0)(declare-fun Q (U) Bool)", "US-lin"),
        (P + "(assert (=> (forall ((x Int)) (> x 0)) (P 1)))", "LIA-Quant-lin"),
        ("(assert false)", "Bool-lin"),
    ],
)
def test_labels(text: str, label: str) -> None:
    """In the manner of the competition's tracks."""
    assert label == fragment(text).label


@pytest.mark.parametrize(
    ("text", "theories"),
    [
        (P, {Theory.integers}),
        ("(assert (forall ((x Bool)) (not x)))", {Theory.booleans}),
        (
            "(declare-fun A ((Array Int (Array Bool Real))) Bool)",
            {Theory.arrays, Theory.nested_arrays, Theory.integers, Theory.reals, Theory.booleans},
        ),
        (LIST, {Theory.datatypes, Theory.parametric}),
        ("(declare-datatype T ((mk (f (_ BitVec 2)))))", {Theory.datatypes, Theory.bit_vectors}),
        ("(assert (=> (exists ((x Real)) (is_int x)) false))", {Theory.reals, Theory.booleans, Theory.mixed}),
        (
            "(assert (forall ((b (_ BitVec 2))) (=> (= (ubv_to_int b) 1) false)))",
            {Theory.bit_vectors, Theory.integers, Theory.booleans},
        ),
        ("(assert (=> (not (exists ((x Real)) (> x 0))) false))", {Theory.reals, Theory.booleans, Theory.quantifiers}),
        ("(declare-sort U 0)", {Theory.uninterpreted}),
    ],
)
def test_theories(text: str, theories: set[Theory]) -> None:
    """Declared or used; the variables of a clause are no quantifiers."""
    assert theories == fragment(text).theories


@pytest.mark.parametrize(
    ("clauses", "recursive"),
    [
        ("(assert (P 1))", False),
        ("(assert (=> (P 1) (P 2)))", True),
        ("(assert (=> (P 1) (Q 1)))(assert (=> (Q 1) (R 1)))(assert (=> (P 1) (R 1)))", False),
        ("(assert (=> (P 1) (Q 1)))(assert (=> (Q 1) (R 1)))(assert (=> (R 1) (P 1)))", True),
        ("(assert (=> (P 1) (Q 1)))(assert (=> (P 1) (Q 1) false))", False),
    ],
)
def test_recursion(clauses: str, recursive: bool) -> None:
    """Directly or around a corner."""
    declared = P + "(declare-fun Q (Int) Bool)(declare-fun R (Int) Bool)"
    assert recursive is fragment(declared + clauses).recursive


def test_sizes() -> None:
    """Clauses, predicates, and distinct subterms with atoms."""
    found = fragment(P + "(assert (forall ((x Int)) (=> (< x (+ x 1)) (P x))))(assert (not (P 0)))")
    assert (2, 1, 4 + 1 + 1 + 1) == (found.clauses, found.predicates, found.nodes)


def test_long_chains() -> None:
    """Ten thousand predicates, each resting on the one before."""
    names = [f"P{n}" for n in range(10_000)]
    text = "".join(f"(declare-fun {name} () Bool)" for name in names)
    text += "".join(f"(assert (=> {a} {b}))" for a, b in itertools.pairwise(names))
    assert not fragment(text).recursive
