"""`hornblower run` as people meet it: misspelt, with seeds that cannot be read, on states that cannot be used."""

import os
import sqlite3
from pathlib import Path

import pytest

from daemon.cli.main import main
from knowledge_base.store import FILE_NAME, open_knowledge_base
from tests.daemon.hunting import hunted, hunting

GOOD = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (> x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))
(check-sat)
"""
BAD = "(set-logic HORN)\n(assert (forall ((x Int)) (P x)))\n(check-sat)\n"


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--for", "0s"], "10m"),
        (["--for", "soon"], "10m"),
        (["--queries", "0"], "positive number"),
        (["--slots", "-1"], "positive number"),
        (["--slots", "100000"], "at most"),
        (["--state", ""], "empty name of a directory"),
        (["--timeout", "inf"], "positive number"),
        (["--schedule", "wild"], "adaptive"),
        (["--without", "luck"], "knowledge-base"),
        (["--only", "nothing"], "swap-and"),
    ],
)
def test_bad_usage(options: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt option ends with code 2, and the message shows a right one."""
    with pytest.raises(SystemExit) as caught:
        main(["run", *options])
    assert 2 == caught.value.code
    assert hint in capsys.readouterr().err


def test_exit_codes_are_documented(capsys: pytest.CaptureFixture[str]) -> None:
    """Who writes a script around run finds what to test for."""
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    shown = capsys.readouterr().out
    assert all(f"\n  {code}  " in shown for code in (0, 2, 3, 4))


def refusal(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The one line with which the command refuses to start."""
    assert 4 == main(["run", "--queries", "1", *options])
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("suspect", ["spacer@path:/nonexistent", "spacer@path:/etc/passwd", "spacer@path:z3", "golem"])
def test_a_suspect_that_cannot_be_run(suspect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused before anything is written."""
    assert refusal(capsys, "--solver", suspect, "--state", str(tmp_path / "state"))
    assert not (tmp_path / "state").exists()


def test_a_named_seed_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its place, and before anything is written."""
    (tmp_path / "bad.smt2").write_text(BAD)
    line = refusal(capsys, "--seeds", str(tmp_path / "bad.smt2"), "--state", str(tmp_path / "state"))
    assert f"{tmp_path}/bad.smt2:2:" in line
    assert not (tmp_path / "state").exists()


def test_a_directory_without_a_readable_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Most likely it is a wrong one; the message shows why one of the files cannot be read."""
    (tmp_path / "bad.smt2").write_text(BAD)
    line = refusal(capsys, "--seeds", str(tmp_path), "--state", str(tmp_path / "state"))
    assert f"{tmp_path}/bad.smt2:2:" in line


def test_an_unreadable_seed_among_others_is_left_out(tmp_path: Path) -> None:
    """The hunt says so, and begins with the others."""
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "bad.smt2").write_text(BAD)
    (seeds / "good.smt2").write_text(GOOD)
    options = ("--seeds", str(seeds), "--without-corpus", "--seed", "1", "--queries", "3")
    hunt = hunted(tmp_path / "state", *options)
    (unreadable,) = hunt.of("unreadable_seed")
    assert str(seeds / "bad.smt2") == unreadable["seed"]
    assert [1] == [event["new"] for event in hunt.of("seeds")]
    again = hunted(tmp_path / "state", *options)
    assert ([], 3) == (again.of("seeds"), again.seen[-1]["queries"])


def test_a_state_directory_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of it is touched."""
    (tmp_path / "state").write_text("mine")
    assert "--state DIR" in refusal(capsys, "--state", str(tmp_path / "state"))
    assert "mine" == (tmp_path / "state").read_text()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_state_directory_that_may_not_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says what is wrong and what to type."""
    (tmp_path / "state").mkdir(mode=0o500)
    assert "Permission denied" in refusal(capsys, "--state", str(tmp_path / "state"))


def test_a_place_where_no_directory_can_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    """The same for a place that the system refuses."""
    assert "--state DIR" in refusal(capsys, "--state", "/proc/nowhere/state")


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be one" * 100, None])
def test_a_database_of_something_else(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused and left as it is."""
    path = tmp_path / FILE_NAME
    if content is None:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE mine (x)")
        connection.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    assert str(tmp_path) in refusal(capsys, "--state", str(tmp_path))
    assert before == path.read_bytes()


def test_a_state_directory_in_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The owner is named."""
    with open_knowledge_base(tmp_path / "state"):
        assert f"pid {os.getpid()}" in refusal(capsys, "--state", str(tmp_path / "state"))


def test_whoever_reads_leaves(tmp_path: Path) -> None:
    """As with `| head -1`: no stack of calls, and nothing goes on in the background."""
    with hunting(tmp_path / "state", "--without-corpus", "--seed", "1") as hunt:
        hunt.wait_for("start")
        assert hunt.process.stdout is not None
        hunt.process.stdout.close()
        assert "" == hunt.errors()
        assert 141 == hunt.process.wait()
        assert hunt.has_left_nothing()
