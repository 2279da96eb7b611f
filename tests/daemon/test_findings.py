"""`hornblower findings`: a planted bug is listed, shown, replayed and exported."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.cli.main import main
from knowledge_base.schema import MIGRATIONS
from knowledge_base.store import KnowledgeBase
from tests.daemon.hunting import hunted, liar

Show = Callable[..., str]


@pytest.fixture(scope="module")
def lair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a solver that always says the contrary, and the state of a short hunt for it."""
    directory = tmp_path_factory.mktemp("lair")
    solver = liar(directory, "flip", 1)
    hunt = hunted(directory / "state", "--solver", solver, "--without-corpus", "--seed", "1", "--queries", "4")
    assert 4 == len(hunt.of("finding"))
    return directory


@pytest.fixture
def show(lair: Path, capsys: pytest.CaptureFixture[str]) -> Show:
    """What an action prints, with its exit code."""

    def run(*words: str, code: int = 0) -> str:
        assert code == main(["findings", *words, "--state", str(lair / "state")])
        return capsys.readouterr().out

    return run


@pytest.fixture
def key(show: Show) -> str:
    found: list[str] = [json.loads(line)["key"] for line in show("list", "--json").splitlines()]
    return found[0]


def test_without_an_action_they_are_listed(show: Show) -> None:
    """The worst first, a line for each, with the beginning of its key."""
    lines = show("list").splitlines()
    assert lines == show().splitlines()
    severities = [line.split()[1] for line in lines]
    assert (4, sorted(severities)) == (len(lines), severities)
    assert {"1", "2"} >= set(severities)
    assert lines == show("list", "--status", "confirmed").splitlines()
    assert ["no findings"] == show("list", "--severity", "3a").splitlines()


def test_options_may_stand_before_the_action(lair: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was given there counts."""
    assert 0 == main(["findings", "--state", str(lair / "state"), "--json", "list"])
    assert 4 == len([json.loads(line) for line in capsys.readouterr().out.splitlines()])


def test_one_is_shown_with_everything_that_belongs_to_it(show: Show, key: str) -> None:
    """Instance, chain, command line, answer, and the truth with its certificate in words."""
    shown = show("show", key[:10])
    for part in (key, "severity", "command", "suspect", "answer", "chain", "which", "(set-logic HORN)"):
        assert part in shown
    assert ("this model" in shown) or ("this refutation" in shown)
    assert {"stored", "record", "certificate", "answer", "ancestors"} <= set(json.loads(show("show", key, "--json")))


def test_what_is_replayed_happens_again(show: Show, key: str) -> None:
    """The code of the command tells it to a script."""
    assert show("replay", key, code=3).startswith("it still happens")


@pytest.mark.parametrize(
    ("words", "hint"), [(["show", "zz"], "hornblower findings"), (["replay", "0" * 40], "no such finding")]
)
def test_keys_that_mean_nothing(words: list[str], hint: str, lair: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says where keys come from."""
    assert 4 == main(["findings", *words, "--state", str(lair / "state")])
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"nonsense" * 1000])
def test_no_knowledge_base(content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, no stack of calls."""
    if content is not None:
        (tmp_path / "knowledge.sqlite").write_bytes(content)
    assert 4 == main(["findings", "list", "--state", str(tmp_path)])
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path) in line


def test_what_an_older_version_has_left_is_brought_up_to_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless somebody is at work with it: then it is said who."""
    with KnowledgeBase(tmp_path, MIGRATIONS[:1]):
        assert 4 == main(["findings", "list", "--state", str(tmp_path)])
        assert f"is in use by the process with pid {os.getpid()}" in capsys.readouterr().err
    assert 0 == main(["findings", "list", "--state", str(tmp_path)])
    assert "no findings\n" == capsys.readouterr().out


def test_an_exported_finding_stands_alone(show: Show, key: str, tmp_path: Path, z3: str) -> None:
    """The script runs from anywhere and with another program; a model can be checked by any solver."""
    place = tmp_path / "bug report"
    paths = json.loads(show("export", key, str(place), "--json"))
    assert {"bug.smt2", "run.sh", "report.md", "metadata.json", "certificate.json"} <= {Path(p).name for p in paths}
    said = run_script(place / "run.sh")
    honest = run_script(place / "run.sh", z3)
    metadata = json.loads((place / "metadata.json").read_text())
    assert metadata["truth"] in honest
    assert metadata["truth"] not in said
    assert {"sat", "unsat"} == {word for lines in (said, honest) for word in lines if word in ("sat", "unsat")}


def run_script(script: Path, solver: str = "") -> list[str]:
    done = subprocess.run([script], env={"SOLVER": solver}, cwd="/", capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def test_models_are_exported_as_a_script(show: Show, tmp_path: Path, z3: str) -> None:
    """Every check of it says unsat: no clause is violated."""
    found = [json.loads(line) for line in show("list", "--severity", "2", "--json").splitlines()]
    show("export", found[0]["key"], str(tmp_path))
    done = subprocess.run([z3, tmp_path / "check-model.smt2"], capture_output=True, text=True, check=True)
    assert {"unsat"} == set(done.stdout.split())


def test_nothing_is_overwritten(show: Show, key: str, tmp_path: Path, lair: Path) -> None:
    """Neither a directory with something in it nor a file."""
    (tmp_path / "mine").write_text("mine")
    for place in (tmp_path, tmp_path / "mine"):
        assert 4 == main(["findings", "export", key, str(place), "--state", str(lair / "state")])
    assert "mine" == (tmp_path / "mine").read_text()


def test_what_was_repaired_does_not_happen_any_more(show: Show, key: str, lair: Path, z3: str) -> None:
    """The same command with a program that tells the truth."""
    suspect = lair / "suspect"
    before = suspect.read_text()
    suspect.write_text(f'#!/bin/sh\nexec {z3} "$@"\n')
    try:
        assert show("replay", key).startswith("it does not happen any more")
    finally:
        suspect.write_text(before)
    assert sys.executable in before
