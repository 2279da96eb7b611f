"""Ultimate's two solvers, after their sources: samples of their logs, and a tree of files like theirs."""

from pathlib import Path

import pytest

from backends.answer import Verdict
from backends.limits import Limits
from backends.process import Ending, Run
from backends.store import add, find
from backends.ultimate import TREE_AUTOMIZER, UNIHORN

pytestmark = pytest.mark.anyio

LIMITS = Limits(wall_seconds=60.0, memory_mb=1000)
LAUNCHER = "org.eclipse.equinox.launcher_1.6.800.v20240513-1750.jar"
CORE = "de.uni_freiburg.informatik.ultimate.core_0.2.4.jar"
LOG = "This is Ultimate 0.2.4-dev\n[INFO] - {}\nReceived shutdown request...\n"


def read(solver: str, line: str) -> tuple[Verdict, str]:
    adapter = {"tree": TREE_AUTOMIZER, "unihorn": UNIHORN}[solver]
    said = adapter.read(Run((), Ending.exited, 0, stdout=LOG.format(line).encode()))
    return said.verdict, said.detail


def test_verdicts() -> None:
    """They are lines of a log; whatever the exit code."""
    assert (Verdict.sat, "") == read("tree", "ChcSatResult: SAT")
    assert (Verdict.unsat, "") == read("tree", "ChcUnsatResult: UNSAT")
    assert (Verdict.unsat, "") == read("tree", "The given horn clause set is UNSAT")
    assert (Verdict.sat, "") == read("tree", "The given horn clause set is SAT")
    assert (Verdict.sat, "") == read("unihorn", "PositiveResult [Line: 1]: the clauses hold")
    assert (Verdict.unsat, "") == read("unihorn", "CounterExampleResult [Line: 1]: they do not")
    assert (Verdict.unknown, "") == read("unihorn", "TimeoutResultAtElement")
    assert Verdict.error is TREE_AUTOMIZER.read(Run((), Ending.exited, 1, stderr=b"no such file")).verdict


def test_exceptions() -> None:
    """They spoil what was said."""
    verdict, detail = read("unihorn", "PositiveResult\nRESULT: An exception occured: out of bounds")
    assert (Verdict.error, "RESULT: An exception occured: out of bounds") == (verdict, detail)
    assert Verdict.error is read("tree", "The toolchain threw an exception")[0]


async def test_runs_have_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a copy of the configuration; and nothing of them is left."""
    home, work = tmp_path / "Ultimate", tmp_path / "work"
    for folder in (home / "plugins", home / "config", work, tmp_path / "bin"):
        folder.mkdir(parents=True)
    for name in (
        f"plugins/{LAUNCHER}",
        "plugins/de.uni_freiburg.informatik.ultimate.core_0.2.4.jar",
        "config/config.ini",
    ):
        (home / name).touch()
    java = tmp_path / "bin" / "java"
    java.write_text('#!/bin/sh\ntest -f config/config.ini && echo "ChcSatResult: SAT of $*"\n')
    java.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    assert "0.2.4" == add("ultimate-treeautomizer", str(home / "plugins" / LAUNCHER)).version
    path = work / "a.smt2"
    path.touch()
    answer = await TREE_AUTOMIZER.ask(find("ultimate-treeautomizer"), path, LIMITS)
    assert (Verdict.sat, "") == (answer.verdict, answer.detail)
    assert [path] == list(work.iterdir())
    words = " ".join(answer.command)
    assert f"-tc {home}/TreeAutomizer.xml -s {home}/TreeAutomizerHopcroftMinimization.epf -i {work}/ultimate-" in words
