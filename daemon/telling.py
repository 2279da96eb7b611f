"""What a report says, as the events that are told of it. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping

from chc.witness import Truth
from daemon import events
from daemon.choosing import Request
from daemon.core import Core
from daemon.events import Summary, Yield
from daemon.jobs import Draft, Report
from daemon.suspicion import Suspicion


def query_event(run: str, request: Request, report: Report) -> events.Query:
    """The canonical line of a query."""
    answer = report.answer
    assert answer is not None
    return events.Query(
        run=run,
        id=report.id,
        kind=request.job.kind,
        instance=report.address,
        parents=request.parents,
        chain=_chain(report),
        configuration=answer.configuration.label,
        warm=request.job.is_warm,
        verdict=answer.verdict,
        trace=None if answer.trace is None else answer.trace.id,
        seconds=round(answer.seconds, 4),
        cpu_seconds=round(answer.cpu_seconds, 4),
        memory_mb=round(answer.peak_memory_mb, 1),
        limit=request.job.limit_seconds,
        detail=answer.detail,
        expected=report.promise,
        truth=_truth(report),
        transported=report.transported,
        witness=report.own,
        findings=tuple(draft.severity for draft in report.findings),
        preparation=round(report.preparation_seconds, 4),
    )


def truth_event(run: str, report: Report) -> events.Truths:
    assert report.proof is not None
    proof = report.proof
    return events.Truths(report.address, proof.truth, proof.certified_by, proof.source, run, report.id)


def finding_event(run: str, key: str, draft: Draft, report: Report) -> events.Finding:
    return events.Finding(
        finding=key,
        severity=draft.severity,
        known=draft.known,
        flaky=draft.is_flaky,
        needs=draft.needs,
        instance=report.address,
        configuration=draft.answer.configuration.label,
        verdict=draft.answer.verdict,
        truth=_truth(report),
        evidence=draft.evidence,
        chain=_chain(report),
        run=run,
        query=report.id,
    )


def suspicion_event(key: str, suspicion: Suspicion) -> events.Suspicion:
    return events.Suspicion(
        finding=key,
        severity=suspicion.severity,
        instance=suspicion.address,
        configuration=suspicion.configuration,
        score=round(suspicion.score, 2),
        evidence=suspicion.words,
    )


def fault_event(report: Report) -> events.OwnFault:
    assert report.fault is not None
    return events.OwnFault(report.address, report.fault.reason, _chain(report))


def _chain(report: Report) -> tuple[str, ...]:
    return tuple(link.transformation for link in report.links)


def _truth(report: Report) -> Truth | None:
    return None if report.proof is None else report.proof.truth


def summary_of(core: Core, seconds: float, slots: int, slots_busy: float, longest_stall: float) -> Summary:
    counts, view = core.counts, core.view
    return Summary(
        queries=counts["queries"],
        seconds=round(seconds, 1),
        slots=slots,
        slots_busy=round(slots_busy, 3),
        instances=len(view),
        truths=len(view) - len(view.of_truth(None)),
        own_faults=counts["own faults"],
        findings=_part(counts, "finding "),
        known=_part(counts, "known "),
        flaky=_part(counts, "flaky "),
        suspicions=len(core.suspicions),
        verdicts=_part(counts, "verdict "),
        transported=_part(counts, "transported "),
        unsupported=counts["unsupported"],
        inapplicable=counts["inapplicable"],
        repeated=counts["repeated"],
        lost=counts["lost"],
        troubles=counts["troubles"],
        longest_stall=round(longest_stall, 4),
        transformations={
            name: Yield(applied, counts[f"decided {name}"], counts[f"found {name}"])
            for name, applied in sorted(_part(counts, "applied ").items())
        },
    )


def _part(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    return {name.removeprefix(prefix): counts[name] for name in sorted(counts) if name.startswith(prefix)}
