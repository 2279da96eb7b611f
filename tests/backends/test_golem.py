"""Golem: what it is asked, what its outputs amount to, and itself where it is installed."""

from pathlib import Path

import pytest

from backends.answer import Answer, Configuration, Verdict
from backends.examination import Examiner, Standing
from backends.golem import GOLEM, engines_for
from backends.limits import Limits
from backends.options import Fairness
from backends.process import Ending, Run
from backends.store import add
from backends.trace import Trace
from chc.instance import Instance
from chc.script import read_instance
from tests.backends.golden.record import instances, reading
from tests.backends.golden.runs import Recording, answer_to, recordings

pytestmark = pytest.mark.anyio

LIMITS = Limits(wall_seconds=60.0, memory_mb=2048)
PLAIN = Configuration("golem", "0.9.1", "/golem")
INSTANCES = instances()
ABORT = "terminate called after throwing an instance of '{}'\n  what():  {}\n"


def chc(*lines: str) -> Instance:
    return read_instance("\n".join(["(set-logic HORN)", "(declare-fun P (Int) Bool)", *lines, "(check-sat)"]))


LINEAR = chc("(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))")
BRANCHING = chc("(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))")
ARRAYS = chc("(assert (forall ((a (Array Int Int))) (=> (= (select a 0) 3) (P (select a 1)))))")


def ended(
    stdout: str = "", stderr: str = "", exit_code: int | None = 0, signal: int | None = None, *argv: str
) -> tuple[Verdict, str]:
    ending = Ending.exited if signal is None else Ending.signal
    result = Run(("/golem", *argv, "a.smt2"), ending, exit_code, signal, stdout.encode(), stderr.encode())
    said = GOLEM.read(result)
    return said.verdict, said.detail


@pytest.mark.parametrize("recording", recordings("golem"), ids=lambda each: each.configuration.label)
async def test_golden(recording: Recording) -> None:
    """What it prints reads as it was recorded, and whatever it decides here is certified."""
    assert len(recording.samples) > 10
    async with Examiner() as examiner:
        for sample in recording.samples:
            answer, instance = answer_to(recording.configuration, sample), INSTANCES[sample.instance]
            assert sample.verdict == answer.verdict, sample.instance
            assert sample.read == reading(answer, instance), sample.instance
            assert "golem's own validation of it succeeded" == sample.own_check
            assert Standing.valid == (await examiner.examine_answer(instance, answer)).standing, sample.instance


def command(instance: Instance, folder: Path, **options: str) -> list[str]:
    path = folder / "instance.smt2"
    path.write_text(instance.text)
    given = tuple((name.replace("_", "-"), value) for name, value in options.items())
    program, *words, last = GOLEM.command(Configuration("golem", "0.9.1", "/golem", given), path, LIMITS)
    assert ("/golem", str(path)) == (program, last)
    return words


def test_command(tmp_path: Path) -> None:
    """Witnesses are printed and checked in the same run, but never of arrays, where that aborts."""
    assert ["--print-witness", "--validate"] == command(LINEAR, tmp_path)
    assert ["--logic", "QF_ALIA", "--engine", "kind"] == command(ARRAYS, tmp_path)
    assert ["--logic", "QF_ALIA", "--engine", "se"] == command(ARRAYS, tmp_path, engine="se")
    assert ["--print-witness", "--force-ts", "--engine", "bmc"] == command(
        LINEAR, tmp_path, validate="false", force_ts="true", engine="bmc"
    )


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("(assert (forall ((x Int)) (=> (P (* x x)) false)))", "nonlinear"),
        ("(assert (forall ((x Int)) (=> (and (P x) (forall ((y Int)) (> y x))) false)))", "quantifiers"),
        ("(assert (forall ((x Int) (r Real)) (=> (and (P x) (> r 0.5)) false)))", "integers and reals"),
        ("(assert (forall ((x Int)) (=> (= x 5) false)))", "without a predicate"),
        ("(assert (forall ((x Int)) (=> (P (abs x)) false)))", "`abs`"),
        ("(assert (forall ((x Int)) (=> (P (select ((as const (Array Int Int)) x) 0)) false)))", "`const` of arrays"),
        ("(declare-fun Q ((_ BitVec 8)) Bool)", "BitVec"),
        ("(declare-datatypes ((D 0)) (((c))))", "Datatype"),
    ],
)
def test_refusals(lines: str, reason: str) -> None:
    """What lies outside of what it supports is not asked, and it has no engine for it."""
    instance = chc(lines)
    assert reason in (GOLEM.refusal(instance) or "")
    assert () == engines_for(instance)


def test_engines() -> None:
    """Two engines take any clauses, three take arrays."""
    assert 12 == len(engines_for(LINEAR))
    assert ("spacer", "pa") == engines_for(BRANCHING)
    assert ("kind", "bmc", "se") == engines_for(ARRAYS)
    assert "trl" not in engines_for(INSTANCES["real-sat"])


@pytest.mark.parametrize(
    ("engine", "instance", "fits"),
    [
        (None, BRANCHING, True),
        ("kind", LINEAR, True),
        ("kind", BRANCHING, False),
        ("kind,pa", BRANCHING, True),
        ("trl", LINEAR, False),
        ("bmc", LINEAR, False),
    ],
)
def test_misfit(engine: str | None, instance: Instance, *, fits: bool) -> None:
    """Giving up is no surprise of an engine that is made for other shapes, or that only searches."""
    options = () if engine is None else (("engine", engine),)
    assert fits == (GOLEM.misfit(Configuration("golem", "0.9.1", "/golem", options), instance) is None)


