"""Rows are counted as the page about certification says."""

from pathlib import Path

import msgspec
import pytest

from backends.answer import Verdict
from benchmarks.certified import COLUMNS, main, read_rows, table
from chc.witness import Truth
from daemon.cli.rows import Row

GOOD = Row(
    file="seeds/LIA/a.smt2",
    solver="spacer",
    version="5.4.0",
    options={},
    verdict=Verdict.sat,
    seconds=0.1,
    truth=Truth.sat,
    certified_by=("z3", "cvc5"),
    severity=None,
    known=None,
    evidence="",
)
ONE_CHECKER = msgspec.structs.replace(GOOD, certified_by=("z3",))
UNPROVED = msgspec.structs.replace(GOOD, truth=None, certified_by=())
SILENT = msgspec.structs.replace(GOOD, verdict=Verdict.timeout)
WRONG = msgspec.structs.replace(GOOD, file="seeds/BV/b.smt2", verdict=Verdict.unsat, severity="2")
TROUBLED = msgspec.structs.replace(GOOD, file="b.smt2", severity="3a", known="the developers know")


def counted(*rows: Row) -> list[int]:
    """The last line, which is about all rows."""
    return [int(cell) for cell in table(rows).splitlines()[-1].split("|")[2:-1]]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (GOOD, [1, 1, 1, 1, 1, 0, 0]),
        (ONE_CHECKER, [1, 1, 1, 1, 0, 0, 0]),
        (UNPROVED, [1, 1, 0, 0, 0, 0, 0]),
        (SILENT, [1, 0, 1, 0, 0, 0, 0]),
        (WRONG, [1, 1, 1, 0, 0, 1, 0]),
        (TROUBLED, [1, 1, 1, 1, 1, 0, 1]),
    ],
)
def test_each_kind_of_row_counts_where_it_belongs(row: Row, expected: list[int]) -> None:
    """In the order of the columns."""
    assert expected == counted(row)


def test_there_is_a_line_for_each_directory() -> None:
    """In alphabetical order, with all rows together at the end."""
    lines = table([GOOD, WRONG, SILENT, TROUBLED]).splitlines()
    assert ["instances in", "---", ".", "BV", "LIA", "all"] == [line.split(" | ")[0].strip("| ") for line in lines]
    assert "| LIA | 2 | 1 | 2 | 1 | 1 | 0 | 0 |" == lines[4]
    assert {len(COLUMNS) + 3} == {len(line.split("|")) for line in lines}


def test_what_check_writes_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object per line; an empty line is nothing."""
    written = b"\n".join([msgspec.json.encode(GOOD), b"", msgspec.json.encode(WRONG)])
    assert [GOOD, WRONG] == read_rows(written.splitlines())
    (tmp_path / "rows").write_bytes(written)
    assert 0 == main([str(tmp_path / "rows")])
    assert "| all | 2 |" in capsys.readouterr().out


def test_without_a_file_it_says_what_to_type() -> None:
    """And nothing else."""
    assert 2 == main([])
