"""A set of instances to several solvers: the table, what is wrong, and going on where it was interrupted."""

import json
from pathlib import Path

import pytest

from daemon.cli.main import main
from tests.daemon.conftest import Liar
from tests.daemon.lies import SAT, UNSAT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "instances"
    place.mkdir()
    (place / "sat.smt2").write_text(SAT.text)
    (place / "unsat.smt2").write_text(UNSAT.text)
    (place / "again.smt2").write_text(UNSAT.text)
    return place


def test_who_lies_is_shown(folder: Path, liar: Liar, capsys: pytest.CaptureFixture[str]) -> None:
    """The same text counts once, under the name that came first."""
    path = liar("print('sat')").program
    assert 3 == main(["solvers", "matrix", str(folder), "--solver", "spacer", "--solver", f"spacer@path:{path}"])
    said = capsys.readouterr().out
    assert "2 instances" in said
    (own,) = (line.split("\t") for line in said.splitlines() if line.startswith("spacer@5"))
    assert ["2", "0", "1", "1", "2", "2", "0", "0", "0", "0"] == own[1:-1]
    assert f"CONTRADICTION {folder}/again.smt2: spacer@path:{path} say sat" in said
    assert "it is unsat, certified by the witness of spacer@5" in said


def test_what_was_asked_is_not_asked_again(
    folder: Path, liar: Liar, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also after an end in the middle of a line."""
    count, results = tmp_path / "count", tmp_path / "results.jsonl"
    source = f"open({str(count)!r}, 'a').write('x'); print('unsat')"
    command = ["solvers", "matrix", str(folder), "--solver", f"spacer@path:{liar(source).program}"]
    assert 0 == main([*command, "--results", str(results)])
    assert "xx" == count.read_text()
    lines = results.read_text().splitlines()
    results.write_text(f"{lines[0]}\n{lines[1][:40]}")
    assert 0 == main([*command, "--results", str(results), "--json"])
    assert "xxx" == count.read_text()
    assert 0 == main([*command, "--results", str(results)])
    assert "xxx" == count.read_text()
    *cells, summary = (json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{"))
    assert ["unsat", "unsat"] == [cell["verdict"] for cell in cells]
    assert 2 == summary["summary"]["instances"]


def test_another_limit_is_another_question(folder: Path, liar: Liar, tmp_path: Path) -> None:
    """Who gave up after a second may decide in ten."""
    count = tmp_path / "count"
    path = liar(f"open({str(count)!r}, 'a').write('x'); print('unsat')").program
    command = ["solvers", "matrix", str(folder), "--solver", f"spacer@path:{path}", "--results", str(tmp_path / "r")]
    for limit in ("1", "2"):
        assert 0 == main([*command, "--timeout", limit])
    assert "xxxx" == count.read_text()


def test_what_cannot_be_read_is_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And told."""
    (folder / "bad.smt2").write_text("(assert")
    assert 4 == main(["solvers", "matrix", str(folder), "--solver", "spacer"])
    said = capsys.readouterr()
    assert "bad.smt2:1" in said.err
    assert "2 instances" in said.out


def test_a_file_of_something_else_is_refused(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anybody is asked."""
    other = tmp_path / "other.jsonl"
    other.write_text('{"event": "start"}\n')
    assert 4 == main(["solvers", "matrix", str(folder), "--results", str(other)])
    assert "does not hold answers of a matrix" in capsys.readouterr().err
