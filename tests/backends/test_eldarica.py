"""Eldarica: what it is asked, what its outputs amount to, its server that fails, and itself where it is installed."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import pytest

import backends
from backends import eldarica_program as program
from backends.answer import Answer, Configuration, Verdict
from backends.eldarica import ELDARICA, WarmEldarica
from backends.examination import Examiner, Standing
from backends.judging import is_rejection
from backends.limits import Limits
from backends.options import Fairness
from backends.places import BadSolver, InstallError, SolverMissing
from backends.process import Ending, Run
from backends.store import add, parse_solver
from chc.script import read_instance
from tests.backends import eldarica_stub
from tests.backends.golden.record import instances, reading
from tests.backends.golden.runs import Recording, answer_to, recordings

pytestmark = pytest.mark.anyio

Gone = Callable[..., Awaitable[None]]
LIMITS = Limits(wall_seconds=100.0, memory_mb=1024)
PATIENT = Limits(wall_seconds=1000.0, memory_mb=2048)
INSTANCES = instances()


@pytest.fixture
def jars(tmp_path: Path) -> Path:
    """A directory that looks like a release."""
    home = tmp_path / "release"
    (home / "lib").mkdir(parents=True)
    (home / "lib" / "eldarica_2.13-2.2.1.jar").touch()
    (home / "lib" / "princess_2.13-2025-11-17.jar").touch()
    return home


@pytest.fixture
def stub(jars: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Configuration:
    """A release whose `java` is ours."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!{sys.executable} -SE\n{Path(eldarica_stub.__file__).read_text()}")
    java.chmod(0o755)
    monkeypatch.setenv("PATH", f"{java.parent}:{os.environ['PATH']}")
    return Configuration("eldarica", "2.2.1", str(jars))


def ended(stdout: str = "", stderr: str = "", exit_code: int = 0) -> tuple[Verdict, str]:
    said = ELDARICA.read(Run(("java",), Ending.exited, exit_code, None, stdout.encode(), stderr.encode()))
    return said.verdict, said.detail


def uncaught(exception: str) -> str:
    return f'Warning: ignoring exit\nException in thread "main" {exception}\n\tat lazabs.horn.X.y(X.scala:1)\n\tat z\n'


@pytest.mark.parametrize("recording", recordings("eldarica"), ids=lambda each: each.configuration.label)
async def test_golden(recording: Recording) -> None:
    """What it prints reads as it was recorded, and stands before the checkers as it did."""
    assert len(recording.samples) > 10
    async with Examiner() as examiner:
        for sample in recording.samples:
            answer, instance = answer_to(recording.configuration, sample), INSTANCES[sample.instance]
            assert sample.verdict == answer.verdict, sample.instance
            assert sample.read == reading(answer, instance), sample.instance
            assert sample.standing == (await examiner.examine_answer(instance, answer)).standing, sample.instance


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (ended("unsat\n\n0: false\n\n"), (Verdict.unsat, "")),
        (ended("sat\n(\n)\n", "Warning: ignoring get-info\n"), (Verdict.sat, "")),
        (ended("unknown\n"), (Verdict.unknown, "")),
        (ended('(error "Predicate generation failed")\n'), (Verdict.error, '(error "Predicate generation failed")')),
        (ended('(error "out of memory")\n'), (Verdict.memout, '(error "out of memory")')),
        (ended('(error "stack overflow")\n')[0], Verdict.memout),
        (ended("ERROR: java.lang.StackOverflowError\n")[0], Verdict.memout),
        (ended("ERROR: null\n"), (Verdict.error, "ERROR: null")),
        (ended("error\n"), (Verdict.error, "it says `error`, and nothing else")),
        (ended(stderr=uncaught("java.lang.OutOfMemoryError: Java heap space"), exit_code=1)[0], Verdict.memout),
        (
            ended(stderr=uncaught("java.lang.AssertionError: assertion failed"), exit_code=1),
            (Verdict.crash, "java.lang.AssertionError: assertion failed at lazabs.horn.X.y(X.scala:1)"),
        ),
        (ended(exit_code=255)[0], Verdict.error),
        (ended("sat\n", uncaught("java.lang.StackOverflowError"), 1)[0], Verdict.memout),
    ],
)
def test_endings(run: object, expected: object) -> None:
    """Exit code 0 says nothing, and another one only with an exception that nobody caught."""
    assert expected == run


