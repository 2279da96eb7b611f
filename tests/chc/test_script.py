"""Scripts in the CHC-COMP format and in relaxed shapes; everything else is refused at its place."""

from __future__ import annotations

import pytest

from chc.instance import Instance
from chc.lexer import Limits, ReadError
from chc.script import read_instance

INCREMENTAL = "incremental scripts are not accepted; send one instance for each check"
RULES = "this is z3's rule format; write the clauses as assertions with (set-logic HORN)"
PREDICATES_ONLY = "only predicates (of sort Bool) may be declared, other symbols are universally quantified variables"
CHANNELS = "output channels are not the text's to choose"
FORMAT = "only the commands of the CHC-COMP format are accepted"
HEADER = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n"


def assertions(text: str, header: str = HEADER) -> list[str]:
    """The clauses that the text says, as printed."""
    instance = read_instance(header + text)
    assert instance == read_instance(instance.text)
    return [line[8:-1] for line in instance.text.splitlines() if line.startswith("(assert ")]


def refusal(text: str, limits: Limits | None = None) -> str:
    with pytest.raises(ReadError) as caught:
        read_instance(text, "f.smt2", limits or Limits())
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("(assert (P 1))", ["(P 1)"]),
        ("(assert (=> true (P 1)))", ["(P 1)"]),
        ("(assert (forall ((x Int)) (P x)))", ["(forall ((x Int)) (P x))"]),
        ("(assert (forall ((x Int) (unused Bool)) (P x)))", ["(forall ((x Int)) (P x))"]),
        ("(assert (not (P 1)))", ["(=> (P 1) false)"]),
        (
            "(assert (not (exists ((x Int)) (and (P x) (> x 5)))))",
            ["(forall ((x Int)) (=> (and (P x) (> x 5)) false))"],
        ),
        (
            "(assert (forall ((x Int)) (or (not (P x)) (<= x 5))))",
            ["(forall ((x Int)) (=> (and (P x) (not (<= x 5))) false))"],
        ),
        ("(assert (or (P 1) (not (P 2)) (not (< 1 2))))", ["(=> (and (P 2) (< 1 2)) (P 1))"]),
        ("(assert (and (P 1) (and (P 2) (not (P 3)))))", ["(P 1)", "(P 2)", "(=> (P 3) false)"]),
        (
            "(assert (forall ((x Int)) (=> (P x) (and (P (+ x 1)) (P (- x 1))))))",
            ["(forall ((x Int)) (=> (P x) (P (+ x 1))))", "(forall ((x Int)) (=> (P x) (P (- x 1))))"],
        ),
        ("(assert (=> (or (P 1) (P 2)) (P 3)))", ["(=> (P 1) (P 3))", "(=> (P 2) (P 3))"]),
        ("(assert (=> (exists ((x Int)) (P x)) (P 0)))", ["(forall ((x Int)) (=> (P x) (P 0)))"]),
        (
            "(assert (forall ((x Int)) (=> (exists ((x Int)) (P x)) (P x))))",
            ["(forall ((x Int) (x!1 Int)) (=> (P x!1) (P x)))"],
        ),
        ("(assert (=> (P 1) (P 2) (P 3)))", ["(=> (and (P 1) (P 2)) (P 3))"]),
        ("(assert (=> (P 1) (=> (P 2) (P 3))))", ["(=> (and (P 1) (P 2)) (P 3))"]),
        (
            "(assert (=> (P 1) (forall ((x Int)) (=> (< x 0) (P x)))))",
            ["(forall ((x Int)) (=> (and (P 1) (< x 0)) (P x)))"],
        ),
        ("(assert (ite (P 1) (P 2) (not (P 3))))", ["(=> (P 1) (P 2))", "(=> (P 3) (P 1))"]),
        ("(assert (=> (P 1) false))(assert (=> (P 2) false))", ["(=> (P 1) false)", "(=> (P 2) false)"]),
        ("(assert false)", ["(=> true false)"]),
        ("(assert true)", []),
        ("(assert (=> (P 1) true))", []),
        ("(assert (=> false (P 1)))", ["(=> false (P 1))"]),
        ("(assert (let ((a (P 1))) (=> a (not a))))", ["(=> (and (P 1) (P 1)) false)"]),
        ("(assert (! (=> (! (P 1) :named a) (P 2)) :named b))", ["(=> (P 1) (P 2))"]),
        ("(define-fun two () Int 2)(assert (P two))", ["(P 2)"]),
        ("(define-const two Int 2)(assert (P two))", ["(P 2)"]),
        (
            "(define-fun f ((a Int) (b Int)) Int (+ a (* 2 b)))(assert (forall ((b Int)) (P (f b b))))",
            ["(forall ((b Int)) (P (+ b (* 2 b))))"],
        ),
        (
            "(define-fun half ((a Real)) Real (/ a 2))(assert (=> (= (half 3) 1.5) (P 1)))",
            ["(=> (= (/ 3.0 2.0) (/ 3.0 2.0)) (P 1))"],
        ),
        (
            "(define-fun f ((y Int)) Bool (forall ((x Int)) (<= y (* x x))))"
            "(assert (forall ((x Int)) (=> (f x) (P x))))",
            ["(forall ((x Int)) (=> (forall ((x!1 Int)) (<= x (* x!1 x!1))) (P x)))"],
        ),
        (
            "(define-fun twice ((a Bool)) Bool (not (or (not a) (not a))))(assert (=> (twice (P 1)) (P 2)))",
            ["(=> (and (P 1) (P 1)) (P 2))"],
        ),
        ("(declare-const q Bool)(assert (=> q (P 1)))", ["(=> q (P 1))"]),
        ("(assert (P 1))(declare-fun Q () Bool)(assert Q)", ["(P 1)", "Q"]),
        (
            "(define-sort Row () (Array Int Int))(declare-fun R (Row) Bool)(assert (forall ((x Row)) (R x)))",
            ["(forall ((x (Array Int Int))) (R x))"],
        ),
        (
            "(set-info :status sat)(set-option :produce-models true)(assert (P 1))(check-sat)(get-model)(exit)",
            ["(P 1)"],
        ),
        ("(assert (forall ((P Int)) (P P)))", ["(forall ((P!1 Int)) (P P!1))"]),
    ],
)
def test_shapes(text: str, clauses: list[str]) -> None:
    """Each is brought to Horn clauses, which read back as they are."""
    assert clauses == assertions(text)


