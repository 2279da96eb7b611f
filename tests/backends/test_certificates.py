"""What is said about certificates: that they are right, what is wrong with them, or why nobody may be blamed."""

from collections.abc import AsyncIterator, Sequence

import pytest

from backends.certificates import Check, Outcome, check_model, check_refutation
from backends.checker_programs import Effort
from backends.smt_checker import ALL_CHECKERS, Decision, Satisfiability, SmtChecker
from chc.build import negation
from chc.instance import Atom, Instance
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.script import read_instance
from chc.sorts import INT
from chc.terms import TRUE, Term, integer, variable
from chc.vocabulary import read_term, symbols_without_predicates
from tests.backends.conftest import make_checker

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module", params=ALL_CHECKERS)
async def checker(request: pytest.FixtureRequest) -> AsyncIterator[SmtChecker]:
    async with make_checker(request.param, request, Effort(question_seconds=2.0)) as each:
        yield each


def system(text: str) -> Instance:
    return read_instance(f"(set-logic HORN){text}(check-sat)")


def model(instance: Instance, **bodies: str) -> Model:
    """Interpretations over the parameters x, y, …"""
    found = {}
    for predicate in instance.predicates:
        params = tuple(variable(name, sort) for name, sort in zip("xyz", predicate.sorts, strict=False))
        body = read_term(bodies[predicate.name], symbols_without_predicates(instance), params)
        found[predicate.name] = Interpretation(params, body)
    return Model(found)


# What is said about wrong ones ----------------------------------------------------------------------------

COUNT = system(
    """(declare-fun P (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (P n))))
(assert (forall ((n Int)) (=> (P n) (P (+ n 1)))))
(assert (forall ((n Int)) (=> (and (P n) (> n 1)) false)))"""
)


def step(fact: int | None, clause: int, value: int, *premises: int) -> Step:
    atom = None if fact is None else Atom("P", (integer(fact),))
    return Step(atom, clause, (integer(value),), premises)


RIGHT = (step(0, 0, 0), step(1, 1, 0, 0), step(2, 1, 1, 1), step(None, 2, 2, 2))
WRONG_STEPS = {
    "empty": ((), "does not end in false"),
    "no end": (RIGHT[:3], "does not end in false"),
    "wrong fact": ((RIGHT[0], step(5, 1, 0, 0), step(None, 2, 5, 1)), "step 2 derives (P 5) from (P 0)"),
    "wrong value": ((*RIGHT[:3], step(None, 2, 3, 2)), "step 4 derives false from (P 2)"),
    "constraint fails": ((*RIGHT[:2], step(None, 2, 1, 1)), "step 3 derives false from (P 1)"),
    "rests on itself": ((step(2, 1, 1, 0), step(None, 2, 2, 0)), "step 1 has premises that do not fit clause 2"),
    "rests on a later step": ((step(2, 1, 1, 1), *RIGHT[:1], step(None, 2, 2, 0)), "step 1 has premises"),
    "too few premises": ((step(2, 1, 1), step(None, 2, 2, 0)), "step 1 has premises"),
    "no such clause": ((step(0, 7, 0), *RIGHT[1:]), "step 1 names a clause that does not exist"),
    "negative clause": ((step(0, -3, 0), *RIGHT[1:]), "step 1 names a clause that does not exist"),
    "query for a fact": ((step(0, 2, 0), *RIGHT[1:]), "step 1 does not fit its clause 3"),
    "too few values": ((Step(RIGHT[0].fact, 0, (), ()), *RIGHT[1:]), "step 1 does not fit its clause 1"),
    "value of another sort": (
        (Step(RIGHT[0].fact, 0, (TRUE,), ()), *RIGHT[1:]),
        "step 1 has values of other sorts than clause 1",
    ),
    "fact of another sort": (
        (Step(Atom("P", (TRUE,)), 0, (integer(0),), ()), *RIGHT[1:]),
        "step 1 has values of other sorts than clause 1",
    ),
    "fact with too many arguments": (
        (Step(Atom("P", (integer(0), integer(0))), 0, (integer(0),), ()), *RIGHT[1:]),
        "step 1 has values of other sorts than clause 1",
    ),
    "another predicate": (
        (Step(Atom("Q", (integer(0),)), 0, (integer(0),), ()), *RIGHT[1:]),
        "step 1 has facts of other predicates than clause 1",
    ),
}


