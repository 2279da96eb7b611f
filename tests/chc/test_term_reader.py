"""Every form of term is read, sorted and printed again; what is wrong is refused at its place."""

from __future__ import annotations

import pytest

from chc.lexer import Limits, ReadError, tokenize
from chc.printer import show_term
from chc.script import read_instance
from chc.sorts import BOOL, INT, REAL, array, bitvec, make_sort, show_sort
from chc.symbols import Symbols
from chc.term_reader import TermReader
from chc.terms import Term, tree_size, variable
from chc.vocabulary import read_term, symbols_of

INSTANCE = read_instance("""
(declare-sort Colour 0)
(declare-datatypes ((Ints 0)) (((none) (more (head Int) (tail Ints)))))
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (car T) (cdr (List T)))))))
(declare-fun P (Int) Bool)
""")
SYMBOLS = symbols_of(INSTANCE)
VARIABLES = (
    *(variable(name, INT) for name in ("x", "y", "two words")),
    *(variable("p", BOOL), variable("r", REAL), variable("b", bitvec(8))),
    *(variable("a", array(INT, INT)), variable("l", make_sort("Ints"))),
    *(variable("k", make_sort("List", (INT,))), variable("c", make_sort("Colour"))),
)


def read(text: str) -> Term:
    return read_term(text, SYMBOLS, VARIABLES)


