"""Unresolved findings in the light of a truth that has turned up."""

from __future__ import annotations

import msgspec

from backends.adapters import adapter_of
from backends.examination import Examination, Examiner, Standing
from chc.witness import Truth
from daemon.case import Case
from daemon.severity import severity_of
from knowledge_base.records import Finding, Severity, Status


async def look_again(case: Case, examiner: Examiner) -> Finding | None:
    """The finding with its severity now, or dismissed; None where it stays unresolved.

    The stored answer is judged anew with its own witness, so that a right verdict with a wrong witness, or two
    certificates that contradict each other, are not taken for something else.
    """
    if case.answer is None or case.certificate is None:
        return None
    own = await examiner.examine_answer(case.instance, case.answer.answer)
    return resolved(case, own, case.certificate.witness.truth)


def resolved(case: Case, own: Examination, truth: Truth) -> Finding | None:
    assert case.answer is not None
    assert case.certificate is not None
    finding, verdict = case.stored.finding, case.answer.answer.verdict
    severity = severity_of(verdict, own, truth)
    if severity is Severity.unresolved or (severity is None and own.standing is Standing.undecided):
        return None
    finding = msgspec.structs.replace(finding, expected=truth, certificate=case.certificate.key)
    if severity is None:
        reason = f"the instance is {truth}, as a certificate shows, so the answer {verdict} was not wrong"
        return msgspec.structs.replace(finding, status=Status.dismissed, reason=reason)
    trouble = adapter_of(finding.configuration).known_trouble(finding.configuration.options)
    known = trouble if severity is Severity.wrong_model else None
    return msgspec.structs.replace(
        finding,
        severity=severity,
        status=Status.confirmed if known is None else Status.known,
        reason=known or "",
        evidence=f"{finding.evidence}; a certificate for {truth} has turned up",
    )
