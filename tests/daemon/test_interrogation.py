"""One job from beginning to end before staged solvers and checkers: who is blamed for what."""

from collections.abc import Sequence

import msgspec
import pytest

from backends.adapters import OWN
from backends.answer import Answer, Configuration, Verdict
from backends.examination import ABSENT, Examination, Examiner, Standing
from backends.limits import Limits
from backends.model_reader import read_model
from backends.spacer import SPACER, Spacer
from chc.instance import Instance
from chc.refutation import Refutation, Step
from chc.script import read_instance
from chc.witness import Truth, Witness, witness_to_json
from daemon.bench import Bench
from daemon.interrogation import Interrogation
from daemon.jobs import Candidate, Job, Kind, Parent, Report
from knowledge_base.records import Severity

pytestmark = pytest.mark.anyio

TEXT = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (> x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))
(check-sat)
"""
INSTANCE = read_instance(TEXT, "test")
MODEL = read_model("((define-fun P ((x!0 Int)) Bool (> x!0 0)))", INSTANCE)
REFUTATION = Refutation((Step(None, 1, (), ()),))
"""Whether it is one is for the checkers to say."""
ASKED = SPACER.for_witnesses(Configuration("spacer", "4.13.4", "/opt/z3"))
VALID = Examination(Standing.valid, "", MODEL, ("z3",))
INVALID = Examination(Standing.invalid, "clause 2 is violated", MODEL)
UNDECIDED = Examination(Standing.undecided, "", MODEL)


class StagedExaminer(Examiner):
    """Says of transported witnesses what it is told, and of answers one thing after another, then nothing."""

    def __init__(self, transported: Examination = VALID, own: Sequence[Examination] = ()) -> None:
        super().__init__(())
        self._transported, self._own = transported, list(own)

    async def examine(self, instance: Instance, witness: Witness) -> Examination:
        return self._transported

    async def examine_answer(self, instance: Instance, answer: Answer) -> Examination:
        return self._own.pop(0) if self._own else ABSENT


class StagedBench(Bench):
    """Solvers that say one thing after another, and then nothing more."""

    def __init__(
        self,
        quick: StagedExaminer,
        thorough: StagedExaminer,
        cold: Sequence[Verdict] = (),
        warm: Sequence[Verdict] = (),
    ) -> None:
        super().__init__(thorough, quick)
        self.cold, self.warm = list(cold), list(warm)
        self.asked = 0
        self.seconds: list[float] = []

    async def ask(
        self, configuration: Configuration, instance: Instance, limits: Limits, *, has_trace: bool = False
    ) -> Answer:
        self.seconds.append(limits.wall_seconds)
        return self._next(self.cold, configuration)

    async def ask_warm(self, configuration: Configuration, instance: Instance, limits: Limits) -> Answer:
        return self._next(self.warm, configuration)

    def _next(self, verdicts: list[Verdict], configuration: Configuration) -> Answer:
        self.asked += 1
        verdict = verdicts.pop(0) if verdicts else Verdict.unknown
        return Answer(configuration, ("z3",), verdict, 0.1, 0.1, 1.0, model_text="(model)", proof_text="(proof)")


def job(*, is_warm: bool = False, kind: Kind = Kind.ask, configuration: Configuration = ASKED) -> Job:
    """About an instance that is sat by its model."""
    witness = msgspec.json.encode(witness_to_json(MODEL)).decode()
    parents = (Parent("test", TEXT, Truth.sat, witness),)
    return Job(1, kind, 7, configuration, 1.0, 100, parents, is_warm=is_warm, weights={"rename": 1.0})


async def perform(bench: Bench, *, is_warm: bool = False) -> Report:
    return await Interrogation(bench).perform(job(is_warm=is_warm))


async def test_a_right_answer_is_no_news() -> None:
    """The witness that came along certifies the truth; its own texts are dropped."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.sat])
    report = await perform(bench)
    assert ((), None, 1) == (report.findings, report.fault, bench.asked)
    assert report.proof is not None
    assert (Truth.sat, "constructed", ("z3",)) == (report.proof.truth, report.proof.source, report.proof.certified_by)
    assert report.answer is not None
    assert (None, None) == (report.answer.model_text, report.answer.proof_text)


