"""Witnesses before all checkers, with recordings of real ones and with checkers that lie."""

from collections.abc import AsyncIterator, Sequence

import pytest

from backends.answer import Answer, Configuration, Verdict
from backends.certificates import Check, Outcome
from backends.examination import ABSENT, Examination, Examiner, Standing, conclude
from backends.smt_checker import CHECKERS, Decision, Satisfiability, SmtChecker
from chc.instance import Instance
from chc.model import Interpretation, Model
from chc.script import read_instance
from chc.terms import FALSE, TRUE, Term, variable
from tests.backends.golden.record import Recording, answer_of, instances, recordings

pytestmark = pytest.mark.anyio

INSTANCES = instances()
SMALL = read_instance(
    """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 3))
(assert (forall ((x Int)) (=> (and (P x) (< x 3)) false)))
(check-sat)
"""
)
X = variable("x!0", SMALL.predicates[0].sorts[0])
RIGHT = "((define-fun P ((x!0 Int)) Bool (= x!0 3)))"
WRONG = "((define-fun P ((x!0 Int)) Bool (<= x!0 3)))"


@pytest.fixture(scope="module")
async def examiner() -> AsyncIterator[Examiner]:
    async with Examiner() as each:
        yield each


def sat(text: str | None, detail: str = "") -> Answer:
    return Answer(Configuration("spacer", "1", "/z3"), (), Verdict.sat, 0.1, 0.1, 1.0, detail, model_text=text)


@pytest.mark.parametrize("recording", recordings(), ids=lambda each: each.release)
async def test_golden(recording: Recording, examiner: Examiner) -> None:
    """What the options for witnesses give is certified by all checkers; what others give, as recorded."""
    for sample in recording.samples:
        answer = answer_of(sample.stdout, for_witness=sample.for_witness)
        found = await examiner.examine_answer(INSTANCES[sample.instance], answer)
        assert (sample.instance, sample.standing) == (sample.instance, found.standing), found.reason
        if sample.for_witness:
            assert (Standing.valid, CHECKERS) == (found.standing, found.certified_by), sample.instance


async def test_no_witness(examiner: Examiner) -> None:
    """A bare verdict is a claim."""
    assert ABSENT == await examiner.examine_answer(SMALL, sat(None))


async def test_valid(examiner: Examiner) -> None:
    """All checkers sign."""
    found = await examiner.examine_answer(SMALL, sat(RIGHT))
    assert (Standing.valid, CHECKERS, "") == (found.standing, found.certified_by, found.reason)
    assert isinstance(found.witness, Model)


async def test_invalid(examiner: Examiner) -> None:
    """The reason names the clause and the values."""
    found = await examiner.examine_answer(SMALL, sat(WRONG))
    assert (Standing.invalid, ()) == (found.standing, found.certified_by)
    assert "clause 2" in found.reason
    assert "is violated by x = " in found.reason


async def test_cut_off(examiner: Examiner) -> None:
    """A model that breaks off is the solver's fault, unless it was stopped while it printed."""
    assert Standing.invalid is (await examiner.examine_answer(SMALL, sat(RIGHT[:20]))).standing
    assert Standing.undecided is (await examiner.examine_answer(SMALL, sat(RIGHT[:20], "killed after 1 s"))).standing


async def test_unreadable(examiner: Examiner) -> None:
    """What we cannot read convicts nobody."""
    found = await examiner.examine_answer(SMALL, sat('(error "no model")'))
    assert (Standing.undecided, None) == (found.standing, found.witness)
    assert "cannot be read" in found.reason


class Liar(SmtChecker):
    """A checker that says the same of everything."""

    def __init__(self, name: str, decision: Decision) -> None:
        super().__init__(name, 1)
        self._decision = decision

    async def decide(self, instance: Instance, questions: Sequence[Sequence[Term]]) -> list[Decision]:
        return [self._decision for _ in questions]

    async def solve(self, instance: Instance, question: Sequence[Term], *, cold: bool = False) -> Decision:
        return self._decision