def refusal(text: str) -> str:
    with pytest.raises(ReadError) as caught:
        read(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "shown", "sort"),
    [
        ("5", "5", "Int"),
        ("007", "7", "Int"),
        ("(- 5)", "(- 5)", "Int"),
        ("(- (- 5))", "5", "Int"),
        ("1.50", "(/ 3.0 2.0)", "Real"),
        ("2.0", "2.0", "Real"),
        ("(- 0.5)", "(- (/ 1.0 2.0))", "Real"),
        ("(/ 1.0 3.0)", "(/ 1.0 3.0)", "Real"),
        ("(/ (- 1) 3)", "(- (/ 1.0 3.0))", "Real"),
        ("(/ 6 3)", "2.0", "Real"),
        ("(/ 1.0 0.0)", "(/ 1.0 0.0)", "Real"),
        ("(to_real 3)", "3.0", "Real"),
        ("#xfF", "#xff", "(_ BitVec 8)"),
        ("#b101", "#b101", "(_ BitVec 3)"),
        ("(_ bv5 8)", "#x05", "(_ BitVec 8)"),
        ("(_ bv1 1)", "#b1", "(_ BitVec 1)"),
        ("true", "true", "Bool"),
        ("|true|", "true", "Bool"),
        ("|x|", "x", "Int"),
        ("|two words|", "|two words|", "Int"),
        ("(|+| x 1)", "(+ x 1)", "Int"),
        ("((_ extract 3 0) b)", "((_ extract 3 0) b)", "(_ BitVec 4)"),
        ("((_ int_to_bv 8) x)", "((_ int2bv 8) x)", "(_ BitVec 8)"),
        (
            "((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) true))",
            "((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) true))",
            "(Array Int (Array Int Bool))",
        ),
        ("(select (store a x 1) y)", "(select (store a x 1) y)", "Int"),
        ("none", "none", "Ints"),
        ("(as none Ints)", "none", "Ints"),
        ("(as nil (List Bool))", "(as nil (List Bool))", "(List Bool)"),
        ("(cons 1 (as nil (List Int)))", "((as cons (List Int)) 1 (as nil (List Int)))", "(List Int)"),
        (
            "((as cons (List Real)) 1 (as nil (List Real)))",
            "((as cons (List Real)) 1.0 (as nil (List Real)))",
            "(List Real)",
        ),
        ("(car k)", "(car k)", "Int"),
        ("(cdr k)", "(cdr k)", "(List Int)"),
        ("((_ is cons) k)", "((_ is cons) k)", "Bool"),
        ("(is-more l)", "((_ is more) l)", "Bool"),
        ("(! (< x y) :named foo :pattern ((+ x y)) :weight 5 :flag)", "(< x y)", "Bool"),
        ("(let ((x y) (y x)) (< x y))", "(< y x)", "Bool"),
        ("(let ((z (+ x 1))) (let ((z (* z 2))) z))", "(* (+ x 1) 2)", "Int"),
        ("(+ (let ((x 1)) x) x)", "(+ 1 x)", "Int"),
        ("(let ((true false)) true)", "false", "Bool"),
        ("(and (let ((true p)) true) true |true|)", "(and p true true)", "Bool"),
        ("(exists ((x Bool)) (and x p))", "(exists ((x!1 Bool)) (and x!1 p))", "Bool"),
        ("(let ((z x)) (exists ((x Int)) (< x z)))", "(exists ((x!1 Int)) (< x!1 x))", "Bool"),
        ("(forall ((head Ints)) (= (head head) 1))", "(forall ((head!1 Ints)) (= (head head!1) 1))", "Bool"),
        ("(exists ((and Bool)) (and and p))", "(exists ((and!1 Bool)) (and and!1 p))", "Bool"),
        ("(exists ((P Int)) (< P 1))", "(exists ((P!1 Int)) (< P!1 1))", "Bool"),
        ("(exists ((z Int)) (exists ((z Bool)) z))", "(exists ((z Int)) (exists ((z!1 Bool)) z!1))", "Bool"),
        ("(forall () p)", "p", "Bool"),
        ("(match l ((none 0) ((more h t) h)))", "(ite ((_ is none) l) 0 (head l))", "Int"),
        ("(match l (((more h _) h) (_ 7)))", "(ite ((_ is more) l) (head l) 7)", "Int"),
        ("(match l ((none 0) (other (head other))))", "(ite ((_ is none) l) 0 (head l))", "Int"),
        ("(match k (((cons x rest) x) (nil x)))", "(ite ((_ is cons) k) (car k) x)", "Int"),
        ("(match l ((none 0) ((more h t) 1.5)))", "(ite ((_ is none) l) 0.0 (/ 3.0 2.0))", "Real"),
        ("(ite p x 1.5)", "(ite p (to_real x) (/ 3.0 2.0))", "Real"),
        ("(= c c)", "(= c c)", "Bool"),
        ("(=> p p (< x y))", "(=> p p (< x y))", "Bool"),
        ("(distinct x y 3)", "(distinct x y 3)", "Bool"),
    ],
)
def test_terms(text: str, shown: str, sort: str) -> None:
    """What is read prints in one form, has its sort, and reads back as itself."""
    term = read(text)
    assert (shown, sort) == (show_term(term), show_sort(term.sort))
    assert term is read(shown)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(+ x\n  (* y z))", "2:8: `z` is not declared and is no operation of a supported theory"),
        ("(f x)", "1:1: `f` is not declared and is no operation of a supported theory"),
        ("(and p\n (+ x p))", "2:2: `+` expects Int or Real arguments, found (Int Bool)"),
        ("(head l l)", "1:1: `head` expects one argument of sort Ints, found (Ints Ints)"),
        ("(head k)", "1:1: `head` expects one argument of sort Ints, found ((List Int))"),
        ("(more 1)", "1:1: `more` expects 2 arguments, found 1"),
        ("(more true none)", "1:1: argument 1 of `more` is of sort Bool, expected Int"),
        ("nil", "1:1: the sort of `nil` is open in T; write (as nil SORT)"),
        ("(as nil Ints)", "1:2: `nil` does not construct Ints"),
        ("(as x Bool)", "1:2: `x` is not declared and is no operation of a supported theory"),
        ("(as nil (List))", "1:9: `List` expects 1 argument, found 0"),
        ("((_ is x) l)", "1:1: `x` is no constructor of a declared datatype"),
        ("((_ is cons) l)", "1:1: (_ is cons) expects one argument of sort List"),
        ("(extract b)", "1:1: `extract` needs indices, as in ((_ extract 1) x)"),
        ("(_ foo 1)", "1:2: `(_ foo …)` is not a term by itself"),
        ("(_ bv8 3)", "1:2: `bv8` does not fit 3 bits"),
        ("(_ bv0 0)", "1:2: `bv0` does not fit 0 bits"),
        ("((x) 1)", "1:3: expected `_` or `as` behind `((`, found `x`"),
        ("()", "1:2: expected a term, found `()`"),
        (")", "1:1: expected a term, found `)`"),
        ("x y", "1:3: something follows where the text should end"),
        ("(+ x", "1:5: the text ends inside a term; a `)` is missing"),
        ("(", "1:2: the text ends inside a term; a `)` is missing"),
        ("", "1:1: the text ends inside a term; a `)` is missing"),
        ("1.", "1:1: `1.` is not a number"),
        ("1_0", "1:1: `1_0` is not a number"),
        ("٣", "1:1: `٣` is not a number"),
        ("#x+5", "1:1: `#x+5` is not a number"),
        ("#b0b1", "1:1: `#b0b1` is not a number"),
        ("#o7", "1:1: `#o7` is not a number"),
        ("9" * 4001, "1:1: a number with more than 4000 digits"),
        (":key", "1:1: expected a term, found `:key`"),
        ('"text"', '1:1: expected a term, found `"text"`'),
        ("|x", "1:1: expected a term, found `|`"),
        ("(let ((z 1) (z 2)) z)", "1:18: `let` binds a name twice"),
        ("(let () 1)", "1:7: expected `(` before a binding of `let`, found `)`"),
        ("(let ((z 1)))", "1:13: `let` has no body"),
        ("(let ((z 1)) z z)", "1:16: `let` has more than one body"),
        ("(let ((z 1) z) z)", "1:13: expected `)` after the bindings of `let`, found `z`"),
        ("(let ((5 1)) 5)", "1:8: expected the name that `let` binds, found `5`"),
        ("(forall ((z Int)) z)", "1:19: `forall` expects one formula as its body"),
        ("(forall ((z Int)))", "1:18: `forall` has no body"),
        ("(forall ((z Int)) p p)", "1:21: `forall` expects one formula as its body"),
        ("(forall (z) p)", "1:10: expected `(` or `)` in a list of variables, found `z`"),
        ("(forall ((z Int) (z Int)) p)", "1:25: a variable is bound twice in one list"),
        ("(forall ((z Unheard)) p)", "1:13: the sort `Unheard` is not declared"),
        ("(forall ((let Int)) p)", "1:11: expected the name of a variable, found the reserved word `let`"),
        ("(! p foo)", "1:6: expected an attribute such as `:named`"),
        ("(!)", "1:3: `!` has no term"),
        ("(match l ((none 0)))", "1:20: `match` has no case for more"),
        ("(match l ())", "1:12: `match` has no case"),
        ("(match x ((none 0)))", "1:8: `match` expects a datatype, found Int"),
        ("(match l (((more h) 0)))", "1:19: `more` with 1 fields is no pattern of Ints"),
        ("(match l ((nil 0)))", "1:12: `nil` with 0 fields is no pattern of Ints"),
        ("(match l (((more h h) 0)))", "1:21: a pattern binds a name twice"),
        ("(match l (((more h", "1:19: the text ends where a variable of a pattern was expected"),
        (
            "(match l ((none p) ((more h t) h)))",
            "1:35: `ite` expects a Bool and two arguments of one sort, found (Bool Bool Int)",
        ),
        (
            "(match l ((none (P 1)) (_ p)))",
            "1:30: `match` over predicates is not supported; write one clause for each case",
        ),
    ],
)
def test_refusals(text: str, message: str) -> None:
    """Line, column, what was found and what was expected."""
    assert message == refusal(text)


