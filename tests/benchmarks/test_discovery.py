"""The time until the first finding is that of the right finding, and a hunt ends when it has been found."""

import json
from pathlib import Path

import pytest

from benchmarks.discovery import Discovery, Finding, First, Line, Search, main, parse, table
from tests.daemon.hunting import program

START = Line("start", at=100.0)
QUERY = Line("query", at=101.0)


def finding(at: float, severity: str, key: str, known: str | None = None, *, flaky: bool = False) -> Line:
    return Finding("finding", at=at, finding=key, severity=severity, known=known, flaky=flaky, chain=("rename",))


def heard(*lines: Line, takes_known: bool = False) -> Search:
    search = Search("3a", takes_known=takes_known)
    for line in lines:
        search.hear(line)
    return search


def test_the_first_of_the_right_severity_counts() -> None:
    """Not one of another severity, nor one that happened only once, nor a later one."""
    search = heard(
        START,
        QUERY,
        finding(102, "2", "other"),
        finding(103, "3a", "flaky", flaky=True),
        QUERY,
        finding(104, "3a", "first"),
        finding(105, "3a", "second"),
    )
    assert First(4.0, 2, "first", ("rename",)) == search.news
    assert search.is_over


def test_known_trouble_is_apart() -> None:
    """It is told, and is no news."""
    search = heard(START, QUERY, finding(102, "3a", "old", "everybody knows"))
    assert (None, First(2.0, 1, "old", ("rename",))) == (search.news, search.known)
    assert not search.is_over


@pytest.mark.parametrize("takes_known", [False, True])
def test_known_trouble_is_enough_where_it_is_asked_for(takes_known: bool) -> None:
    """News always is."""
    assert takes_known is heard(START, finding(102, "3a", "old", "why"), takes_known=takes_known).is_over
    assert heard(START, finding(102, "3a", "new"), takes_known=takes_known).is_over


def test_what_stays_away_is_said() -> None:
    """A hunt without a finding has its line like all others."""
    nothing = Discovery("spacer", "2", 1, None, None, 700, 60.0)
    something = Discovery("spacer", "2", 2, First(9.6, 80, "key", ("rename", "reorder-clauses")), None, 90, 11.0)
    first, second = table([nothing, something]).splitlines()[2:]
    assert "| 1 | none | — | — | none | — | 700 in 60 s |" == first
    assert "| 2 | 10 s | 80 | rename > reorder-clauses | none | — | 90 in 11 s |" == second


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--suspect", "spacer@1.2.3"], "solvers install spacer@1.2.3"),
        (["--suspect", "spacer", "--limit", "soon"], "write for instance 90s"),
        (["--suspect", "spacer", "--state", "."], "exists already"),
    ],
)
def test_bad_usage(options: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said before any hunt begins."""
    with pytest.raises(SystemExit):
        parse(["--severity", "2", *options])
    assert hint in capsys.readouterr().err


@pytest.mark.slow
def test_a_liar_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real hunt on a program that always says sat, ended long before its time is up."""
    suspect = program(tmp_path, "echo sat")
    (tmp_path / "unsafe.smt2").write_text("(set-logic HORN)\n(assert (forall ((x Int)) (=> (= x 0) false)))\n")
    options = ["--suspect", suspect, "--severity", "1", "--seeds", "1", "--slots", "1", "--json"]
    main([*options, "--instances", str(tmp_path), "--state", str(tmp_path / "states")])
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert (suspect, "1", 1) == (found["suspect"], found["severity"], found["seed"])
    assert 0 < found["news"]["queries"] <= found["queries"] < 500
    assert (tmp_path / "states" / "1" / "knowledge.sqlite").exists()


def test_a_hunt_that_cannot_begin_ends_the_search(tmp_path: Path) -> None:
    """It is not taken for one that found nothing."""
    options = ["--suspect", program(tmp_path, "echo sat"), "--severity", "1", "--instances", str(tmp_path / "nothing")]
    with pytest.raises(SystemExit) as ending:
        main(options)
    assert 4 == ending.value.code