async def test_a_wrong_verdict_that_is_said_again_is_a_finding() -> None:
    """The truth is sat, so it is a false refutation; the second answer is kept in full."""
    report = await perform(StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.unsat, Verdict.unsat]))
    (found,) = report.findings
    assert (Severity.false_refutation, Verdict.unsat) == (found.severity, found.answer.verdict)
    assert "(proof)" == found.answer.proof_text
    assert not found.is_flaky
    assert report.proof is not None
    assert ("transported", Truth.sat) == (report.proof.source, report.proof.truth)


async def test_a_wrong_model_is_a_finding() -> None:
    """Both times its model does not check."""
    thorough = StagedExaminer(own=[INVALID])
    bench = StagedBench(StagedExaminer(own=[INVALID]), thorough, [Verdict.sat, Verdict.sat])
    (found,) = (await perform(bench)).findings
    assert (Severity.wrong_model, None) == (found.severity, found.known)
    assert "clause 2 is violated" in found.evidence


@pytest.mark.parametrize("warm", [Verdict.unsat, Verdict.crash])
async def test_what_only_a_warm_process_does_is_of_its_own_kind(warm: Verdict) -> None:
    """A cold one says what is right; the answer that is kept is the warm one."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(own=[VALID]), [Verdict.sat], [warm])
    (found,) = (await perform(bench, is_warm=True)).findings
    assert (Severity.warm_cold, warm, False) == (found.severity, found.answer.verdict, found.is_flaky)
    assert f"a warm process said {warm}, a cold one says sat" == found.evidence


async def test_a_wrong_model_of_a_warm_process_only() -> None:
    """The verdict is the same, and still the answers differ."""
    thorough = StagedExaminer(own=[VALID])
    bench = StagedBench(StagedExaminer(own=[INVALID]), thorough, [Verdict.sat], [Verdict.sat])
    (found,) = (await perform(bench, is_warm=True)).findings
    assert Severity.warm_cold is found.severity
    assert "clause 2 is violated" in found.evidence


async def test_a_warm_answer_that_a_cold_one_confirms_is_an_ordinary_finding() -> None:
    """The warm process is not to blame."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.unsat], [Verdict.unsat])
    (found,) = (await perform(bench, is_warm=True)).findings
    assert Severity.false_refutation is found.severity


