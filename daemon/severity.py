"""How bad an answer is, computed from the answer, its witness and the truth."""

from __future__ import annotations

from enum import StrEnum

from backends.answer import Verdict
from backends.examination import Examination, Standing
from chc.witness import Truth


class Severity(StrEnum):
    """From an unsound answer down to a suspicion."""

    unsound = "1"
    false_refutation = "2"
    invalid_model = "3a"
    invalid_refutation = "3b"
    gave_up = "4a"
    failed = "4b"
    unresolved = "unresolved"


def severity_of(verdict: Verdict, own: Examination, truth: Truth | None) -> Severity | None:
    """The severity of a verdict with its own witness; None where nothing is wrong, or nothing is known."""
    if verdict is Verdict.crash:
        return Severity.failed
    if verdict not in (Verdict.sat, Verdict.unsat):
        return None
    claim = Truth(verdict)
    if truth is not None and claim is not truth:
        return Severity.unsound if truth is Truth.unsat else Severity.false_refutation
    if own.standing is Standing.disputed:
        return Severity.unresolved
    if own.standing is not Standing.invalid:
        return None
    if truth is None:
        return Severity.unresolved
    return Severity.invalid_model if truth is Truth.sat else Severity.invalid_refutation