def test_a_quantifier_beside_a_lifted_one_is_renamed() -> None:
    """Both bind x; the first becomes a variable of the clause, which the second must not hide."""
    text = "(assert (=> (and (exists ((x Int)) (and (P x) (> x 0))) (forall ((x Int)) (> (* x x) (- 1)))) (P 0)))"
    expected = "(forall ((x Int)) (=> (and (P x) (> x 0) (forall ((x!1 Int)) (> (* x!1 x!1) (- 1)))) (P 0)))"
    assert [expected] == assertions(text)


def test_a_predicate_declared_late_renames_variables_before_it() -> None:
    """A variable may have the name of a predicate only as long as there is none."""
    text = "(assert (forall ((Q Int)) (P Q)))(declare-fun Q (Int) Bool)(assert (Q 1))"
    assert ["(forall ((Q!1 Int)) (P Q!1))", "(Q 1)"] == assertions(text)


DATATYPES = """
(declare-datatypes ((Ints 0)) ((none (more (head Int) (tail Ints)))))
(declare-datatype Colour ((red) (green)))
(declare-datatypes ((Tree 0) (Forest 0))
  (((node (label Int) (children Forest))) ((bare) (grow (first Tree) (rest Forest)))))
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (car T) (cdr (List T)))))))
(declare-datatype Pair (par (A B) ((|the pair| (one A) (two B)))))
(declare-sort U 0)
(declare-sort Bag 1)
(declare-fun R ((List (Pair Int U)) (Bag Colour) (Array Tree Forest)) Bool)
"""


def test_declarations() -> None:
    """Recursive, mutually recursive and parametric datatypes, uninterpreted sorts, constructors without parentheses."""
    instance = read_instance(DATATYPES)
    assert instance == read_instance(instance.text)
    assert (("U", 0), ("Bag", 1)) == instance.sorts
    assert [1, 1, 2, 1, 1] == [len(group.datatypes) for group in instance.datatypes]
    assert "(declare-datatypes ((Pair 2)) ((par (A B) ((|the pair| (one A) (two B))))))" in instance.text


def test_selectors_of_parametric_datatypes() -> None:
    """The sort of a field follows from the sort of what it is selected from."""
    text = (
        "(assert (forall ((k (List (Pair Int U))) (b (Bag Colour)) (m (Array Tree Forest)))"
        " (=> (and (R k b m) (> (one (car k)) 0)) (R (cdr k) b m))))"
    )
    assert "(> (one (car k)) 0)" in assertions(text, DATATYPES)[0]


