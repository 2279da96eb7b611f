"""How bad an answer is, computed from the answer, its witness and the truth."""

from __future__ import annotations

from backends.answer import Verdict
from backends.examination import Examination, Standing
from chc.witness import Truth
from knowledge_base.records import Severity


def severity_of(verdict: Verdict, own: Examination, truth: Truth | None) -> Severity | None:
    """The severity of a verdict with its own witness; None where nothing is wrong, or nothing is known."""
    if verdict is Verdict.crash:
        return Severity.failure
    if verdict not in (Verdict.sat, Verdict.unsat):
        return None
    claim = Truth(verdict)
    if truth is claim.opposite and own.standing is Standing.valid:
        return Severity.unresolved  # two certificates contradict each other: that is a bug of ours or of a checker
    if truth is not None and claim is not truth:
        return Severity.unsound if truth is Truth.unsat else Severity.false_refutation
    if own.standing is Standing.disputed:
        return Severity.unresolved
    if own.standing is not Standing.invalid:
        return None
    if truth is None:
        return Severity.unresolved
    return Severity.wrong_model if truth is Truth.sat else Severity.wrong_refutation
