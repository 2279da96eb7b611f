"""What people see of a hunt."""

import io

import msgspec
import pytest
from rich.console import Console

from backends.answer import Verdict
from chc.witness import Truth
from daemon.events import Ending, Evicted, Finding, Summary, Yield
from daemon.status import JsonDisplay, LiveDisplay, PlainDisplay, conclusion, in_words, standing
from knowledge_base.records import Severity

SUMMARY = Summary(
    queries=120, seconds=10.0, slots=2, slots_busy=0.953, instances=40, truths=38, own_faults=1, findings={"1": 2},
    known={"3a": 7}, flaky={}, suspicions=3, verdicts={"sat": 100, "unsat": 20}, transported={"valid": 120},
    unsupported=0, inapplicable=0, repeated=1, lost=0, troubles=0,
    longest_stall=0.0, transformations={"swap-and": Yield(9, 8, 2)},
)  # fmt: skip
FINDING = Finding(
    finding="ab" * 16,
    severity=Severity.unsound,
    known=None,
    flaky=False,
    needs=(),
    instance="cd" * 32,
    configuration="spacer@4.13.4",
    verdict=Verdict.sat,
    truth=Truth.unsat,
    evidence="a checked refutation proves unsat",
    chain=("swap-and", "rename"),
    run="ef",
    query=1,
)
KNOWN = msgspec.structs.replace(FINDING, known="inliners")


def test_how_things_stand() -> None:
    """Rate, slots, knowledge, findings by severity with the known ones apart, and our own faults."""
    shown = standing(SUMMARY)
    for part in ("12.0/s", "95% busy", "40 instances", "38 certified", "2 of severity 1", "7 of severity 3a"):
        assert part in shown
    assert "own faults: 1" in shown


def test_a_finding_in_words() -> None:
    """Who, what, why, and how it was made."""
    shown = in_words(FINDING)
    for part in ("abababababab", "severity 1", "spacer@4.13.4 says sat", "proves unsat", "swap-and > rename"):
        assert part in shown


def test_plain_lines_are_for_what_matters(capsys: pytest.CaptureFixture[str]) -> None:
    """What is routine and known trouble are not worth a line."""
    display = PlainDisplay()
    for event in (Evicted(1, None), KNOWN, FINDING, Ending(3)):
        display(event)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("FINDING")
    assert "interrupt again" in second


def test_json_is_for_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """One object per line, its name first."""
    JsonDisplay()(Ending(3))
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith('{"event":"ending","at":')
    assert line.endswith(',"open":3}')


def test_the_live_panel() -> None:
    """It shows how things stand, the last new thing, and what each transformation has brought."""
    screen = Console(file=io.StringIO(), force_terminal=True, width=200)
    with LiveDisplay(screen) as display:
        display(FINDING)
        display.show(SUMMARY)
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    for part in ("12.0/s", "last new thing: FINDING", "swap-and", "yield"):
        assert part in shown


def test_the_conclusion_says_what_to_type_next() -> None:
    """Only where there is something to see."""
    assert "hornblower findings list" in conclusion(SUMMARY)
