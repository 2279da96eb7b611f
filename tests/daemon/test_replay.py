"""When a finding counts as happening again."""

import pytest

from backends.answer import Verdict
from chc.witness import Truth
from daemon.certify import Judgement
from daemon.interrogation import against_promise
from daemon.replay import happens
from knowledge_base.records import Finding, Severity, Status
from tests.daemon.playbook import SPACER, address, answer


def finding(severity: str, status: str) -> Finding:
    return Finding(
        severity=Severity(severity), status=Status(status), instance=address(1), configuration=SPACER,
        command=("z3",), evidence="", at=1.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("severity", "status", "verdict", "now", "expected"),
    [
        ("1", "confirmed", "sat", "1", True),
        ("1", "confirmed", "sat", "3a", False),
        ("1", "confirmed", "unsat", None, False),
        ("4b", "confirmed", "crash", "4b", True),
        ("4b", "confirmed", "timeout", None, False),
        ("4b", "open", "timeout", None, True),
        ("4a", "open", "unknown", "4a", True),
        ("4b", "open", "sat", None, False),
        ("unresolved", "unresolved", "sat", "unresolved", True),
        ("unresolved", "unresolved", "sat", "1", True),
        ("unresolved", "unresolved", "sat", None, False),
    ],
)
def test_what_happens_again(severity: str, status: str, verdict: str, now: str | None, expected: bool) -> None:
    """The same severity, or what has become clear meanwhile; a suspicion where there is still no decision."""
    judgement = Judgement(answer(Verdict(verdict)), severity=None if now is None else Severity(now))
    assert expected == happens(finding(severity, status), judgement)


@pytest.mark.parametrize(
    ("verdict", "truth", "promise", "severity"),
    [
        (Verdict.unsat, None, Truth.sat, Severity.unresolved),
        (Verdict.sat, None, Truth.sat, None),
        (Verdict.unknown, None, Truth.sat, None),
        (Verdict.unsat, None, None, None),
        (Verdict.unsat, Truth.unsat, Truth.sat, None),
    ],
)
def test_an_answer_against_the_promise(
    verdict: Verdict, truth: Truth | None, promise: Truth | None, severity: Severity | None
) -> None:
    """It is unresolved as long as nobody has a certificate."""
    assert severity == against_promise(Judgement(answer(verdict), truth), promise).severity
