"""Facts of parametric datatypes get their sorts back, and none grows out of hand."""

import pytest

from backends.ground_text import beginning, text_of_fact
from backends.unreadable import Unreadable
from chc.printer import show_atom
from chc.script import read_instance
from chc.sexpr import read_expressions
from chc.vocabulary import read_atom, symbols_of

INSTANCE = read_instance(
    """(set-logic HORN)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (first A) (second B))))))
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-fun P (Int (List Int)) Bool)
(declare-fun Q ((Pair (List Bool) (Array Int (List Real)))) Bool)
(declare-fun T (Tree) Bool)
(declare-fun |a b| () Bool)
(check-sat)
"""
)
SYMBOLS = symbols_of(INSTANCE)
FACTS = {
    "nothing to add": ("(P 1 (cons 2 (as nil (List Int))))", "(P 1 (cons 2 (as nil (List Int))))"),
    "last field": ("(P (- 1) (cons 2 nil))", "(P (- 1) (cons 2 (as nil (List Int))))"),
    "alone": ("(P 1 nil)", "(P 1 (as nil (List Int)))"),
    "in a pair": (
        "(Q (pair nil ((as const (Array Int (List Real))) nil)))",
        "(Q (pair (as nil (List Bool)) ((as const (Array Int (List Real))) (as nil (List Real)))))",
    ),
    "in an array": (
        "(Q (pair (cons true nil) (store ((as const (Array Int (List Real))) nil) 3 (cons 1.5 nil))))",
        "(Q (pair (cons true (as nil (List Bool))) "
        "(store ((as const (Array Int (List Real))) (as nil (List Real))) 3 (cons 1.5 (as nil (List Real))))))",
    ),
    "no parameters": ("(T (node leaf leaf))", "(T (node leaf leaf))"),
    "no arguments": ("|a b|", "|a b|"),
}


@pytest.mark.parametrize(("printed", "meant"), FACTS.values(), ids=FACTS)
def test_facts(printed: str, meant: str) -> None:
    """What z3 prints reads as what it means."""
    (expression,) = read_expressions(printed)
    found = read_atom(text_of_fact(expression, SYMBOLS), SYMBOLS)
    assert show_atom(read_atom(meant, SYMBOLS)) == show_atom(found)


@pytest.mark.parametrize("printed", ["( P )", "( P 1 2 3 )", "( X nil )", "( ( as P ) nil )", "( )", "nil"])
def test_what_is_no_fact_is_passed_on(printed: str) -> None:
    """The reader will say what is wrong with it."""
    (expression,) = read_expressions(printed)
    assert printed == text_of_fact(expression, SYMBOLS)


def test_doubling_by_sharing() -> None:
    """A tree with 2^50 leaves fits into few lines, but is not written out."""
    text = "(T a!50)"
    for number in range(50, 0, -1):
        text = f"(let ((a!{number} (node a!{number - 1} a!{number - 1}))) {text})"
    (expression,) = read_expressions(f"(let ((a!0 leaf)) {text})")
    with pytest.raises(Unreadable, match="too large"):
        text_of_fact(expression, SYMBOLS)
    assert beginning(expression).startswith("( T ( node ( node")