def test_decides() -> None:
    """Arrays are taken, but nobody is surprised when they are too hard."""
    assert GOLEM.refusal(ARRAYS) is None
    assert (True, False) == (GOLEM.decides(LINEAR), GOLEM.decides(ARRAYS))


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (ended("unsat\n0:\ttrue\n"), (Verdict.unsat, "")),
        (
            ended('(error "Assertion is not a Horn clause: x")\n'),
            (Verdict.error, '(error "Assertion is not a Horn clause: x")'),
        ),
        (ended("; BMC: No path of length 3 found!\nsat\n"), (Verdict.sat, "")),
        (ended('(error "e")\nsat\n'), (Verdict.error, '(error "e")')),
        (ended("At line 2: syntax error\n", "Error when parsing input file\n", 1)[0], Verdict.error),
        (
            ended("", "golem: unrecognized option '--foo'\n", None, 6),
            (Verdict.error, "golem: unrecognized option '--foo'"),
        ),
        (ended("", ABORT.format("std::invalid_argument", "Unknown engine specified"), None, 6)[0], Verdict.error),
        (
            ended("", ABORT.format("opensmt::ApiException", "Unknown symbol `abs Int'"), None, 6),
            (Verdict.error, "opensmt::ApiException: Unknown symbol `abs Int'"),
        ),
        (
            ended("", ABORT.format("std::logic_error", "Unexpected formula"), None, 6),
            (Verdict.crash, "died of SIGABRT (Aborted): std::logic_error: Unexpected formula"),
        ),
        (ended("sat\n", ABORT.format("opensmt::ApiException", "x"), None, 6)[0], Verdict.crash),
        (ended("", "", None, 11), (Verdict.crash, "died of SIGSEGV (Segmentation fault)")),
        (ended("", "", 0, None, "--engine", "kind,bmc"), (Verdict.unknown, "none of the engines decides it")),
        (ended("", "", 0, None, "--engine", "kind")[0], Verdict.error),
    ],
)
def test_endings(run: object, expected: object) -> None:
    """Exit codes say nothing; misuse and what the solver below refuses are no crashes, everything else is one."""
    assert expected == run


def test_trace() -> None:
    """Only engines that count say anything, and beyond a few it does not matter how far they have come."""

    def said(lines: str) -> Trace | None:
        return GOLEM.read(Run(("/golem", "a.smt2"), Ending.exited, 0, stdout=f"{lines}sat\n".encode())).trace

    lines = [f"; KIND: No path of length {number} found!\n" for number in (0, 1, 90, 91)]
    trace = said("".join(lines))
    assert trace is not None
    assert ("", *(f"; KIND: No path of length {number} found!" for number in (0, 1, 8))) == trace.states
    assert ((0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 3, 1)) == trace.transitions
    assert said("") is None
    assert ("/golem", "-v", "-v", "a.smt2") == GOLEM.logging(("/golem", "a.smt2"))


def test_own_validation_is_no_part_of_the_witness() -> None:
    """Where there is none, its failure is no malformed witness."""
    result = Run(("/golem", "a.smt2"), Ending.exited, 0, stdout=b"sat\nInternal witness validation failed!\n")
    said = GOLEM.read(result)
    assert (None, "golem's own validation of it failed") == (said.model_text, said.own_check)


async def test_own_validation_is_quoted_where_the_witness_is_wrong() -> None:
    """The developers will want to know that their own check misses it."""
    model = "(\n(define-fun P ((|x#0| Int)) Bool\n false)\n)\n"
    instance = chc("(assert (forall ((x Int)) (=> (= x 0) (P x))))")
    answer = Answer(PLAIN, (), Verdict.sat, 0.0, 0.0, 0.0, "", model, None, "golem's own validation of it succeeded")
    async with Examiner() as examiner:
        found = await examiner.examine_answer(instance, answer)
    assert Standing.invalid == found.standing
    assert found.reason.endswith("; golem's own validation of it succeeded")


def test_what_is_unsound_or_undocumented_is_never_drawn() -> None:
    """Everything else is fair."""
    forbidden = {(option.name, option.values) for option in GOLEM.option_space("0.9.1") if option.reason}
    assert {("proof-format", ("alethe",)), ("forced-covering", ("false", "true"))} == forbidden
    assert all((option.fairness is Fairness.forbidden) == bool(option.reason) for option in GOLEM.option_space("0.9.1"))


@pytest.fixture
def golem_program() -> str:
    found = list(GOLEM.releases())
    if not found:
        pytest.skip("golem is not installed; type: hornblower solvers add golem /path/to/golem")
    return found[-1].program


async def test_real(golem_program: str, tmp_path: Path) -> None:
    """What it answers here and now is certified, by each kind of proof."""
    real = Configuration("golem", "real", golem_program)
    async with Examiner() as examiner:
        for name in ("counter-sat", "counter-unsat", "meet-unsat", "real-unsat", "names-unsat"):
            for configuration in (real, GOLEM.for_witnesses(real)):
                path = tmp_path / "asked.smt2"
                path.write_text(GOLEM.text_of(INSTANCES[name]))
                answer = await GOLEM.ask(configuration, path, LIMITS)
                assert name.endswith(f"-{answer.verdict}")
                assert Standing.valid == (await examiner.examine_answer(INSTANCES[name], answer)).standing


def test_version(golem_program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is registered under the version that it says."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path))
    entry = add("golem", golem_program)
    assert GOLEM.version_of(golem_program) == entry.version
    assert entry in list(GOLEM.releases())
