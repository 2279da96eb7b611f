"""What a report says, as the records that the knowledge base keeps. Pure functions, one for each kind of record."""

from __future__ import annotations

import msgspec

from daemon.choosing import Request
from daemon.jobs import Draft, Report
from daemon.suspicion import Suspicion, rating
from knowledge_base.records import (
    AnswerRecord,
    Finding,
    InstanceRecord,
    Lineage,
    Link,
    OwnFault,
    Severity,
    Status,
    WitnessOrigin,
    WitnessRecord,
)

_ORIGINS = {"transported": WitnessOrigin.transported, "constructed": WitnessOrigin.constructed}


def lineage_of(request: Request, report: Report) -> Lineage | None:
    if not report.links:
        return None
    partners = [link.partner for link in report.links if link.partner is not None]
    chain = tuple(Link(link.transformation, msgspec.Raw(link.choice.encode()), link.partner) for link in report.links)
    return Lineage((request.parents[0], *dict.fromkeys(partners)), chain)


def instance_of(report: Report, lineage: Lineage | None, at: float) -> InstanceRecord:
    assert report.text is not None
    return InstanceRecord(report.text, report.origin, features=report.features, lineage=lineage, added=at)


def answer_of(request: Request, report: Report, run: str, at: float) -> AnswerRecord:
    """The answer that a finding is about, which came from a cold process if it was confirmed, or else the only one."""
    assert report.answer is not None
    answer, is_warm = report.answer, request.job.is_warm
    own = [draft for draft in report.findings if draft.answer.configuration == answer.configuration]
    if own:
        answer, is_warm = own[0].answer, own[0].severity is Severity.warm_cold
    return AnswerRecord(report.address, answer, at, is_warm, request.job.limit_seconds, run, request.choice)


def answers_of_others(report: Report, run: str, at: float) -> tuple[AnswerRecord, ...]:
    """What findings about others than the one who was asked are about; it came from cold processes."""
    assert report.answer is not None
    said = [draft.answer for draft in report.findings]
    return tuple(
        AnswerRecord(report.address, answer, at, run=run)
        for answer in said
        if answer.configuration != report.answer.configuration
    )


def witness_of(report: Report, at: float) -> WitnessRecord | None:
    proof = report.proof
    if proof is None:
        return None
    origin = _ORIGINS.get(proof.source, WitnessOrigin.solver)
    return WitnessRecord(report.address, proof.truth, proof.witness, origin, at, proof.source)


def status_of(draft: Draft) -> Status:
    if draft.known is not None:
        return Status.known
    if draft.is_flaky:
        return Status.flaky
    return Status.unresolved if draft.severity is Severity.unresolved else Status.confirmed


def finding_of(draft: Draft, report: Report, lineage: Lineage | None, run: str, at: float) -> Finding:
    return Finding(
        severity=draft.severity,
        status=status_of(draft),
        instance=report.address,
        configuration=draft.answer.configuration,
        command=draft.answer.command,
        evidence=draft.evidence,
        at=at,
        expected=report.proof.truth if report.proof is not None else report.promise,
        lineage=lineage,
        run=run,
        reason=draft.known or "",
    )


def suspected(suspicion: Suspicion, request: Request, report: Report, run: str, at: float) -> Finding:
    assert report.answer is not None
    return Finding(
        severity=suspicion.severity,
        status=Status.open,
        instance=report.address,
        configuration=report.answer.configuration,
        command=report.answer.command,
        evidence=suspicion.words,
        at=at,
        expected=report.promise,
        lineage=lineage_of(request, report),
        run=run,
        reason=rating(suspicion),
    )


def fault_of(report: Report, lineage: Lineage | None, run: str, at: float) -> OwnFault | None:
    if report.fault is None:
        return None
    return OwnFault(
        instance=report.address,
        lineage=lineage or Lineage(()),
        truth=report.fault.truth,
        witness=report.fault.witness,
        checker=", ".join(report.fault.checkers) or "all",
        reason=report.fault.reason,
        at=at,
        run=run,
    )
