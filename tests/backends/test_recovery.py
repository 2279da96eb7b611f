"""From bare facts to steps: clauses, values and premises are found, and a gap is certain only if there is none."""

from collections.abc import AsyncIterator, Sequence

import pytest

from backends.certificates import Outcome, check_refutation
from backends.recovery import Gap, match, recover
from backends.smt_checker import Decision, Satisfiability, SmtChecker
from chc.instance import Instance
from chc.printer import show_term
from chc.refutation import Derivation, DerivedFact, Refutation
from chc.script import read_instance
from chc.sorts import BOOL, INT
from chc.terms import Term, variable
from chc.vocabulary import read_atom, read_term, symbols_of, symbols_without_predicates

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def z3_checker() -> AsyncIterator[SmtChecker]:
    async with SmtChecker("z3", 1) as checker:
        yield checker


class Mute(SmtChecker):
    """Answers every question in the same way, and counts them."""

    def __init__(self, decision: Decision) -> None:
        super().__init__("z3", 1)
        self._decision = decision
        self.questions = 0

    async def solve(self, instance: Instance, question: Sequence[Term], *, cold: bool = False) -> Decision:
        self.questions += 1
        return self._decision


UNKNOWN = Decision(Satisfiability.unknown, "it does not know")
UNREADABLE_VALUES = Decision(Satisfiability.sat)


def system(*clauses: str, declarations: str = "(declare-fun P (Int) Bool)(declare-fun Q (Int) Bool)") -> Instance:
    return read_instance(f"(set-logic HORN){declarations}{''.join(f'(assert {c})' for c in clauses)}(check-sat)")


def derivation(instance: Instance, *facts: tuple[str, tuple[int, ...]]) -> Derivation:
    symbols = symbols_of(instance)
    return Derivation(
        tuple(DerivedFact(None if text == "false" else read_atom(text, symbols), premises) for text, premises in facts)
    )


async def found(instance: Instance, checker: SmtChecker, *facts: tuple[str, tuple[int, ...]]) -> Refutation:
    result = await recover(instance, derivation(instance, *facts), checker)
    assert isinstance(result, Refutation), result
    assert Outcome.valid is (await check_refutation(instance, result, checker)).outcome
    return result


async def gap(instance: Instance, checker: SmtChecker, *facts: tuple[str, tuple[int, ...]]) -> Gap:
    result = await recover(instance, derivation(instance, *facts), checker)
    assert isinstance(result, Gap), result
    return result


COUNT = system(
    "(P 0)", "(forall ((x Int)) (=> (P x) (P (+ x 1))))", "(forall ((x Int)) (=> (and (P x) (> x 1)) false))"
)
ALL = (("(P 0)", ()), ("(P 1)", (0,)), ("(P 2)", (1,)), ("false", (2,)))


async def test_values_that_need_no_solver() -> None:
    """Most can be read off the facts."""
    solver = Mute(UNKNOWN)
    result = await recover(COUNT, derivation(COUNT, *ALL), solver)
    assert isinstance(result, Refutation)
    assert [0, 1, 1, 2] == [step.clause for step in result.steps]
    assert 0 == solver.questions


async def test_values_that_must_be_solved_for(z3_checker: SmtChecker) -> None:
    """A variable that occurs in no fact, or only below an operation."""
    instance = system("(forall ((x Int) (y Int)) (=> (and (> y 7) (< y 9) (= x (* 2 y))) (P x)))", "(=> (P 16) false)")
    steps = (await found(instance, z3_checker, ("(P 16)", ()), ("false", (0,)))).steps
    assert {"16", "8"} == {show_term(value) for value in steps[0].values}


async def test_variables_of_which_nothing_is_demanded(z3_checker: SmtChecker) -> None:
    """Any value will do; there is one in every sort."""
    instance = read_instance(
        """(set-logic HORN)
(declare-datatypes ((L 0)) (((n) (c (h Real) (t L)))))
(declare-fun P (Int) Bool)
(declare-fun R (L (Array Int L) (_ BitVec 7)) Bool)
(assert (forall ((l L) (a (Array Int L)) (b (_ BitVec 7))) (R l a b)))
(assert (forall ((l L) (a (Array Int L)) (b (_ BitVec 7)) (u (Array L Bool)) (f Bool))
  (=> (and (R l a b) (or f (select u l))) (P 1))))
(assert (=> (P 1) false))
(check-sat)"""
    )
    await found(
        instance,
        z3_checker,
        ("(R (c 1.5 n) ((as const (Array Int L)) n) #b0000001)", ()),
        ("(P 1)", (0,)),
        ("false", (1,)),
    )


async def test_premises_in_another_order(z3_checker: SmtChecker) -> None:
    """z3 may have permuted the atoms of the clause."""
    instance = system(
        "(P 1)",
        "(P 2)",
        "(P 3)",
        "(Q 9)",
        "(forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (P a) (Q d) (P b) (P c) (< a b c)) false))",
    )
    facts = (("(P 2)", ()), ("(Q 9)", ()), ("(P 3)", ()), ("(P 1)", ()), ("false", (0, 2, 1, 3)))
    assert (3, 1, 0, 2) == (await found(instance, z3_checker, *facts)).steps[-1].premises