def test_let_does_not_blow_up() -> None:
    """Sixty doublings are sixty nodes; as a tree there would be 2^60."""
    text = "x"
    for n in range(60):
        text = f"(let ((z{n} {text})) (+ z{n} z{n}))"
    term = read(text)
    assert 2**61 - 1 == tree_size(term)
    assert len(show_term(term)) < 4000
    assert term is read(show_term(term))


def test_wide_literals_survive() -> None:
    """A bit-vector may have more digits than a number may."""
    text = "(_ bv5 100000)"
    assert read(text) is read(show_term(read(text)))


@pytest.mark.parametrize(
    ("limits", "text", "message"),
    [
        (Limits(nesting=3), "(+ 1 (+ 1 (+ 1 (+ 1 1))))", "1:17: terms nest more than 3 deep"),
        (Limits(numeral_digits=2), "123", "1:1: a number with more than 2 digits"),
        (
            Limits(quantifier_nesting=1),
            "(exists ((x Int)) (exists ((y Int)) true))",
            "1:20: quantifiers nest more than 1 deep",
        ),
        (
            Limits(sort_size=3),
            "(exists ((x (Array Int (Array Int Int)))) true)",
            "1:13: a sort written with more than 3 others",
        ),
    ],
)
def test_limits(limits: Limits, text: str, message: str) -> None:
    """No text can swallow the machine."""
    with pytest.raises(ReadError) as caught:
        TermReader(text, tokenize(text), Symbols(), limits).term()
    assert message == str(caught.value)


def test_sorts_nest_only_so_deep() -> None:
    text = "(exists ((x " + "(Array Int " * 101 + "Int" + ")" * 101 + ")) true)"
    assert refusal(text).endswith("sorts nest more than 100 deep")


def test_a_quoted_variable_is_not_the_literal_of_the_same_characters() -> None:
    """`|5|` is a name, `5` a number, also where the name is in scope."""
    instance = read_instance(
        "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((|5| Int)) (=> (> |5| 5) (p |5|))))"
    )
    assert "(> |5| 5)" in instance.text
    assert instance == read_instance(instance.text)