def test_mixed_texts() -> None:
    """Comments, quoted names and white space do not matter: one instance, one address."""
    plain = read_instance(HEADER + "(assert (forall ((x Int)) (=> (< x 1) (P x))))")
    fancy = read_instance(
        "; a comment with (parentheses\n(set-logic HORN)(declare-fun |P|(Int)Bool)\n"
        "(assert\t(forall ((|x| Int))(=>(< |x| 1)(|P| x))))(check-sat)(get-model)"
    )
    assert plain.address == fancy.address


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.smt2:1:1: the text is empty, expected commands such as (set-logic HORN)"),
        ("  ; nothing\n", "f.smt2:1:12: the text is empty, expected commands such as (set-logic HORN)"),
        ("junk", "f.smt2:1:1: expected `(` before a command, found `junk`"),
        ("(junk)", f"f.smt2:1:2: the command `junk` is refused: {FORMAT}"),
        ("()", f"f.smt2:1:2: the command `)` is refused: {FORMAT}"),
        ("(", "f.smt2:1:2: the text ends where a command was expected"),
        ("(set-logic HORN", "f.smt2:1:16: the text ends where `)` at the end of `set-logic` was expected"),
        ("(set-logic QF_LIA)", "f.smt2:1:12: the logic is `QF_LIA`, expected `HORN`"),
        (
            "(push 1)",
            f"f.smt2:1:2: the command `push` is refused: {INCREMENTAL}",
        ),
        (
            "(check-sat)\n(check-sat)",
            f"f.smt2:2:2: `check-sat` after `check-sat`: {INCREMENTAL}",
        ),
        (
            "(check-sat)(assert true)",
            f"f.smt2:1:13: `assert` after `check-sat`: {INCREMENTAL}",
        ),
        ("(exit)(check-sat)", "f.smt2:1:8: `check-sat` after `exit`: nothing may follow it"),
        (
            '(include "/etc/passwd")',
            "f.smt2:1:2: the command `include` is refused: other files cannot be included; send one text",
        ),
        (
            '(set-option :regular-output-channel "x")',
            f"f.smt2:1:13: the option `:regular-output-channel` is refused: {CHANNELS}",
        ),
        (
            '(set-option :smtlib2_log "x")',
            "f.smt2:1:13: the option `:smtlib2_log` is refused: its value is a text, which may name a file",
        ),
        (
            "(declare-fun f (Int) Int)",
            f"f.smt2:1:22: `f` is an uninterpreted function of sort Int; {PREDICATES_ONLY}",
        ),
        (
            "(declare-const c Int)",
            f"f.smt2:1:18: `c` is an uninterpreted constant of sort Int; {PREDICATES_ONLY}",
        ),
        ("(declare-fun and (Int) Bool)", "f.smt2:1:2: `and` belongs to SMT-LIB and cannot be declared again"),
        ("(declare-fun |let| () Bool)", "f.smt2:1:2: `let` belongs to SMT-LIB and cannot be declared again"),
        ("(declare-fun let () Bool)", "f.smt2:1:14: expected the name of a predicate, found the reserved word `let`"),
        ("(declare-fun P () Bool)(declare-fun |P| () Bool)", "f.smt2:1:25: `P` is declared already"),
        ("(declare-fun P (U) Bool)", "f.smt2:1:17: the sort `U` is not declared"),
        (
            "(declare-fun P ((_ BitVec 0)) Bool)",
            "f.smt2:1:27: a bit-vector of width 0 (from 1 to 1048576 are accepted)",
        ),
        ("(declare-sort Int 0)", "f.smt2:1:2: the sort `Int` exists already"),
        ("(define-fun f ((x Int)) Bool x)", "f.smt2:1:2: the body of `f` is of sort Int, not Bool"),
        (
            "(declare-fun P () Bool)(define-fun f () Bool (not P))",
            "f.smt2:1:25: the defined function `f` uses a predicate; write it as a clause",
        ),
        (
            "(define-fun-rec f () Int 1)",
            "f.smt2:1:2: the command `define-fun-rec` is refused: "
            "recursive functions are not accepted; define a predicate by clauses",
        ),
        (
            "(declare-rel R (Int))",
            f"f.smt2:1:2: the command `declare-rel` is refused: {RULES}",
        ),
        ("(declare-datatype T ())", "f.smt2:1:2: the datatype `T` has no constructor"),
        ("(declare-datatypes ((T 1)) (((e))))", "f.smt2:1:2: `T` is announced with 1 sort parameters and has 0"),
        ("(declare-datatypes ((T 0) (T 0)) (((a)) ((b))))", "f.smt2:1:2: a datatype is declared twice"),
        ("(declare-datatypes ((T 0)) (((mk (f T)))))", "f.smt2:1:2: the datatype `T` has no finite value"),
        (
            "(declare-datatypes ((T 0)) (((mk (f Int",
            "f.smt2:1:40: the text ends where `)` after a selector was expected",
        ),
        ("(assert 5)", "f.smt2:1:9: expected a formula, found a term of sort Int"),
        ("(assert)", "f.smt2:1:8: expected a term, found `)`"),
        ("(assert true", "f.smt2:1:13: the text ends where `)` at the end of `assert` was expected"),
        ("(assert true))", "f.smt2:1:14: expected `(` before a command, found `)`"),
        (
            "(assert\n  (and true\n    (< 1 x)))",
            "f.smt2:3:10: `x` is not declared and is no operation of a supported theory",
        ),
        ("(assert true) \x00", "f.smt2:1:15: the character 0x00 cannot be printed"),
        (HEADER + "(assert (or (P 1) (P 2)))", "f.smt2:3:9: not a Horn clause: a clause with two heads, `P` and `P`"),
        (HEADER + "(assert (= (P 1) (P 2)))", "f.smt2:3:9: not a Horn clause: a predicate below `=`"),
        (
            HEADER + "(assert (P (ite (P 1) 1 2)))",
            "f.smt2:3:9: not a Horn clause: a predicate inside an argument of `P`",
        ),
        (
            HEADER + "(assert (exists ((x Int)) (P x)))",
            "f.smt2:3:9: not a Horn clause: a predicate below `exists` on the right of an implication",
        ),
        (
            HEADER + "(assert (=> (forall ((x Int)) (P x)) (P 1)))",
            "f.smt2:3:9: not a Horn clause: a predicate below `forall` on the left of an implication",
        ),
        (
            HEADER + "(define-fun f ((b Bool)) Bool (xor true (not b)))(assert (f (P 1)))",
            "f.smt2:3:58: not a Horn clause: a predicate below `xor`",
        ),
        (HEADER + "(assert (P true))", "f.smt2:3:9: argument 1 of `P` is of sort Bool, expected Int"),
        (HEADER + "(assert (P 1 2))", "f.smt2:3:9: `P` expects 1 argument, found 2"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    """File, line and column, what was found, and what would be accepted."""
    assert message == refusal(text)


@pytest.mark.parametrize(
    ("limits", "text", "message"),
    [
        (Limits(characters=10), "(check-sat)", "f.smt2: the text has 11 characters, more than the 10 accepted"),
        (Limits(clauses=1), "(assert false)(assert false)", "f.smt2:1:23: more than 1 clauses"),
        (
            Limits(definition_growth=10),
            "(define-fun f ((x Int)) Int (+ x x x 1 2 3))(assert (= (f (f (f 1))) 1))",
            "f.smt2:1:68: defined functions expand to more than the limit allows",
        ),
        (
            Limits(quantifier_nesting=2),
            "(define-fun f ((b Bool)) Bool (exists ((x Int)) (and b (> x 0))))(assert (not (f (f (f true)))))",
            "f.smt2:1:95: quantifiers nest more than 2 deep, with definitions expanded",
        ),
    ],
)
def test_limits(limits: Limits, text: str, message: str) -> None:
    """Sizes that no text may exceed, also by its definitions."""
    assert message == refusal(text, limits)


def test_sorts_defined_by_doubling_are_refused() -> None:
    """Thirty lines would make a sort of a thousand million."""
    lines = ["(define-sort S0 () Int)"]
    lines.extend(f"(define-sort S{n} () (Array S{n - 1} S{n - 1}))" for n in range(1, 31))
    assert "f.smt2:10:20: a sort written with more than 1000 others" == refusal("\n".join(lines))


def test_an_assertion_that_splits_too_often_is_refused() -> None:
    """Thirteen disjunctions of two make 8192 clauses."""
    premises = " ".join("(or (P 1) (P 2))" for _ in range(13))
    assert refusal(f"{HEADER}(assert (=> {premises} (P 3)))").endswith("splits into more than 4096 clauses")


def test_deep_assertions() -> None:
    """Terms and lets a hundred thousand deep, and twenty thousand implications."""
    depth, implied = 100_000, 20_000
    term = "(+ 1 " * depth + "x" + ")" * depth
    implications = "(=> (P 1) " * implied + "(P 2)" + ")" * implied
    lets = "(let ((y (+ y 1))) " * depth + "(P y)" + ")" * depth
    instance = read_instance(
        f"{HEADER}(assert (forall ((x Int)) (P {term})))(assert {implications})(assert (forall ((y Int)) {lets}))"
    )
    assert [0, implied, 0] == [len(clause.body) for clause in instance.clauses]
    again = read_instance(instance.text)
    assert (instance.clauses[0], instance.address) == (again.clauses[0], again.address)


def test_nothing_declared_is_an_instance_too() -> None:
    assert Instance((), (), (), ()) == read_instance("(set-logic HORN)(check-sat)")
