"""Answers and truths kept apart: liars are told from honest solvers, and from one another."""

import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import anyio
import pytest

from backends.answer import Configuration
from backends.examination import Examination, Examiner, Standing
from backends.guardian import HOUSEHOLD, children
from backends.limits import Limits
from backends.smt_checker import Decision, Satisfiability, SmtChecker
from backends.spacer_releases import own_spacer
from chc.instance import Instance
from chc.model import Interpretation, Model
from chc.script import read_instance
from chc.terms import TRUE, Term, variable
from chc.witness import Truth
from daemon.bench import Bench
from daemon.certify import Judgement, certify
from knowledge_base.records import Severity
from tests.backends.golden.record import instances
from tests.daemon.conftest import Liar
from tests.daemon.lies import FOR_WITNESSES, LIES, SAT, UNSAT, Lie

pytestmark = pytest.mark.anyio

AMPLE = Limits(wall_seconds=100.0, memory_mb=2048)
BRIEF = Limits(wall_seconds=1.0, memory_mb=2048)
GOLDEN = instances()
NOBODY_CAN_PROVE = read_instance(
    """(set-logic HORN)
(declare-sort S 0)
(declare-fun P (S) Bool)
(assert (forall ((s S)) (P s)))
(assert (forall ((s S)) (=> (P s) false)))
(check-sat)
"""
)
NOBODY_CAN_DECIDE = read_instance(
    """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 1 1))
(assert (forall ((x Int) (y Int)) (=> (P x y) (P (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (< (* 2 x) (- y 5)) (= 0 (mod (+ x y) 7))) false)))
(check-sat)
"""
)


@pytest.fixture(scope="module")
async def bench() -> AsyncIterator[Bench]:
    async with Bench(Examiner()) as each:
        yield each


def own(*options: tuple[str, str]) -> Configuration:
    found = own_spacer()
    return Configuration(found.solver, found.version, found.program, options)


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
async def test_planted_liars(lie: Lie, liar: Liar, bench: Bench) -> None:
    """Each is told for what it is; the truth comes from others."""
    limits = BRIEF if lie.verdict == "timeout" else AMPLE
    judgement = await certify(SAT if lie.is_sat else UNSAT, liar(lie.source, *lie.options), limits, bench)
    assert (lie.verdict, lie.severity) == (judgement.answer.verdict, judgement.severity), judgement.evidence
    if limits is AMPLE:  # others have no more time than the suspect
        assert (Truth.sat if lie.is_sat else Truth.unsat) is judgement.truth
        assert ("z3", "cvc5") == judgement.certified_by
    assert judgement.known is None
    for words in lie.evidence:
        assert words in judgement.evidence
    assert {HOUSEHOLD.guardian.pid} >= {pid for pid in children(os.getpid()) if not _is_checker(pid)}


def _is_checker(pid: int) -> bool:
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    return b"\0-in\0" in command or b"cvc5_driver" in command


@pytest.mark.parametrize("name", [name for name in GOLDEN if name != "inlining-sat"])
async def test_honest_spacer(name: str, bench: Bench) -> None:
    """Nothing is held against right answers, and the witness is one of the instance as it was given."""
    judgement = await certify(GOLDEN[name], own(), AMPLE, bench)
    assert name.endswith(f"-{judgement.truth}")
    assert (None, None, ("z3", "cvc5")) == (judgement.severity, judgement.known, judgement.certified_by)
    assert judgement.witness is not None
    again = await bench.thorough.examine(GOLDEN[name], judgement.witness)
    assert Standing.valid is again.standing, again.reason


# Real lies ------------------------------------------------------------------------------------------------


async def test_model_that_inlining_spoils(bench: Bench) -> None:
    """Spacer's developers know; the clause is named all the same."""
    judgement = await certify(GOLDEN["inlining-sat"], own(), AMPLE, bench)
    assert ("sat", Truth.sat, "3a") == (judgement.answer.verdict, judgement.truth, judgement.severity)
    assert "7319" in (judgement.known or "")
    assert "clause 9 (=> (Main true) false) is violated" in judgement.evidence


