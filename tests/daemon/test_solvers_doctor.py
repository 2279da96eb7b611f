"""The doctor finds solvers that lie, and holds it against nobody that they print no witness."""

from pathlib import Path

import pytest

from backends.adapters import ADAPTERS
from backends.examination import Examiner
from backends.places import Installed
from backends.store import installed
from daemon.bench import Bench
from daemon.cli.main import main
from daemon.cli.solvers_doctor import Diagnosis, diagnose, in_words, missing
from tests.daemon.conftest import Liar

pytestmark = pytest.mark.anyio


async def diagnosed(release: Installed) -> Diagnosis:
    async with Bench(Examiner()) as bench:
        return await diagnose(release, bench)


async def test_our_own_spacer_is_well() -> None:
    """Both answers are certified by its own witnesses."""
    (own,) = (each for each in installed() if each.is_own and each.solver == "spacer")
    found = await diagnosed(own)
    assert ((), ("sat: certified", "unsat: certified")) == (found.problems, found.remarks)
    assert f"spacer@{own.version}: well; sat: certified; unsat: certified ({own.program})" == in_words(found)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("print('sat')", "it says sat to what is unsat"),
        ("print('sat\\n((define-fun P ((x!0 Int)) Bool false))')", "its witness is invalid: clause 1"),
        ("print('unsat')", "it says unsat to what is sat"),
        ("import os; os.abort()", "it says crash to what is sat: died of SIGABRT"),
        ("print('unknown')", "it says unknown to what is sat"),
    ],
)
async def test_a_solver_that_is_not_well(source: str, words: str, liar: Liar) -> None:
    """What is wrong is said, and what can be done."""
    found = await diagnosed(Installed("spacer", "1.2.3", liar(source).program))
    assert found.is_ill
    assert any(words in problem for problem in found.problems), found.problems
    assert "it does not say its version" in found.problems
    assert "hornblower solvers remove spacer@1.2.3" in in_words(found)


async def test_a_program_of_another_version(z3: str) -> None:
    """It has been replaced since it was registered."""
    found = await diagnosed(Installed("spacer", "4.1.0", z3))
    assert any(problem.startswith("it says that its version is ") for problem in found.problems)


def test_what_is_missing_is_told_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is not here does no harm."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    here = {each.solver for each in installed()}
    absent = [name for name in ADAPTERS if name not in here]
    assert absent
    for name, words in zip(absent, map(in_words, missing()), strict=True):
        assert f"hornblower solvers install {name}" in words or f"hornblower solvers add {name}" in words


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It tells of all solvers, also as JSON."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path))
    monkeypatch.setattr("daemon.cli.solvers_doctor.installed", lambda: [e for e in installed() if e.solver == "spacer"])
    assert 0 == main(["solvers", "doctor", "--json"])
    said = capsys.readouterr().out
    assert '"solver":"spacer"' in said
    assert '"remedy":"golem is not here' in said