YES = Decision(Satisfiability.unsat)
NO = Decision(Satisfiability.sat)
MAYBE = Decision(Satisfiability.unknown, "it does not know")


async def test_checker_that_certifies_everything() -> None:
    """An honest one beside it contradicts, loudly, and nothing is certified."""
    async with Examiner.of([SmtChecker("z3", 1), Liar("cvc5", YES)]) as examiner:
        found = await examiner.examine_answer(SMALL, sat(WRONG))
        assert (Standing.disputed, ()) == (found.standing, found.certified_by)
        assert found.reason.startswith("CHECKERS CONTRADICT EACH OTHER: cvc5")
        assert "clause 2" in found.reason


async def test_checker_that_accuses_everybody() -> None:
    """Without values that evaluation confirms, its word does not count against a witness."""
    async with Examiner.of([SmtChecker("z3", 1), Liar("cvc5", NO)]) as examiner:
        found = await examiner.examine_answer(SMALL, sat(RIGHT))
        assert (Standing.valid, ("z3",)) == (found.standing, found.certified_by)
        assert "cvc5 says that clause 1 is violated, but gives no readable values" in found.reason


async def test_checker_that_accuses_with_wrong_values() -> None:
    """Evaluation sees through it."""
    (clause,) = [clause for clause in SMALL.clauses if clause.variables]
    lie = Decision(Satisfiability.sat, values={clause.variables[0]: SMALL.clauses[0].atoms[0].args[0]})
    async with Examiner.of([Liar("cvc5", lie)]) as examiner:
        found = await examiner.examine_answer(SMALL, sat(RIGHT))
        assert (Standing.undecided, ()) == (found.standing, found.certified_by)
        assert "evaluation contradicts it" in found.reason


async def test_checkers_that_know_nothing() -> None:
    """No certificate, no accusation, and each of them says why."""
    liars = [Liar("z3", MAYBE), Liar("cvc5", MAYBE)]
    async with Examiner.of(liars) as examiner:
        found = await examiner.examine_answer(SMALL, sat(WRONG))
        assert (Standing.undecided, ()) == (found.standing, found.certified_by)
        assert 2 == found.reason.count("cannot decide clause 1: it does not know")


VALID, INVALID, OPEN = Outcome.valid, Outcome.invalid, Outcome.undecided
CONCLUSIONS = {
    "both": ((VALID, VALID), Standing.valid, ("z3", "cvc5")),
    "one, the other not sure": ((VALID, OPEN), Standing.valid, ("z3",)),
    "against": ((INVALID, INVALID), Standing.invalid, ()),
    "one against, the other not sure": ((OPEN, INVALID), Standing.invalid, ()),
    "nobody knows": ((OPEN, OPEN), Standing.undecided, ()),
    "contradiction": ((VALID, INVALID), Standing.disputed, ()),
    "contradiction the other way round": ((INVALID, VALID), Standing.disputed, ()),
}


@pytest.mark.parametrize(("outcomes", "standing", "names"), CONCLUSIONS.values(), ids=CONCLUSIONS)
def test_conclude(outcomes: tuple[Outcome, Outcome], standing: Standing, names: tuple[str, ...]) -> None:
    """The checkers are named in their usual order, whoever was first."""
    witness = Model({"P": Interpretation((X,), TRUE)})
    checks = [Check(name, outcome, f"{name} objects") for name, outcome in zip(CHECKERS, outcomes, strict=True)]
    found = conclude(checks[::-1], witness, CHECKERS)
    assert (standing, names, witness) == (found.standing, found.certified_by, found.witness)


def test_nobody_asked() -> None:
    """Without checkers nothing is certified."""
    witness = Model({"P": Interpretation((X,), FALSE)})
    assert Examination(Standing.undecided, "", witness) == conclude([], witness, ())