async def test_model_without_inlining(bench: Bench) -> None:
    """The same instance, the inliners switched off."""
    judgement = await certify(GOLDEN["inlining-sat"], own(*FOR_WITNESSES[:2]), AMPLE, bench)
    assert (Truth.sat, None, None) == (judgement.truth, judgement.severity, judgement.known)


@pytest.mark.shared
async def test_model_that_inlining_spoils_in_the_wild(bench: Bench, shared_dir: Path) -> None:
    """The instance of a competition that the developers were told about."""
    text = (shared_dir / "recordings" / "tiny" / "z3-invalid-model.smt2").read_text()
    judgement = await certify(read_instance(text), own(), AMPLE, bench)
    assert ("sat", Truth.sat, "3a") == (judgement.answer.verdict, judgement.truth, judgement.severity)
    assert "7319" in (judgement.known or "")
    assert "(=> (and (%main v_0) (= v_0 true)) false)) is violated by v_0 = true" in judgement.evidence


def assert_unsound(judgement: Judgement) -> None:
    assert ("sat", Truth.unsat, "1") == (judgement.answer.verdict, judgement.truth, judgement.severity)
    assert judgement.known is None
    assert "it says sat, but a checked refutation proves unsat" in judgement.evidence
    assert "is violated by" in judgement.evidence


async def test_unsound_engine(bench: Bench) -> None:
    """Spacer's gpdr mode skips what it should have looked at."""
    assert_unsound(await certify(GOLDEN["bits-unsat"], own(("fp.spacer.gpdr", "true")), AMPLE, bench))


@pytest.mark.shared
async def test_unsound_engine_on_another_instance(bench: Bench, shared_dir: Path) -> None:
    """One with names in bars."""
    text = (shared_dir / "recordings" / "tiny" / "quoted-unsat.smt2").read_text()
    assert_unsound(await certify(read_instance(text), own(("fp.spacer.gpdr", "true")), AMPLE, bench))


async def test_unsound_preprocessing(bench: Bench) -> None:
    """Spacer's bit blasting loses the transition."""
    instance = read_instance(
        """(set-logic HORN)
(declare-fun Reg (Bool (_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 4))) (Reg false x)))
(assert (forall ((b Bool) (x (_ BitVec 4)) (c Bool) (y (_ BitVec 4)))
  (=> (and (Reg b x) (or (and (bvslt x #x0) c (= y #x0)) (and b c (= y x)))) (Reg c y))))
(assert (forall ((x (_ BitVec 4))) (=> (and (Reg true x) (distinct x #x1)) false)))
(check-sat)
"""
    )
    assert_unsound(await certify(instance, own(("fp.xform.bit_blast", "true")), AMPLE, bench))


async def test_unknown_option_is_the_users_mistake(bench: Bench) -> None:
    """It is named, and held against nobody."""
    judgement = await certify(UNSAT, own(("fp.nonsense", "true")), AMPLE, bench)
    assert ("error", None, Truth.unsat) == (judgement.answer.verdict, judgement.severity, judgement.truth)
    assert "unknown parameter 'fp.nonsense'" in judgement.evidence


# Names that mislead ---------------------------------------------------------------------------------------

MISLEADING = {
    "goals of z3's": ("query!0", "query!1", "user_query!0", "user_query!1"),
    "verdicts on lines of their own": ("a\nsat\n", "\nunsat\n", "b\nunknown\nc", "\n(error \n"),
    "bars and blanks": ("%a b", "let ", "", "(P 0)"),
}


