"""Eldarica's models with their quirks, its refutations, and texts that are neither."""

import pytest

from backends.eldarica_sizes import LARGEST
from backends.eldarica_witness import derivation_in, has_own_words, model_in
from backends.unreadable import LONGEST_WITNESS, Malformed, Unreadable
from chc.evaluate import evaluate
from chc.instance import Instance
from chc.printer import show_atom, show_term
from chc.script import read_instance
from chc.terms import FALSE, TRUE, Term
from chc.vocabulary import read_term, symbols_of

LISTS = read_instance(
    """(set-logic HORN)
(declare-datatypes ((Tree 0) (Forest 0))
  (((leaf (label Int)) (node (left Tree) (right Tree)) (inner (below Forest)))
   ((none) (more (first Tree) (rest Forest)))))
(declare-datatypes ((Box 0)) (((box (content Tree)))))
(declare-fun P (Tree Int) Bool)
(declare-fun A (Box) Bool)
(declare-fun Unused (Int) Bool)
(assert (forall ((t Tree)) (=> (and (P t 0) (A (box t))) false)))
(assert (forall ((x Int)) (=> (Unused x) (Unused x))))
(check-sat)
"""
)
BITS = read_instance(
    """(set-logic HORN)
(declare-fun P ((_ BitVec 8) Int Bool) Bool)
(assert (forall ((b (_ BitVec 8))) (=> (P b 0 true) false)))
(check-sat)
"""
)


def body(condition: str, instance: Instance = LISTS, parameters: str = "(A Tree) (B Int)") -> Term:
    boxes = "(define-fun A ((A Box)) Bool false)" if instance is LISTS else ""
    return model_in(f"({boxes} (define-fun P ({parameters}) Bool {condition}))", instance).interpretations["P"].body


def test_predicates_that_are_left_out() -> None:
    """No clause says anything of `Unused`; `A` only stands in a body, `P` would be missed."""
    model = model_in("((define-fun P ((A Tree) (B Int)) Bool false))", LISTS)
    assert {"P", "A", "Unused"} == set(model.interpretations)
    assert FALSE is model.interpretations["A"].body


def test_predicate_that_is_only_concluded_may_hold_everywhere() -> None:
    """Where it is needed on both sides nobody can say what was meant, and nobody is blamed."""
    text = "(set-logic HORN)(declare-fun P (Int) Bool)(assert (P 0)){}(check-sat)"
    assert TRUE is model_in("()", read_instance(text.format(""))).interpretations["P"].body
    both = read_instance(text.format("(assert (forall ((x Int)) (=> (and (P x) (> x 3)) false)))"))
    with pytest.raises(Unreadable, match="says nothing about the predicate `P`") as caught:
        model_in("()", both)
    assert caught.type is Unreadable


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("(is-node A)", "((_ is node) A)"),
        ("(and (is-leaf A) (= (label A) B))", "(and ((_ is leaf) A) (= (label A) B))"),
        ("(exists ((var0 Int)) (= B (+ var0 1)))", "(exists ((var0 Int)) (= B (+ var0 1)))"),
    ],
)
def test_datatypes(written: str, meant: str) -> None:
    """Testers are written as nobody else writes them."""
    assert meant == show_term(body(written))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("(<= A 17)", "(<= (bv2nat A) 17)"),
        ("(>= (- (* 2 A) B) 3)", "(>= (- (* 2 (bv2nat A)) B) 3)"),
        ("(= A B)", "(= (bv2nat A) B)"),
        ("(= A (_ bv16 8))", "(= A #x10)"),
        ("(bvule A (_ bv3 8))", "(bvule A #x03)"),
        ("(<= (ubv_to_int A) 17)", "(<= (bv2nat A) 17)"),
        ("(not (= C true))", "(not (= C true))"),
    ],
)
def test_bits(written: str, meant: str) -> None:
    """A bit-vector that is used as an integer is one, without a sign."""
    assert meant == show_term(body(written, BITS, "(A (_ BitVec 8)) (B Int) (C Bool)"))


def size_of(text: str) -> int:
    return sum(text.count(word) for word in ("leaf", "node", "inner", "more", "none"))