@pytest.mark.parametrize(("steps", "reason"), WRONG_STEPS.values(), ids=WRONG_STEPS)
async def test_wrong_refutation(checker: SmtChecker, steps: tuple[Step, ...], reason: str) -> None:
    """The step that fails is named, with its clause."""
    found = await check_refutation(COUNT, Refutation(steps), checker)
    assert Outcome.invalid is found.outcome
    assert reason in found.reason


async def test_right_refutation(checker: SmtChecker) -> None:
    """The one that all of the wrong ones were made from."""
    assert Check(checker.name, Outcome.valid) == await check_refutation(COUNT, Refutation(RIGHT), checker)


async def test_wrong_model(checker: SmtChecker) -> None:
    """The clause is shown, with values that violate it."""
    found = await check_model(COUNT, model(COUNT, P="(and (>= x 0) (< x 9))"), checker)
    assert (Outcome.invalid, 1) == (found.outcome, found.number)
    assert found.reason.endswith("(=> (P n) (P (+ n 1)))) is violated by n = 8")


async def test_models_that_do_not_fit(checker: SmtChecker) -> None:
    """Our own mistakes are told like those of others, before anything is asked."""
    x, y = variable("x", INT), variable("n", INT)
    unfit = {
        "says nothing about the predicate `P`": Model({}),
        "takes (Int), not (Bool)": Model({"P": Interpretation((TRUE,), TRUE)}),
        "not a formula": Model({"P": Interpretation((x,), x)}),
        "speaks of `n`, which is no argument": Model({"P": Interpretation((x,), negation(_less(x, y)))}),
    }
    for reason, wrong in unfit.items():
        found = await check_model(COUNT, wrong, checker)
        assert Outcome.invalid is found.outcome
        assert reason in found.reason


def _less(left: Term, right: Term) -> Term:
    return read_term("(< x n)", symbols_without_predicates(COUNT), (left, right))


# What nobody may be blamed for ----------------------------------------------------------------------------

PARTIAL = {
    "division": ("(div n 0)", "Int"),
    "remainder": ("(mod n 0)", "Int"),
    "fraction": ("(/ n 0.0)", "Real"),
    "variable divisor": ("(div 5 (- n n))", "Int"),
}


@pytest.mark.parametrize(("operation", "sort"), PARTIAL.values(), ids=PARTIAL)
async def test_division_by_zero_convicts_nobody(checker: SmtChecker, operation: str, sort: str) -> None:
    """SMT-LIB leaves its value open: the model is right for some choices of it and wrong for others."""
    instance = system(f"(declare-fun P ({sort}) Bool)(assert (forall ((n {sort})) (=> (> {operation} 4) (P n))))")
    found = await check_model(instance, model(instance, P="false"), checker)
    assert Outcome.undecided is found.outcome, found.reason


async def test_selector_of_another_constructor_convicts_nobody(checker: SmtChecker) -> None:
    """The same with the field of a value that has none."""
    instance = system(
        "(declare-datatypes ((L 0)) (((n) (c (h Int)))))(declare-fun P (Int) Bool)"
        "(assert (forall ((l L)) (=> (and (= l n) (> (h l) 4)) (P 0))))"
    )
    found = await check_model(instance, model(instance, P="false"), checker)
    assert Outcome.undecided is found.outcome, found.reason


async def test_division_by_zero_in_a_step(checker: SmtChecker) -> None:
    """A step that rests on a choice does not follow, but is not plainly wrong either."""
    instance = system("(assert (forall ((n Int)) (=> (= n (div 1 0)) false)))")
    wrong = Refutation((Step(None, 0, (integer(3),), ()),))
    assert Outcome.undecided is (await check_refutation(instance, wrong, checker)).outcome


