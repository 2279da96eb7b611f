"""The checkers behind one interface: what they decide, and what becomes of their errors."""

from collections.abc import AsyncIterator

import pytest

from backends.checker_programs import Effort
from backends.process import Ending
from backends.smt_checker import ALL_CHECKERS, Decision, Satisfiability, SmtChecker, decisions_of, read_values
from backends.warm import Reply
from chc.build import apply, negation
from chc.evaluate import evaluate
from chc.instance import Instance
from chc.printer import show_term
from chc.script import read_instance
from chc.sorts import INT, REAL, array, bitvec, make_sort
from chc.terms import Term, integer, variable
from chc.vocabulary import read_term, symbols_without_predicates
from tests.backends.conftest import make_checker

pytestmark = pytest.mark.anyio

NOTHING = read_instance("(set-logic HORN)")
DATA = read_instance(
    """(set-logic HORN)
(declare-sort S 0)
(declare-datatypes ((List 0)) (((nil) (insert (head Int) (tail List)))))
(declare-datatypes ((Pair 2)) ((par (A B) ((pair (first A) (second B))))))
(declare-datatypes ((Odd 0)) (((value!1) (value!2 (|value 3| Int)))))
"""
)
X, Y = variable("x", INT), variable("y", INT)


@pytest.fixture(scope="module", params=ALL_CHECKERS)
async def checker(request: pytest.FixtureRequest) -> AsyncIterator[SmtChecker]:
    async with make_checker(request.param, request) as each:
        yield each


def term(text: str, *variables: Term, instance: Instance = DATA) -> Term:
    return read_term(text, symbols_without_predicates(instance), variables)


def outcomes(decisions: list[Decision]) -> list[str]:
    return [str(decision.outcome) for decision in decisions]


async def test_no_question(checker: SmtChecker) -> None:
    """Nothing asked, nothing answered."""
    assert [] == await checker.decide(NOTHING, [])


async def test_questions_do_not_disturb_one_another(checker: SmtChecker) -> None:
    """The same name may be a number in one and a bit-vector in the next."""
    bits = variable("x", bitvec(4))
    questions = [
        [term("(> x 3)", X), term("(< x 5)", X)],
        [term("(> x 3)", X), term("(< x 4)", X)],
        [term("(bvult x #x0)", bits)],
        [],
    ]
    assert ["sat", "unsat", "unsat", "sat"] == outcomes(await checker.decide(DATA, questions))


VALUES = {
    "integer": ("(and (> x 3) (< x 5))", variable("x", INT), "4"),
    "negative": ("(= (+ x 3) 0)", variable("x", INT), "(- 3)"),
    "fraction": ("(= (* 3.0 x) (- 7.0))", variable("x", REAL), "(- (/ 7.0 3.0))"),
    "bits": ("(= (bvadd x #x1) #x0)", variable("x", bitvec(4)), "#xf"),
    "odd width": ("(= (bvnot x) #b101)", variable("x", bitvec(3)), "#b010"),
    "list": ("(and (= (head x) 2) (= (tail x) nil))", variable("x", make_sort("List")), "(insert 2 nil)"),
    "array": (
        "(= x (store ((as const (Array Int Int)) 0) 3 4))",
        variable("x", array(INT, INT)),
        "(store ((as const (Array Int Int)) 0) 3 4)",
    ),
    "parametric": (
        "(and (= (first x) 1) (second x))",
        variable("x", make_sort("Pair", (INT, make_sort("Bool")))),
        "((as pair (Pair Int Bool)) 1 true)",
    ),
}


@pytest.mark.parametrize(("formula", "var", "value"), VALUES.values(), ids=VALUES)
async def test_values(checker: SmtChecker, formula: str, var: Term, value: str) -> None:
    """What has only one solution is found, in every sort."""
    decision = await checker.solve(DATA, [term(formula, var), *_is_inner(var)])
    assert Satisfiability.sat is decision.outcome, decision.reason
    assert decision.values is not None
    assert value == show_term(decision.values[var])


def _is_inner(var: Term) -> list[Term]:
    """Selectors say something of their own constructor only."""
    return [term("((_ is insert) x)", var)] if var.sort.name == "List" else []


NAMES = ["x y", "exp", "sin", "set.union", "tuple", "fp", "re.all", "@x", ".x", "value!1", "nil", "model", "é", "1"]


@pytest.mark.parametrize("name", NAMES)
async def test_names_that_mean_something_to_a_checker(checker: SmtChecker, name: str) -> None:
    """Variables may be called like symbols of theories that the instance does not even use."""
    var = variable(name, INT)
    question = [apply("=", (var, integer(7))), apply("<", (X, var)), apply("<", (integer(5), X))]
    decision = await checker.solve(DATA, question)
    assert {var: "7", X: "6"} == {key: show_term(value) for key, value in (decision.values or {}).items()}
    assert ["sat", "unsat"] == outcomes(await checker.decide(DATA, [question, [*question, apply("=", (X, var))]]))


async def test_datatypes_named_like_those_of_a_checker(checker: SmtChecker) -> None:
    """z3 has a datatype List with a constructor insert of its own, unless it is told a logic; also a second time."""
    var = variable("l", make_sort("List"))
    for _ in range(2):
        decision = await checker.solve(DATA, [term("(= l (insert 1 nil))", var)])
        assert Satisfiability.sat is decision.outcome, decision.reason