@pytest.mark.parametrize("relation", ["<=", "<", ">=", ">", "="])
@pytest.mark.parametrize("bound", range(LARGEST + 1))
def test_sizes(relation: str, bound: int) -> None:
    """A size against a number says what counting the constructors would; labels do not count."""
    trees = [
        "(leaf 7)",
        "(inner none)",
        "(node (leaf 1) (leaf 2))",
        "(node (node (leaf 1) (leaf 2)) (inner none))",
        "(inner (more (leaf 3) (more (leaf 4) none)))",
    ]
    symbols = symbols_of(LISTS)
    for written in (f"({relation} (_size A) {bound})", f"({_mirrored(relation)} {bound} (_size A))"):
        condition = body(written)
        params = model_in(f"((define-fun P ((A Tree) (B Int)) Bool {written}))", LISTS).interpretations["P"].params
        for tree in trees:
            value = evaluate(read_term(tree, symbols), {})
            expected = {
                "<=": size_of(tree) <= bound,
                "<": size_of(tree) < bound,
                ">=": size_of(tree) >= bound,
                ">": size_of(tree) > bound,
                "=": size_of(tree) == bound,
            }
            assert expected[relation] is evaluate(condition, {params[0]: value}), (written, tree)


def _mirrored(relation: str) -> str:
    return relation.translate(str.maketrans("<>", "><"))


def test_size_of_what_is_declared_apart_does_not_count() -> None:
    """A box is of size one, whatever is in it."""
    text = "((define-fun P ((A Tree) (B Int)) Bool false) (define-fun A ((A Box)) Bool (<= (_size A) 1)))"
    assert "((_ is box) A)" == show_term(model_in(text, LISTS).interpretations["A"].body)


@pytest.mark.parametrize(
    "condition", ["(>= (_size A) B)", "(>= (+ (_size A) 1) 2)", "(= (_size A) (_size A))", "(<= (_size A) 100)"]
)
def test_sizes_that_cannot_be_said(condition: str) -> None:
    """Nobody is blamed for them."""
    with pytest.raises(Unreadable, match="size") as caught:
        body(condition)
    assert caught.type is Unreadable


@pytest.mark.parametrize(
    ("condition", "guessed"), [("(<= A 3)", True), ("(<= (ubv_to_int A) 3)", False), ("(= A (_ bv3 8))", False)]
)
def test_guesses(condition: str, *, guessed: bool) -> None:
    """What is not SMT-LIB has been guessed, also if it is certainly meant so."""
    text = f"((define-fun P ((A (_ BitVec 8)) (B Int) (C Bool)) Bool {condition}))"
    assert guessed == has_own_words(text, BITS)


FACTS = read_instance(
    """(set-logic HORN)
(declare-datatypes ((List 1)) ((par (X) ((nil) (cons (head X) (tail (List X)))))))
(declare-fun P ((List Int) (Array Int Int)) Bool)
(declare-fun |a
b| () Bool)
(assert (forall ((l (List Int)) (a (Array Int Int))) (=> (P l a) |a
b|)))
(assert (=> |a
b| false))
(check-sat)
"""
)


def test_refutation() -> None:
    """From the root on, with premises below; a name may break a line."""
    array = "((as const (Array Int Int)) 8)"
    lines = [
        "0: false -> 1",
        "1: |a\nb| -> 2, 3",
        f"2: (P (cons (- 1) nil) (store {array} 0 7)) -> 3",
        f"3: (P nil {array})",
    ]
    found = derivation_in("\n\n" + "\n".join(lines) + "\n\n", FACTS)
    empty = "(as nil (List Int))"
    assert [
        (f"(P {empty} {array})", ()),
        (f"(P ((as cons (List Int)) (- 1) {empty}) (store {array} 0 7))", (0,)),
        ("|a\nb|", (1, 0)),
        ("false", (2,)),
    ] == [(show_atom(each.fact), each.premises) for each in found.facts]


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("", Malformed, "there is no refutation"),
        ("0: |a\nb|\n", Malformed, "root of the refutation is not false"),
        ("0: false -> 0\n", Malformed, "names no lines below"),
        ("0: false -> 1\n", Malformed, "names no lines below"),
        ("0: false -> x\n", Malformed, "names no lines below"),
        ("0: false -> 1\n1: (P nil", Malformed, "line 1 of the refutation is broken"),
        ("0: false -> 1\n1: (Q 0)\n", Unreadable, "cannot be read"),
        ("x" * (LONGEST_WITNESS + 1), Unreadable, "longer than"),
    ],
)
def test_what_is_none(text: str, kind: type[Unreadable], reason: str) -> None:
    """Each says why; what breaks off is told from what we do not understand."""
    with pytest.raises(kind, match=reason) as caught:
        derivation_in(text, FACTS)
    assert kind is caught.type