def test_what_it_does_not_know_is_our_mistake() -> None:
    """An option is not part of the instance; everything else that it complains about is."""

    def complaint(text: str) -> Answer:
        return Answer(Configuration("eldarica", "1", "/e"), (), Verdict.error, 0.0, 0.0, 0.0, f'(error "{text}")')

    assert is_rejection(complaint("unrecognized option '-foo'"))
    assert not ELDARICA.is_rejection(complaint("unrecognized option '-foo'"))
    assert ELDARICA.is_rejection(complaint("Predicate generation failed"))


def test_command(jars: Path) -> None:
    """The heap fits into the memory of the query, whatever its script says, and the time is what it may take."""
    options = (("lbe", "true"), ("abstract", "off"), ("disj", "false"))
    command = ELDARICA.command(Configuration("eldarica", "2.2.1", str(jars), options), Path("/i/a.smt2"), LIMITS)
    start, main, asked = command[: command.index("-cp")], command[command.index("-cp") + 2], command[-7:]
    assert ("java", "-XX:+UseSerialGC", "-Xmx768m", "-Xss20000k") == start
    assert "lazabs.Main" == main
    assert ("-ssol", "-scex", "-solutionReconstruction:wp", "-lbe", "-abstract:off", "-t:101", "/i/a.smt2") == asked
    assert not ELDARICA.bounds(LIMITS).address_space


def test_native_build(tmp_path: Path) -> None:
    """A program without jars is started as it is, and is never warm."""
    (tmp_path / "eld").touch(mode=0o755)
    configuration = Configuration("eldarica", "2.3pre", str(tmp_path / "eld"))
    assert configuration.program == ELDARICA.command(configuration, Path("/a.smt2"), LIMITS)[0]
    assert ELDARICA.warm(configuration) is None


def test_what_it_takes() -> None:
    """Reals are not asked about; what is hard for everybody may be too hard for it."""
    text = "(set-logic HORN)(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> (P (* x x)) false)))(check-sat)"
    assert "Real" in (ELDARICA.refusal(INSTANCES["real-sat"]) or "")
    assert ELDARICA.refusal(INSTANCES["list-sat"]) is None
    assert (True, False) == (ELDARICA.decides(INSTANCES["bits-sat"]), ELDARICA.decides(read_instance(text)))


def test_what_is_unsound_is_never_drawn() -> None:
    """A bounded search and what depends on the clock are forbidden, each with its reason."""
    forbidden = {option.name for option in ELDARICA.option_space("2.2.1") if option.fairness is Fairness.forbidden}
    assert {"symDepth", "portfolio", "abstractPO", "stac", "eogCEX", "abstract"} == forbidden
    assert all(option.reason for option in ELDARICA.option_space("2.2.1") if option.fairness is not Fairness.fair)


async def test_a_wrong_model_in_words_of_its_own_is_nobodys_fault() -> None:
    """What `_size` means has been guessed; the same in plain words is its fault."""
    instance = read_instance(
        "(set-logic HORN)(declare-datatypes ((N 0)) (((z) (s (p N)))))(declare-fun P (N) Bool)(assert (P z))(check-sat)"
    )

    def answer(condition: str) -> Answer:
        model = f"((define-fun P ((A N)) Bool {condition}))"
        return Answer(Configuration("eldarica", "1", "/e"), (), Verdict.sat, 0.0, 0.0, 0.0, model_text=model)

    async with Examiner() as examiner:
        assert Standing.valid == (await examiner.examine_answer(instance, answer("(<= (_size A) 1)"))).standing
        assert Standing.undecided == (await examiner.examine_answer(instance, answer("(> (_size A) 1)"))).standing
        assert Standing.invalid == (await examiner.examine_answer(instance, answer("(is-s A)"))).standing


# Programs and releases ------------------------------------------------------------------------------------


def test_version_from_the_name_of_the_jar(jars: Path) -> None:
    """No JVM is started where the jar says it, for a directory or for a script beside it."""
    (jars / "eld").touch(mode=0o755)
    assert ("2.2.1", "2.2.1") == (ELDARICA.version_of(str(jars)), ELDARICA.version_of(str(jars / "eld")))
    (jars / "lib" / "eldarica_2.13-2.2.1.jar").rename(jars / "lib" / "Eldarica-assembly-2.3pre.jar")
    program.version_of.cache_clear()
    assert "2.3pre" == ELDARICA.version_of(str(jars))