async def test_values_of_uninterpreted_sorts_are_not_read(checker: SmtChecker) -> None:
    """No term of ours stands for them, so that nothing may rest on them."""
    var = variable("s", make_sort("S"))
    decision = await checker.solve(DATA, [apply("=", (var, var))])
    assert (Satisfiability.sat, None) == (decision.outcome, decision.values)


async def test_cold_process(checker: SmtChecker) -> None:
    """A second opinion from a process that has seen nothing else."""
    assert Satisfiability.unsat is (await checker.solve(DATA, [term("(< x x)", X)], cold=True)).outcome


async def test_time_limit() -> None:
    """What takes too long is open, the reason says so, and the next question is answered."""
    hard = apply("*", (X, X, X))
    question = [apply("=", (apply("+", (hard, apply("*", (Y, Y, Y)))), integer(114))), negation(apply("=", (X, Y)))]
    async with SmtChecker("z3", 1, Effort(question_seconds=0.2)) as checker:
        found = await checker.decide(NOTHING, [question])
        assert [Satisfiability.unknown] == [each.outcome for each in found]
        assert found[0].reason
        assert ["sat"] == outcomes(await checker.decide(NOTHING, [[term("(> x 3)", X)]]))


async def test_memory_limit() -> None:
    """A checker that dies is no verdict, and is replaced."""
    async with SmtChecker("z3", 1, Effort(memory_mb=30)) as checker:
        (found,) = await checker.decide(NOTHING, [[term("(> x 3)", X)]])
        assert Satisfiability.unknown is found.outcome
        assert found.reason


def reply(output: str, ending: Ending = Ending.answered, message: str = "") -> Reply:
    return Reply(ending, output=output, message=message)


DECISIONS = {
    "all": ("sat\nunsat\nunknown\n", Ending.answered, ["sat", "unsat", "unknown"]),
    "blanks": (" sat \r\n\nunsat\n\nsat", Ending.answered, ["sat", "unsat", "sat"]),
    "error at first": ('(error "no")\nsat\nsat\nsat\n', Ending.answered, ["unknown"] * 3),
    "error after some": ('sat\n(error "no")\nunsat\nunsat\n', Ending.answered, ["sat", "unknown", "unknown"]),
    "a bare error": ("sat\nerror\nunsat\n", Ending.exited, ["sat", "unknown", "unknown"]),
    "error at last": ('unsat\nunsat\nunsat\n(error "no values")\n', Ending.answered, ["unsat"] * 3),
    "killed": ("unsat\nun", Ending.timeout, ["unsat", "unknown", "unknown"]),
    "crashed after the last": ("unsat\nunsat\nunsat\n", Ending.signal, ["unsat"] * 3),
    "silent": ("", Ending.answered, ["unknown"] * 3),
    "too many": ("sat\nsat\nsat\nunsat\n", Ending.answered, ["sat"] * 3),
    "chatter": ("success\nunsupported\nsat\nunsat\nsat\n", Ending.answered, ["sat", "unsat", "sat"]),
}


@pytest.mark.parametrize(("output", "ending", "expected"), DECISIONS.values(), ids=DECISIONS)
def test_decisions(output: str, ending: Ending, expected: list[str]) -> None:
    """One for each question, and none that stands behind an error."""
    assert expected == outcomes(decisions_of(reply(output, ending, "killed"), 3))


def test_reason_of_an_error() -> None:
    """It is quoted."""
    assert ['(error "no sort Q")'] == [each.reason for each in decisions_of(reply('(error "no sort Q")\nsat'), 1)]


BROKEN_VALUES = {
    "nothing": "",
    "an error": '(error "no model")',
    "one missing": "((x 1))",
    "cut off": "((x 1) (y (- ",
    "another name": "((x 1) (z 2))",
    "another sort": "((x 1) (y 2.5))",
    "no value": "((x 1) (y (root-obj (+ (^ x 2) (- 2)) 1)))",
    "a function": "((x 1) (y (_ as-array k!0)))",
    "a variable": "((x 1) (y x))",
}


@pytest.mark.parametrize("text", BROKEN_VALUES.values(), ids=BROKEN_VALUES)
def test_broken_values(text: str) -> None:
    """All of them are readable, or none counts."""
    assert read_values(f"sat\n{text}\n", NOTHING, [X, Y]) is None


@pytest.mark.parametrize("text", ["((x 1) (y (- 2)))", "((x 1)\n  (y (- 2)))", "( ( y (- 2) ) ( |x| 1 ) )"])
def test_spelling_of_values(text: str) -> None:
    """Blanks, bars and the order do not matter."""
    values = read_values(f"sat\n{text}\n", NOTHING, [X, Y])
    assert values is not None
    assert (1, -2) == (evaluate(values[X], {}), evaluate(values[Y], {}))


async def test_quantifiers_that_matching_gets_lost_in() -> None:
    """z3 instantiates them without end; without matching it finds constant arrays at once, also in the same process."""
    a, c = variable("a", array(INT, INT)), variable("c", array(INT, INT))
    texts = (
        "(forall ((x Int)) (= (select a x) (select a (+ x 1))))",
        "(= (select a 0) 0)",
        "(forall ((x Int)) (< (select a x) (select c x)))",
    )
    question = [term(text, a, c) for text in texts]
    async with SmtChecker("z3", 1, Effort(question_seconds=1)) as z3:
        assert ["sat"] == outcomes([await z3.solve(NOTHING, question)])
        assert ["unsat"] == outcomes(await z3.decide(NOTHING, [[*question, term("(> (select a 1) 0)", a)]]))