async def test_one_premise_for_several_atoms(z3_checker: SmtChecker) -> None:
    """z3 drops an atom that it finds to be equal to another."""
    instance = system(
        "(P 1)", "(forall ((a Int) (b Int)) (=> (and (P a) (P b) (P a) (= a b)) (Q b)))", "(=> (and (Q 1) (Q 1)) false)"
    )
    result = await found(instance, z3_checker, ("(P 1)", ()), ("(Q 1)", (0,)), ("false", (1,)))
    assert [(), (0, 0, 0), (1, 1)] == [step.premises for step in result.steps]


async def test_several_clauses_with_one_head(z3_checker: SmtChecker) -> None:
    """The one that fits is found, wherever it stands."""
    instance = system("(P 5)", "(forall ((x Int)) (=> (> x 9) (P x)))", "(P 7)", "(=> (P 7) false)")
    assert 2 == (await found(instance, z3_checker, ("(P 7)", ()), ("false", (0,)))).steps[0].clause


async def test_many_premises_of_one_predicate(z3_checker: SmtChecker) -> None:
    """Seven of them have 5040 orders; what contradicts the facts is not tried."""
    names = [f"x{number}" for number in range(7)]
    variables = " ".join(f"({name} Int)" for name in names)
    atoms = " ".join(f"(P {name} {number})" for number, name in enumerate(names))
    instance = read_instance(
        f"(set-logic HORN)(declare-fun P (Int Int) Bool)(assert (forall ((x Int) (y Int)) (P x y)))"
        f"(assert (forall ({variables}) (=> (and {atoms}) false)))(check-sat)"
    )
    facts = [(f"(P {number} {6 - number})", ()) for number in range(7)]
    result = await found(instance, z3_checker, *facts, ("false", tuple(range(7))))
    assert tuple(range(6, -1, -1)) == result.steps[-1].premises


async def test_predicate_without_a_name(z3_checker: SmtChecker) -> None:
    """It is not false, which has no predicate."""
    instance = system("||", "(=> || false)", declarations="(declare-fun || () Bool)")
    assert [0, 1] == [step.clause for step in (await found(instance, z3_checker, ("||", ()), ("false", (0,)))).steps]


async def test_gap_is_certain(z3_checker: SmtChecker) -> None:
    """No clause of the instance derives 5 from 0, and the reason says which step is meant."""
    result = await gap(COUNT, z3_checker, ("(P 0)", ()), ("(P 5)", (0,)), ("false", (1,)))
    assert (1, True) == (result.step, result.certain)
    assert "step 2" in result.reason
    assert "(P 5) from (P 0)" in result.reason


GAPS = {
    "no such fact": (("(P 3)", ()), ("false", (0,))),
    "no clause for the predicate": (("(Q 3)", ()), ("false", (0,))),
    "too few premises": (("(P 1)", ()), ("false", (0,))),
    "false too early": (("(P 0)", ()), ("false", (0,))),
    "false from nothing": (("false", ()),),
    "premise of another predicate": (("(P 0)", ()), ("(P 1)", (0,)), ("(P 2)", (1,)), ("(Q 2)", (2,)), ("false", (3,))),
}


@pytest.mark.parametrize("facts", GAPS.values(), ids=GAPS)
async def test_gaps(z3_checker: SmtChecker, facts: tuple[tuple[str, tuple[int, ...]], ...]) -> None:
    """Each of these derivations claims something that no clause says."""
    assert (await gap(COUNT, z3_checker, *facts)).certain


@pytest.mark.parametrize("decision", [UNKNOWN, UNREADABLE_VALUES])
async def test_gap_that_the_solver_leaves_open(decision: Decision) -> None:
    """Whoever could not solve for the values must not accuse."""
    instance = system("(forall ((x Int) (y Int)) (=> (and (> y 7) (= x (* y y y))) (P x)))", "(=> (P 16) false)")
    assert not (await gap(instance, Mute(decision), ("(P 16)", ()), ("false", (0,)))).certain


async def test_gap_after_too_many_choices(z3_checker: SmtChecker) -> None:
    """Where not all choices of premises were tried, there may be one that fits."""
    names = [f"x{number}" for number in range(8)]
    variables = " ".join(f"({name} Int)" for name in names)
    atoms = " ".join(f"(P {name})" for name in names)
    instance = system(
        "(forall ((x Int)) (P x))", f"(forall ({variables}) (=> (and {atoms} (> {' '.join(names)})) false))"
    )
    facts = [(f"(P {number})", ()) for number in range(8)]
    assert not (await gap(instance, z3_checker, *facts, ("false", tuple(range(8))))).certain


def formula(text: str) -> Term:
    variables = (variable("x", INT), variable("y", INT), variable("b", BOOL))
    return read_term(text, symbols_without_predicates(COUNT), variables)


MATCHES: dict[str, tuple[list[str], dict[str, object] | None]] = {
    "chain": (["(= y (+ x 1))", "(= 3 x)"], {"x": 3, "y": 4}),
    "Boolean": (["b"], {"b": True}),
    "negated": (["(not b)"], {"b": False}),
    "contradiction": (["(= x 1)", "(= x 2)"], None),
    "failing constraint": (["(= x 1)", "(> x 1)"], None),
    "open": (["(> x 1)"], {}),
    "division by zero says nothing": (["(= x 0)", "(= y (div 1 x))"], {"x": 0}),
}


@pytest.mark.parametrize(("demands", "expected"), MATCHES.values(), ids=MATCHES)
def test_match(demands: list[str], expected: dict[str, object] | None) -> None:
    """Equations are followed in any order; what is not determined stays open."""
    values = match([formula(text) for text in demands])
    assert expected == (values if values is None else {var.name: value for var, value in values.items()})