def test_version_from_its_greeting(stub: Configuration, jars: Path) -> None:
    """Otherwise it is asked for its help."""
    (jars / "lib" / "eldarica_2.13-2.2.1.jar").rename(jars / "lib" / "eldarica.jar")
    program.version_of.cache_clear()
    program.class_path.cache_clear()
    assert "9.9" == ELDARICA.version_of(stub.program)


def test_directory_is_registered(jars: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name and by path; one without jars is none."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    entry = add("eldarica", str(jars))
    assert "2.2.1" == entry.version
    assert str(jars) == parse_solver("eldarica@2.2.1").program
    assert str(jars) == parse_solver(f"eldarica@path:{jars}").program
    with pytest.raises(InstallError):
        add("eldarica", str(tmp_path))
    with pytest.raises(SolverMissing):
        parse_solver(f"eldarica@path:{tmp_path}")
    with pytest.raises(BadSolver):
        parse_solver("eldarica@")


MAVEN = """#!{python} -SE
import re, sys
pom = open(sys.argv[sys.argv.index("--file") + 1]).read()
version = re.search("<version>([0-9][0-9.]+)</version>\\\\s*</dependency>", pom)[1]
if version == "2.4":
    sys.exit("[ERROR] could not find artifact")
folder = next(word for word in sys.argv if word.startswith("-DoutputDirectory=")).partition("=")[2]
open(f"{{folder}}/eldarica_2.13-{{version}}.jar", "w").close()
"""


def test_install(stub: Configuration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Maven is asked for the published release; where the mirror lacks it, it is said what else works."""
    maven = tmp_path / "bin" / "mvn"
    maven.write_text(MAVEN.format(python=sys.executable))
    maven.chmod(0o755)
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    said: list[str] = []
    entry = ELDARICA.install("2.2.1", said.append)
    assert entry in list(ELDARICA.releases())
    assert entry == ELDARICA.install("2.2.1", said.append)
    assert "installed already" in said[-1]
    with pytest.raises(InstallError, match="hornblower solvers add eldarica"):
        ELDARICA.install("2.4", said.append)
    ELDARICA.remove("2.2.1")
    assert entry not in list(ELDARICA.releases())


async def test_without_java(jars: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said what to type, by the installer and by an answer."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InstallError, match="apt-get install"):
        ELDARICA.install("2.2.1", lambda _: None)
    answer = await ELDARICA.ask(Configuration("eldarica", "2.2.1", str(jars)), tmp_path / "a.smt2", LIMITS)
    assert (Verdict.error, program.JAVA_MISSING) == (answer.verdict, answer.detail)


# The server -----------------------------------------------------------------------------------------------

SAT = "sat\n()"


def test_whether_it_can_be_warm_costs_nothing(stub: Configuration, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question is asked often, and nobody closes what it is answered with."""
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    assert ELDARICA.warm(stub) is not None


async def test_a_folder_that_was_tidied_away_is_made_anew(stub: Configuration) -> None:
    """Places for temporary files are swept from time to time."""
    async with aclosing(WarmEldarica(stub)) as warm:
        path = Path((await warm.ask(SAT, LIMITS)).command[-1])
        shutil.rmtree(path.parent)
        again = await warm.ask(SAT, LIMITS)
    assert Verdict.sat == again.verdict
    assert path.parent != Path(again.command[-1]).parent


async def test_warm(stub: Configuration, gone: Gone) -> None:
    """One process answers many queries, and nothing of it is left."""
    warm = WarmEldarica(stub)
    first = await warm.ask(SAT, LIMITS)
    pid = warm.pid
    assert pid is not None
    assert (Verdict.sat, "\n()\n", stub) == (first.verdict, first.model_text, first.configuration)
    assert "lazabs.Main" in first.command
    assert Verdict.unsat == (await warm.ask("unsat\n\n0: false", LIMITS)).verdict
    assert pid == warm.pid
    folder = Path(first.command[-1]).parent
    assert [] == list(folder.iterdir())
    await warm.aclose()
    await gone(pid)
    assert not folder.exists()
    with pytest.raises(RuntimeError, match="closed"):
        await warm.ask(SAT, LIMITS)


@pytest.mark.parametrize("wish", ["die", "say nothing", "shut down"])
async def test_what_it_loses_is_asked_cold(stub: Configuration, gone: Gone, wish: str) -> None:
    """An answer that breaks off is none, and the next query finds another server."""
    warm = WarmEldarica(stub)
    await warm.ask(SAT, LIMITS)
    before = warm.pid
    assert eldarica_stub.COLD == (await warm.ask(wish, LIMITS)).detail
    await gone(before)
    assert Verdict.sat == (await warm.ask(SAT, LIMITS)).verdict
    assert before != warm.pid
    await warm.aclose()


async def test_it_may_die_between_queries(stub: Configuration, gone: Gone) -> None:
    """Nothing is lost by that, so that nothing is asked cold."""
    warm = WarmEldarica(stub)
    for _ in range(3):
        assert Verdict.sat == (await warm.ask(SAT, LIMITS)).verdict
        assert warm.pid is not None
        os.kill(warm.pid, signal.SIGKILL)
        await gone(warm.pid)
    assert 0 == warm.asked_cold
    await warm.aclose()


async def test_signs_of_life_are_sent(stub: Configuration) -> None:
    """Without them it would give up the query."""
    warm = WarmEldarica(stub)
    assert Verdict.sat == (await warm.ask("wait for a sign", LIMITS)).verdict
    await warm.aclose()


@pytest.mark.parametrize(
    ("wish", "limits", "expected"),
    [
        ("hang", Limits(wall_seconds=0.3), Verdict.timeout),
        ("flood", Limits(wall_seconds=100.0, output_bytes=1_000_000), Verdict.error),
        ("eat", Limits(wall_seconds=100.0, memory_mb=200), Verdict.memout),
    ],
)
async def test_limits(stub: Configuration, gone: Gone, wish: str, limits: Limits, expected: Verdict) -> None:
    """They hold for each query, and whoever breaks one is not asked again."""
    warm = WarmEldarica(stub)
    answer = await warm.ask(wish, limits)
    assert (expected, True) == (answer.verdict, bool(answer.detail))
    assert warm.pid is None
    assert Verdict.sat == (await warm.ask(SAT, limits)).verdict
    await warm.aclose()


async def test_memory_that_others_have_left_less_of(stub: Configuration) -> None:
    """Only a server that has served nobody else is believed when it runs out of memory."""
    warm = WarmEldarica(stub)
    out = '(error "out of memory")'
    assert (Verdict.memout, out) == ((answer := await warm.ask(out, LIMITS)).verdict, answer.detail)
    assert eldarica_stub.COLD == (await warm.ask(out, LIMITS)).detail
    await warm.aclose()


async def test_another_limit_of_memory_needs_another_server(stub: Configuration) -> None:
    """The heap is what it was started with."""
    warm = WarmEldarica(stub)
    await warm.ask(SAT, LIMITS)
    before = warm.pid
    await warm.ask(SAT, Limits(wall_seconds=100.0, memory_mb=2048))
    assert before != warm.pid
    await warm.aclose()


DAEMON = """
import sys, anyio
from backends.answer import Configuration
from backends.eldarica import WarmEldarica
from backends.limits import Limits

async def main():
    warm = WarmEldarica(Configuration("eldarica", "2.2.1", sys.argv[1]))
    await warm.ask("sat", Limits(1000.0))
    print(warm.pid, flush=True)
    await warm.ask("hang", Limits(1000.0))

anyio.run(main)
"""


async def test_no_process_is_left_when_the_daemon_is_killed(stub: Configuration, gone: Gone, tmp_path: Path) -> None:
    """The guardian takes the server along."""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(backends.__file__).parents[1])}
    command = [sys.executable, "-c", DAEMON, stub.program]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        pid = int(daemon.stdout.readline())
        daemon.kill()
    await gone(pid)


# Eldarica itself ------------------------------------------------------------------------------------------


@pytest.fixture
def real() -> Configuration:
    found = list(ELDARICA.releases())
    if not found or program.java_is_missing():
        pytest.skip("eldarica is not installed; type: hornblower solvers add eldarica /path/to/eld")
    return Configuration("eldarica", found[-1].version, found[-1].program)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_real(real: Configuration, tmp_path: Path) -> None:
    """Cold and warm it says the same, and that is certified."""
    warm = WarmEldarica(real)
    async with Examiner() as examiner:
        for name in ("counter-sat", "counter-unsat", "list-unsat", "bits-sat"):
            instance = INSTANCES[name]
            path = tmp_path / "asked.smt2"
            path.write_text(ELDARICA.text_of(instance))
            answers = [await warm.ask(instance.text, PATIENT)]
            if name == "counter-sat":
                answers.append(await ELDARICA.ask(real, path, PATIENT))
            for answer in answers:
                assert name.endswith(f"-{answer.verdict}")
                assert Standing.valid == (await examiner.examine_answer(instance, answer)).standing
    await warm.aclose()