async def test_division_by_zero_that_does_not_matter(checker: SmtChecker) -> None:
    """Whatever it gives, it gives the same twice."""
    instance = system("(declare-fun P (Int) Bool)(assert (forall ((n Int)) (=> (distinct (div n 0) (div n 0)) (P n))))")
    assert Outcome.valid is (await check_model(instance, model(instance, P="false"), checker)).outcome


async def test_uninterpreted_sorts_convict_nobody(checker: SmtChecker) -> None:
    """The model may be right about the elements that the solver had in mind."""
    instance = system("(declare-sort S 0)(declare-fun P (S S) Bool)(assert (forall ((s S) (t S)) (P s t)))")
    found = await check_model(instance, model(instance, P="(= x y)"), checker)
    assert Outcome.undecided is found.outcome, found.reason
    same = model(instance, P="(or (= x y) (exists ((u S)) (distinct u x)))")
    assert Outcome.invalid is not (await check_model(instance, same, checker)).outcome


async def test_uninterpreted_sorts_can_be_certified(checker: SmtChecker) -> None:
    """Where it holds for all elements."""
    instance = system("(declare-sort S 0)(declare-fun P (S S) Bool)(assert (forall ((s S)) (P s s)))")
    assert Outcome.valid is (await check_model(instance, model(instance, P="(= x y)"), checker)).outcome


async def test_quantified_models() -> None:
    """z3 decides both: the even numbers are a model, and with an odd one they are none."""
    instance = system("(declare-fun P (Int) Bool)(assert (P 0))(assert (forall ((n Int)) (=> (P n) (P (+ n 2)))))")
    even = model(instance, P="(exists ((k Int)) (= x (* 2 k)))")
    wrong = model(instance, P="(exists ((k Int)) (and (= x (* 2 k)) (< k 9)))")
    async with SmtChecker("z3", 1) as each:
        assert Outcome.valid is (await check_model(instance, even, each)).outcome
        found = await check_model(instance, wrong, each)
        assert Outcome.invalid is found.outcome, found.reason
        assert "n = 16" in found.reason
        assert "confirmed by a second process" in found.reason


async def test_time_limit_of_a_checker() -> None:
    """What it cannot decide in time is undecided, with the clause that took too long."""
    instance = system(
        "(declare-fun P (Int Int Int) Bool)"
        "(assert (forall ((a Int) (b Int) (c Int)) (=> (= (+ (* a a a) (* b b b) (* c c c)) 114) (P a b c))))"
    )
    async with SmtChecker("z3", 1, Effort(question_seconds=0.2)) as each:
        found = await check_model(instance, model(instance, P="false"), each)
    assert Outcome.undecided is found.outcome
    assert "z3 cannot decide clause 1" in found.reason


async def test_large_model(checker: SmtChecker) -> None:
    """Thousands of conjuncts."""
    instance = system("(declare-fun P (Int) Bool)(assert (forall ((n Int)) (=> (> n 5000) (P n))))")
    body = " ".join(f"(distinct x {number})" for number in range(3000))
    assert Outcome.valid is (await check_model(instance, model(instance, P=f"(and {body})"), checker)).outcome


class Contradictory(SmtChecker):
    """Says that not all steps follow, but that each does."""

    async def decide(self, instance: Instance, questions: Sequence[Sequence[Term]]) -> list[Decision]:
        self._asked = getattr(self, "_asked", 0) + 1
        outcome = Satisfiability.sat if self._asked == 1 else Satisfiability.unsat
        return [Decision(outcome) for _ in questions]


async def test_checker_that_contradicts_itself() -> None:
    """Its word does not count."""
    found = await check_refutation(COUNT, Refutation(RIGHT), Contradictory("z3", 1))
    assert Outcome.undecided is found.outcome
    assert "contradicts itself" in found.reason