@pytest.mark.parametrize("names", MISLEADING.values(), ids=MISLEADING)
@pytest.mark.parametrize("limit", [1, 50])
@pytest.mark.parametrize("options", [(), FOR_WITNESSES])
async def test_misleading_names(
    names: Sequence[str], limit: int, options: tuple[tuple[str, str], ...], bench: Bench
) -> None:
    """Predicates may be called as one likes; the witness has them under these names."""
    first, second, third, unused = (f"|{name}|" for name in names)
    instance = read_instance(
        f"""(set-logic HORN)
(declare-fun {first} (Int) Bool)(declare-fun {second} (Int) Bool)
(declare-fun {third} () Bool)(declare-fun {unused} (Int) Bool)
(assert ({first} 0))
(assert (forall ((x Int)) (=> (and ({first} x) (< x 3)) ({first} (+ x 1)))))
(assert (forall ((x Int)) (=> (and ({first} x) (> x {limit})) ({second} x))))
(assert (forall ((x Int)) (=> (and ({second} x) ({first} x)) {third})))
(assert (=> {third} false))
(check-sat)
"""
    )
    judgement = await certify(instance, own(*options), AMPLE, bench)
    assert (None, Truth.unsat if limit == 1 else Truth.sat) == (judgement.severity, judgement.truth)
    assert judgement.witness is not None
    assert Standing.valid is (await bench.thorough.examine(instance, judgement.witness)).standing


# What nobody knows ----------------------------------------------------------------------------------------


async def test_contradiction_without_a_certificate(liar: Liar, bench: Bench) -> None:
    """It is kept as unresolved, and what everybody says is said."""
    judgement = await certify(NOBODY_CAN_PROVE, liar("print('sat')"), AMPLE, bench)
    assert (None, (), "unresolved") == (judgement.truth, judgement.certified_by, judgement.severity)
    assert "says unsat: its witness cannot be read" in judgement.evidence


async def test_invalid_model_without_a_truth(liar: Liar, bench: Bench) -> None:
    """The model is wrong for sure; whether the verdict is, nobody knows."""
    lie = "print('sat\\n((define-fun P ((x!0 Int) (x!1 Int)) Bool (<= 1 x!0 99)))')"
    judgement = await certify(NOBODY_CAN_DECIDE, liar(lie), BRIEF, bench)
    assert (None, "unresolved") == (judgement.truth, judgement.severity)
    assert "is violated" in judgement.evidence


class Gullible(SmtChecker):
    """Finds everything valid."""

    async def decide(self, instance: Instance, questions: Sequence[Sequence[Term]]) -> list[Decision]:
        return [Decision(Satisfiability.unsat) for _ in questions]


async def test_checkers_that_contradict_each_other(liar: Liar) -> None:
    """A checker that lies certifies nothing, is not passed over in silence, and harms no honest answer."""
    lie = LIES["invalid model"].source
    async with Bench(Examiner.of([SmtChecker("z3", 1), Gullible("cvc5", 1)])) as bench:
        judgement = await certify(SAT, liar(lie), AMPLE, bench)
        assert ("sat", "unresolved") == (judgement.answer.verdict, judgement.severity)
        assert "CHECKERS CONTRADICT EACH OTHER: cvc5 call it valid, but clause 2" in judgement.evidence


async def test_contradiction_about_a_helper_is_not_lost(liar: Liar) -> None:
    """Also where the truth is found in the end."""
    wrong = LIES["invalid model"].source
    lie = f"import sys\nif 'fp.xform.slice=false' in sys.argv: {wrong}\nelse: print('sat')"
    async with Bench(Examiner.of([SmtChecker("z3", 1), Gullible("cvc5", 1)])) as bench:
        judgement = await certify(SAT, liar(lie), AMPLE, bench)
        assert (Truth.sat, "unresolved") == (judgement.truth, judgement.severity)
        assert "CHECKERS CONTRADICT EACH OTHER" in judgement.evidence


async def test_certificates_that_contradict_each_other(bench: Bench) -> None:
    """A truth known beforehand against a certified answer: a bug of ours or of a checker, not of the solver."""
    params = (variable("x", UNSAT.predicates[0].sorts[0]),)
    wrong = Examination(Standing.valid, witness=Model({"P": Interpretation(params, TRUE)}), certified_by=("z3",))
    judgement = await certify(UNSAT, own(*FOR_WITNESSES), AMPLE, bench, wrong)
    assert ("unsat", "unresolved") == (judgement.answer.verdict, judgement.severity)
    assert judgement.evidence.startswith("CERTIFICATES CONTRADICT EACH OTHER")