async def test_what_happens_once_is_flaky() -> None:
    """It keeps the severity that it had."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(own=[VALID]), [Verdict.unsat, Verdict.sat])
    (found,) = (await perform(bench)).findings
    assert (Severity.false_refutation, True) == (found.severity, found.is_flaky)


@pytest.mark.parametrize("verdict", [Verdict.sat, Verdict.unsat, Verdict.crash])
async def test_a_witness_that_does_not_check_is_our_fault(verdict: Verdict) -> None:
    """Never a finding, whatever the solver says."""
    report = await perform(StagedBench(StagedExaminer(INVALID), StagedExaminer(INVALID), [verdict, verdict]))
    assert () == report.findings
    assert report.fault is not None
    assert (Truth.sat, "clause 2 is violated") == (report.fault.truth, report.fault.reason)
    assert (None, Standing.invalid) == (report.proof, report.transported)


async def test_one_checker_alone_does_not_accuse_us() -> None:
    """The others are heard before a fault is noted."""
    report = await perform(StagedBench(StagedExaminer(INVALID), StagedExaminer(VALID), [Verdict.sat]))
    assert (None, Standing.valid) == (report.fault, report.transported)
    assert report.proof is not None


async def test_a_broken_promise_is_our_fault() -> None:
    """A certificate for the contrary shows that the instance was not what we had promised; the solver was right."""
    refuted = Examination(Standing.valid, "", REFUTATION, ("z3", "cvc5"))
    bench = StagedBench(
        StagedExaminer(UNDECIDED, own=[refuted]),
        StagedExaminer(UNDECIDED, own=[refuted]),
        [Verdict.unsat, Verdict.unsat],
    )
    report = await perform(bench)
    assert () == report.findings
    assert report.fault is not None
    assert (Truth.unsat, ("z3", "cvc5")) == (report.fault.truth, report.fault.checkers)


async def test_a_contradiction_without_certificates_is_unresolved() -> None:
    """Nobody can prove either, so nobody is blamed, and it is kept."""
    bench = StagedBench(StagedExaminer(UNDECIDED), StagedExaminer(UNDECIDED), [Verdict.unsat, Verdict.unsat])
    report = await perform(bench)
    (found,) = report.findings
    assert (Severity.unresolved, None, None) == (found.severity, report.proof, report.fault)


async def test_a_witness_that_all_checkers_refuse_later_is_our_fault() -> None:
    """The quick checker could not tell, and what looked like a contradiction was our mistake."""
    bench = StagedBench(StagedExaminer(UNDECIDED), StagedExaminer(INVALID), [Verdict.unsat, Verdict.unsat])
    report = await perform(bench)
    assert () == report.findings
    assert report.fault is not None


async def test_the_same_text_is_asked_once() -> None:
    """Of the same configuration; a parent itself may be asked again."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.sat] * 3)
    interrogation = Interrogation(bench)
    first, second = [await interrogation.perform(job(kind=Kind.trick)) for _ in range(2)]
    assert (False, True, 1) == (first.is_repeated, second.is_repeated, bench.asked)
    other = Configuration("spacer", "4.13.3", "/opt/z3")
    assert not (await interrogation.perform(job(kind=Kind.trick, configuration=other))).is_repeated
    assert not (await interrogation.perform(job())).is_repeated


async def test_enriching_uses_no_witness() -> None:
    """The child promises nothing, and what the solver proves becomes its truth."""
    bench = StagedBench(StagedExaminer(own=[VALID]), StagedExaminer(), [Verdict.sat])
    report = await Interrogation(bench).perform(job(kind=Kind.enrich))
    assert (None, Standing.absent) == (report.promise, report.transported)
    assert report.proof is not None
    assert ASKED.label == report.proof.source
    assert ["rename"] == [link.transformation for link in report.links]


async def test_what_nobody_can_make_is_told() -> None:
    """No transformation applies, and nothing is asked."""
    bench = StagedBench(StagedExaminer(), StagedExaminer())
    report = await Interrogation(bench).perform(msgspec.structs.replace(job(kind=Kind.trick), weights={}))
    assert (None, None, 0) == (report.text, report.answer, bench.asked)


# Several suspects -----------------------------------------------------------------------------------------

OTHER = Configuration("spacer", "4.8.14", "/opt/old")
THIRD = Configuration("spacer", "4.15.0", "/opt/third")
PICKY = Configuration("picky", "1", "/opt/picky")


class Picky(Spacer):
    """Supports nothing."""

    name = "picky"

    def refusal(self, instance: Instance) -> str | None:
        return "it has no integers"


@pytest.fixture(autouse=True)
def _picky(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OWN, "picky", Picky())


def open_job(*others: Configuration, first: Configuration = ASKED) -> Job:
    """About an instance of open truth."""
    substitutes = tuple(Candidate(each) for each in others)
    return msgspec.structs.replace(job(configuration=first), parents=(Parent("test", TEXT),), substitutes=substitutes)


