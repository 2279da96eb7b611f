"""Princess itself, newest and older, as a refuter; and what it says of wrong witnesses."""

import shutil
from pathlib import Path

import pytest

from backends import princess_releases
from backends.adapter import Said
from backends.answer import Configuration, Verdict
from backends.certificates import Outcome, check_witness
from backends.checker_programs import PRINCESS as CHECKER
from backends.checker_programs import Effort, program_of
from backends.java import fetch
from backends.limits import Limits
from backends.places import BadSolver, InstallError, SolverMissing, directory
from backends.princess import PRINCESS
from backends.process import Ending, Run
from backends.smt_checker import SmtChecker
from backends.store import find, installed, parse_release
from chc.script import read_instance
from tests.conftest import OLD_PRINCESS
from transformations.corpus import corpus

pytestmark = pytest.mark.anyio

AMPLE = Limits(wall_seconds=100.0, memory_mb=2048)
PLAIN = Configuration("princess", "1", "/princess")


def releases() -> list[str]:
    return [each.version for each in installed() if each.solver == "princess"]


@pytest.mark.usefixtures("with_princess")
def test_releases_lie_side_by_side() -> None:
    """The newest is the one that is meant by the bare name, and what is there is not fetched again."""
    assert OLD_PRINCESS == releases()[0]
    assert 2 == len(releases())
    assert releases()[-1] == find("princess").version == princess_releases.newest().version
    said: list[str] = []
    assert OLD_PRINCESS == PRINCESS.install(OLD_PRINCESS, said.append).version
    assert "installed already" in said[-1]


@pytest.mark.usefixtures("with_princess")
@pytest.mark.parametrize("number", [0, -1], ids=["older", "newest"])
async def test_refutes(number: int, tmp_path: Path, horn_unsat: str) -> None:
    """Without showing how; also with options."""
    path = tmp_path / "instance.smt2"
    path.write_text(horn_unsat)
    options = (("clausifier", "simple"), ("posUnitResolution", "false"))[: 2 * number]
    configuration = Configuration("princess", "x", find("princess", releases()[number]).program, options)
    answer = await PRINCESS.ask(configuration, path, AMPLE)
    assert (Verdict.unsat, "") == (answer.verdict, answer.detail)
    assert PRINCESS.read_witness(answer, read_instance(horn_unsat)) is None


@pytest.mark.usefixtures("with_princess")
async def test_checks_the_witnesses_of_the_corpus() -> None:
    """Whatever the theory, one of each directory: what it cannot do is undecided."""
    chosen = {each.name.partition("-")[0]: each for each in corpus()}
    async with SmtChecker(CHECKER, 1, Effort(question_seconds=2.0)) as checker:
        found = [await check_witness(each.instance, each.witness, checker) for each in chosen.values()]
    assert Outcome.invalid not in [each.outcome for each in found]
    assert [each.outcome for each in found].count(Outcome.valid) > len(found) // 2


@pytest.mark.slow
@pytest.mark.usefixtures("with_princess")
def test_a_release_that_does_not_exist() -> None:
    """Nothing of it stays behind, and the message says what there is."""
    before = releases()
    with pytest.raises(InstallError, match=r"2024-11-09.*; the newest there is: hornblower solvers install princess$"):
        PRINCESS.install("2024-11-09", lambda _: None)
    assert before == releases()
    assert not list((directory() / "princess").glob(".new-*"))


def test_names_of_releases() -> None:
    """The bare name is enough to install, but not to remove; and releases are dates."""
    assert ("princess", "") == parse_release("princess", may_lack_version=True)
    for text in ("princess", "princess@"):
        with pytest.raises(BadSolver):
            parse_release(text)
    with pytest.raises(BadSolver):
        parse_release("spacer", may_lack_version=True)
    with pytest.raises(InstallError, match="its releases are dates"):
        PRINCESS.install("4.2", lambda _: None)


def test_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is named, with the command that installs it."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InstallError, match=r"needs java and mvn, .*: apt-get install default-jre-headless maven$"):
        PRINCESS.install("", lambda _: None)
    with pytest.raises(SolverMissing, match=r"apt-get install default-jre-headless$"):
        program_of(CHECKER, Effort())
    (tmp_path / "java").symlink_to(shutil.which("true") or "/bin/true")
    with pytest.raises(SolverMissing, match=r"type: hornblower solvers install princess$"):
        program_of(CHECKER, Effort())
    with pytest.raises(SolverMissing, match=r"type: hornblower solvers install princess$"):
        find("princess")


def test_what_maven_complains_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of its errors, without colours and references; the folder is left as it was."""
    maven = tmp_path / "mvn"
    maven.write_text("#!/bin/sh\nprintf '\\033[m\\n[ERROR] No such thing: it -> [Help 1]\\n[ERROR] \\n'\nexit 1\n")
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(InstallError, match=r"Maven could not fetch a:b:1: No such thing: it$"):
        fetch("a", "b", "1", tmp_path / "new")
    assert [] == list((tmp_path / "new").iterdir())


SAID = {
    "unsat": ("unsat\n", Said(Verdict.unsat)),
    "given up": ("unknown\n", Said(Verdict.unknown)),
    "not understood": ('(error "no fractions")\n', Said(Verdict.error, '(error "no fractions")')),
    "error before a verdict": ('(error "no P")\nsat\n', Said(Verdict.error, '(error "no P")')),
    "a bare error": ("error\n", Said(Verdict.error, "no verdict, exit code 0: error")),
    "nothing": ("", Said(Verdict.error, "no verdict, exit code 0: it printed nothing")),
}


@pytest.mark.parametrize(("stdout", "said"), SAID.values(), ids=SAID)
def test_what_it_says(stdout: str, said: Said) -> None:
    """It ends with 0 whatever happens."""
    assert said == PRINCESS.read(Run((), Ending.exited, 0, stdout=stdout.encode()))


def test_reals_are_not_asked() -> None:
    """It has no quantifiers over them."""
    reals = read_instance("(set-logic HORN)(declare-fun P (Real) Bool)(check-sat)")
    assert "princess does not support Real" == PRINCESS.refusal(reals)
    assert PRINCESS.refusal(read_instance("(set-logic HORN)(declare-fun P (Int) Bool)(check-sat)")) is None


def test_command_line() -> None:
    """The heap fits into the memory, and what is true or false becomes a plus or a minus."""
    configuration = Configuration("princess", "1", "/princess", (("a", "true"), ("b", "false"), ("c", "x")))
    command = PRINCESS.command(configuration, Path("/a.smt2"), Limits(wall_seconds=2.5, memory_mb=1000))
    assert ("env", "JAVA_OPTS=-XX:+UseSerialGC -Xmx750m -XX:TieredStopAtLevel=1", "/princess") == command[:3]
    assert ("+a", "-b", "-c=x", "-timeout=4000", "/a.smt2") == command[-5:]
    assert not PRINCESS.bounds(AMPLE).address_space
