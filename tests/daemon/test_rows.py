"""Rows: what they say of a judgement, and how they are printed."""

import io
import json

import pytest
from rich.console import Console

from backends.answer import Answer, Configuration, Verdict
from chc.witness import Truth
from daemon.certify import Judgement
from daemon.cli.rows import LinePrinter, Row, TablePrinter, plain, printer_for, table
from knowledge_base.records import Severity

CONFIGURATION = Configuration("spacer", "4.13.4", "/z3", (("fp.xform.slice", "false"),))
FIELDS = [
    *("file", "solver", "version", "options", "verdict", "seconds"),
    *("truth", "certified_by", "severity", "known", "evidence"),
]


def row(
    verdict: Verdict = Verdict.sat,
    truth: Truth | None = Truth.sat,
    severity: Severity | None = None,
    known: str | None = None,
    evidence: str = "",
    file: str = "a.smt2",
) -> Row:
    answer = Answer(CONFIGURATION, (), verdict, 0.12345, 0.1, 1.0)
    names = () if truth is None else ("z3", "cvc5")
    judgement = Judgement(answer, truth, names, severity=severity, known=known, evidence=evidence)
    return Row.of(file, CONFIGURATION, judgement)


OUTCOMES = {
    "certified": (row(), "certified by z3, cvc5", False, True),
    "known trouble": (
        row(severity=Severity.wrong_model, known="they know", evidence="clause 3"),
        "certified by z3, cvc5, but known trouble (3a)",
        False,
        True,
    ),
    "wrong model": (row(severity=Severity.wrong_model, evidence="clause 3"), "severity 3a", True, False),
    "unsound": (row(truth=Truth.unsat, severity=Severity.unsound), "severity 1", True, False),
    "claim": (row(truth=None), "undecided", False, False),
    "timeout": (row(Verdict.timeout), "undecided", False, False),
    "unresolved": (row(truth=None, severity=Severity.unresolved), "severity unresolved", True, False),
    "known trouble without a truth": (
        row(truth=None, severity=Severity.unresolved, known="they know"),
        "undecided",
        False,
        False,
    ),
    "crash": (row(Verdict.crash, severity=Severity.failure), "severity 4b", True, False),
}


@pytest.mark.parametrize(("given", "outcome", "wrong", "certified"), OUTCOMES.values(), ids=OUTCOMES)
def test_outcome(given: Row, outcome: str, wrong: bool, certified: bool) -> None:
    """The judgement in words, and what counts for the exit code."""
    assert (outcome, wrong, certified) == (given.outcome, given.is_wrong, given.is_certified)


def test_plain_line() -> None:
    """One line, with evidence where there is something to prove."""
    line = plain(row(severity=Severity.wrong_model, evidence="clause 3"))
    assert "a.smt2: spacer@4.13.4 fp.xform.slice=false: sat in 0.12 s, severity 3a: clause 3" == line
    assert plain(row(evidence="cvc5 cannot decide")).endswith("certified by z3, cvc5")
    assert plain(row(truth=None)).endswith("undecided")


def test_json_has_exactly_these_fields(capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts rely on them, and on their order."""
    with LinePrinter(as_json=True) as printer:
        printer.add(0, row(severity=Severity.wrong_model, known="they know", evidence="clause 3"))
    shown = json.loads(capsys.readouterr().out)
    assert FIELDS == list(shown)
    assert {
        "file": "a.smt2",
        "solver": "spacer",
        "version": "4.13.4",
        "options": {"fp.xform.slice": "false"},
        "verdict": "sat",
        "seconds": 0.123,
        "truth": "sat",
        "certified_by": ["z3", "cvc5"],
        "severity": "3a",
        "known": "they know",
        "evidence": "clause 3",
    } == shown


def test_json_of_nothing_known(capsys: pytest.CaptureFixture[str]) -> None:
    """What is not known is null, not missing."""
    with LinePrinter(as_json=True) as printer:
        printer.add(0, row(Verdict.unknown, truth=None))
    shown = json.loads(capsys.readouterr().out)
    assert (None, [], None, None, "") == tuple(shown[name] for name in FIELDS[6:])


def test_lines_come_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Each as soon as those before it are there."""
    with LinePrinter(as_json=False) as printer:
        printer.add(1, row(file="b"))
        assert "" == capsys.readouterr().out
        printer.add(2, row(file="c"))
        printer.add(0, row(file="a"))
        assert ["a:", "b:", "c:"] == [line.split()[0] for line in capsys.readouterr().out.splitlines()]


def test_table_shows_brackets() -> None:
    """What rich would take for markup is shown as it is."""
    console = Console(file=io.StringIO(), width=200)
    console.print(table([row(file="[red]a[/red].smt2", evidence="[x] = 1", truth=None)]))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "[red]a[/red].smt2" in shown
    assert "[x] = 1" in shown


def test_table_of_an_interrupted_check(capsys: pytest.CaptureFixture[str]) -> None:
    """What is known by then is shown, in order."""
    printer = TablePrinter(5)
    printer.add(3, row(file="late"))
    printer.add(1, row(file="early"))
    with pytest.raises(KeyboardInterrupt), printer:
        raise KeyboardInterrupt
    shown = capsys.readouterr().out
    assert 0 <= shown.index("early") < shown.index("late")


def test_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    """No rows, no table."""
    with TablePrinter(0):
        pass
    assert "" == capsys.readouterr().out


def test_choice_of_printer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table for people, lines for pipes, JSON for who asks for it."""
    assert isinstance(printer_for(1, as_json=False), LinePrinter)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert isinstance(printer_for(1, as_json=False), TablePrinter)
    assert isinstance(printer_for(1, as_json=True), LinePrinter)
