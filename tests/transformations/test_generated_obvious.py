"""What is called obvious is true, and what a step may break is not called so."""

import pytest

from chc.sorts import DatatypeGroup
from chc.symbols import Symbols
from chc.terms import Term, variable
from chc.vocabulary import read_sort, read_term
from transformations.generated_obvious import obvious, tidy
from transformations.generated_settings import GROUPS

VARIABLES = {"x": "Int", "y": "Int", "r": "Real", "v": "(_ BitVec 4)", "a": "(Array Int Int)", "d": "Cells"}


def term(text: str) -> Term:
    symbols = Symbols()
    group: DatatypeGroup = GROUPS[0]
    symbols.datatypes.update((datatype.name, datatype) for datatype in group.datatypes)
    symbols.declare_datatypes(group)
    return read_term(text, symbols, [variable(name, read_sort(sort, symbols)) for name, sort in VARIABLES.items()])


@pytest.mark.parametrize(
    ("known", "goal"),
    [
        ("(>= x 3)", "(>= x 3)"),
        ("(>= x 3)", "(>= (+ x 1) 3)"),
        ("(<= x 3)", "(<= (- x 2) 1)"),
        ("(>= r 1.5)", "(>= (+ r 0.5) 2.0)"),
        ("(= (mod x 2) 1)", "(= (mod (+ x 4) 2) 1)"),
        ("(= (mod x 3) 2)", "(= (mod (+ x 2) 3) 1)"),
        ("(= (- x y) 2)", "(= (- (+ x 1) (+ y 1)) 2)"),
        ("(<= (- x y) 2)", "(<= (- (- x 1) y) 1)"),
        ("(= (bvand v #x3) #x2)", "(= (bvand (bvxor v #x5) #x3) #x3)"),
        ("(>= (select a 1) 0)", "(>= (select (store a 2 9) 1) 0)"),
        ("(>= x 0)", "(>= (select (store a y x) y) 0)"),
        ("((_ is cell) d)", "(= (item (cell 2 d)) 2)"),
        ("((_ is none) d)", "((_ is cell) (cell x d))"),
    ],
)
def test_what_a_step_keeps(known: str, goal: str) -> None:
    """The goal follows from what is known."""
    assert obvious(tidy(term(goal)), {term(known)})


@pytest.mark.parametrize(
    ("tidied", "untidy"),
    [
        ("x", "(item (cell x d))"),
        ("(item d)", "(item (rest (cell x d)))"),
        ("(select a x)", "(select a x)"),
        ("(select a 1)", "(select (store (store a 2 x) 3 y) 1)"),
        ("(select (store a y 1) x)", "(select (store a y 1) x)"),
        ("true", "(not (and ((_ is cell) none) (= (item none) 0)))"),
        ("(> x 0)", "(or ((_ is none) (cell x d)) (and ((_ is cell) (cell x d)) (> (item (cell x d)) 0)))"),
    ],
)
def test_tidying(tidied: str, untidy: str) -> None:
    """What is known about the form of a value is made use of."""
    assert term(tidied) is tidy(term(untidy))


@pytest.mark.parametrize(
    ("known", "goal"),
    [
        ("(>= x 3)", "(>= (- x 1) 3)"),
        ("(>= x 3)", "(<= (+ x 1) 9)"),
        ("(<= x 3)", "(<= (+ x y) 3)"),
        ("(>= x 3)", "(>= (* 2 x) 3)"),
        ("(= (mod x 2) 1)", "(= (mod (+ x 1) 2) 1)"),
        ("(= (mod x 2) 1)", "(= (mod x 4) 1)"),
        ("(= (- x y) 2)", "(= (- y x) 2)"),
        ("(= (- x y) 2)", "(= (- (+ x 1) y) 2)"),
        ("(= (bvand v #x3) #x2)", "(= (bvand (bvxor v #x1) #x3) #x2)"),
        ("(= (bvand v #x3) #x2)", "(= (bvand (bvadd v #x4) #x3) #x2)"),
        ("(bvule v #x3)", "(bvule (bvadd v #x1) #x4)"),
        ("(>= (select a 1) 0)", "(>= (select (store a x 9) 1) 0)"),
        ("(>= (select a 1) 0)", "(>= (select (store a 1 x) 1) 0)"),
        ("((_ is cell) d)", "((_ is cell) (rest d))"),
        ("(>= x 3)", "(= (item none) 0)"),
    ],
)
def test_what_a_step_may_break(known: str, goal: str) -> None:
    """The goal does not follow, or not by a rule that is known here."""
    assert not obvious(tidy(term(goal)), {term(known)})