async def test_what_a_suspect_does_not_support_goes_to_the_next() -> None:
    """Nothing that was prepared is wasted, and who was asked is told."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.sat])
    asked = msgspec.structs.replace(job(configuration=PICKY), substitutes=(Candidate(PICKY), Candidate(OTHER)))
    report = await Interrogation(bench).perform(asked)
    assert report.answer is not None
    assert (2, OTHER, 1) == (report.asked, report.answer.configuration, bench.asked)


async def test_what_no_suspect_supports_is_told() -> None:
    """Nobody is asked."""
    bench = StagedBench(StagedExaminer(), StagedExaminer())
    report = await Interrogation(bench).perform(msgspec.structs.replace(job(configuration=PICKY), kind=Kind.trick))
    assert (True, None, 0) == (report.is_unsupported, report.answer, bench.asked)


async def test_who_comes_up_slowly_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the parents took is no measure for that."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.sat] * 2)
    await Interrogation(bench).perform(job())
    monkeypatch.setattr(Spacer, "starts_slowly", True)
    await Interrogation(bench).perform(job())
    assert [1.0, 6.0] == bench.seconds


async def test_what_one_was_asked_already_goes_to_another() -> None:
    """Until all have been asked."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.sat] * 3)
    interrogation = Interrogation(bench)
    asked = msgspec.structs.replace(job(kind=Kind.trick), substitutes=(Candidate(OTHER),))
    reports = [await interrogation.perform(asked) for _ in range(3)]
    assert [(0, False), (1, False), (0, True)] == [(each.asked, each.is_repeated) for each in reports]


async def test_another_suspect_may_prove_what_the_first_only_says() -> None:
    """Its witness settles the truth of an instance that was open."""
    bench = StagedBench(StagedExaminer(own=[ABSENT, VALID]), StagedExaminer(), [Verdict.sat, Verdict.sat])
    report = await Interrogation(bench).perform(open_job(OTHER))
    assert report.proof is not None
    assert ((), Truth.sat, 2) == (report.findings, report.proof.truth, bench.asked)
    assert report.proof.source.startswith("spacer@4.8.14 fp.xform.inline_eager=false")


async def test_another_suspect_is_asked_where_the_first_gives_up() -> None:
    """The truth of a seed is worth it; who gave up is not to blame."""
    bench = StagedBench(StagedExaminer(own=[VALID]), StagedExaminer(), [Verdict.timeout, Verdict.sat])
    report = await Interrogation(bench).perform(open_job(OTHER))
    assert report.answer is not None
    assert report.proof is not None
    assert (Verdict.timeout, Truth.sat, ()) == (report.answer.verdict, report.proof.truth, report.findings)


async def test_a_contradiction_that_nobody_can_settle_is_unresolved() -> None:
    """A majority proves nothing."""
    bench = StagedBench(StagedExaminer(), StagedExaminer(), [Verdict.sat, Verdict.unsat, *[Verdict.unsat] * 9])
    bench.cold[2] = Verdict.sat
    (found,) = (await Interrogation(bench).perform(open_job(OTHER, THIRD))).findings
    assert (Severity.unresolved, ASKED) == (found.severity, found.answer.configuration)
    assert "CONTRADICTION" in found.evidence


async def test_who_contradicts_a_certificate_is_exposed() -> None:
    """The one who was asked was right: its own witness shows it, when all have come together."""
    cold = [Verdict.unsat, Verdict.sat, Verdict.unsat, Verdict.sat]
    refuted = Examination(Standing.valid, "", REFUTATION, ("z3", "cvc5"))
    bench = StagedBench(StagedExaminer(), StagedExaminer(own=[refuted]), cold)
    report = await Interrogation(bench).perform(open_job(OTHER))
    (found,) = report.findings
    assert (Severity.unsound, OTHER) == (found.severity, _plain(found.answer.configuration))
    assert report.proof is not None
    assert Truth.unsat is report.proof.truth


def _plain(configuration: Configuration) -> Configuration:
    return msgspec.structs.replace(configuration, options=())