async def test_truth_known_beforehand(liar: Liar, bench: Bench) -> None:
    """Nobody else is asked for it."""
    proof = (await certify(UNSAT, own(), AMPLE, bench)).witness
    assert proof is not None
    known = await bench.thorough.examine(UNSAT, proof)
    judgement = await certify(UNSAT, liar("print('sat')"), AMPLE, bench, known)
    assert ("1", proof) == (judgement.severity, judgement.witness)


# Two solvers, one of which lies ---------------------------------------------------------------------------

BARE = {"sat": "print('sat')", "unsat": "print('unsat')"}


@pytest.mark.parametrize("instance", [SAT, UNSAT], ids=["sat", "unsat"])
@pytest.mark.parametrize("is_lying", [True, False])
async def test_the_right_one_of_two_is_blamed(instance: Instance, is_lying: bool, liar: Liar) -> None:
    """Neither prints a witness, and the certificate of a third decides."""
    right, wrong = ("sat", "unsat") if instance is SAT else ("unsat", "sat")
    honest, lying = liar(BARE[right]), liar(BARE[wrong])
    asked, other = (lying, honest) if is_lying else (honest, lying)
    async with Bench(Examiner()) as bench:
        judgement = await certify(instance, asked, AMPLE, bench, others=[other])
    blamed = {Truth.sat: Severity.false_refutation, Truth.unsat: Severity.unsound}
    assert right == judgement.truth
    assert (blamed[Truth(right)] if is_lying else None) is judgement.severity


async def test_a_liar_among_those_who_help_is_named(liar: Liar) -> None:
    """The one who was asked is not blamed for the contradiction, once there is a certificate."""
    asked = liar("import sys; print('unsat' if 'fp.xform.slice=false' in sys.argv else 'sat')")
    async with Bench(Examiner()) as bench:
        judgement = await certify(SAT, asked, AMPLE, bench)
    assert (Truth.sat, None) == (judgement.truth, judgement.severity)
    assert [FOR_WITNESSES] == [each.options for each in judgement.contradicted_by]


async def test_two_that_contradict_each_other_without_any_proof(liar: Liar) -> None:
    """Nobody is blamed."""
    async with Bench(Examiner()) as bench:
        judgement = await certify(NOBODY_CAN_PROVE, liar("print('sat')"), AMPLE, bench, others=[liar("print('unsat')")])
    assert (None, Severity.unresolved, ()) == (judgement.truth, judgement.severity, judgement.contradicted_by)


async def test_helpers_have_a_limit_together(liar: Liar) -> None:
    """Three times that of the query, so that not all of many that hang are waited for."""
    hanging = [liar("import time; time.sleep(1000)") for _ in range(9)]
    brief = Limits(wall_seconds=0.2, memory_mb=2048)
    async with Bench(Examiner(), helpers=hanging) as bench:
        judgement = await certify(NOBODY_CAN_DECIDE, hanging[0], brief, bench)
    assert 2 <= judgement.evidence.count(" says timeout") <= 4


# Nothing is left behind -----------------------------------------------------------------------------------


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


async def test_no_leaks(liar: Liar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many checks, finished and cancelled, no process, descriptor or file is left."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    HOUSEHOLD.guardian.ensure()
    hanging = liar("import time; time.sleep(1000)")
    living, opened = set(children(os.getpid())), descriptors()
    for _ in range(2):
        async with Bench(Examiner(processes=2)) as bench:
            for number in range(10):
                await certify(SAT if number % 2 else UNSAT, own(), AMPLE, bench)
            with anyio.move_on_after(0.3) as scope:
                async with anyio.create_task_group() as group:
                    for _ in range(4):
                        group.start_soon(certify, SAT, hanging, AMPLE, bench)
            assert scope.cancelled_caught
            assert [folder.joinpath(each.name) for each in folder.glob("*/*")] == []
            await certify(SAT, own(), AMPLE, bench)
    assert (living, opened, []) == (set(children(os.getpid())), descriptors(), list(folder.iterdir()))
