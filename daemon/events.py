"""What a hunt says while it goes on and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from chc.witness import Truth
from daemon.choosing import Request
from daemon.core import Core
from daemon.jobs import Draft, Report
from daemon.suspicion import Suspicion


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, by name, with what there is to know of it."""

    name: str
    fields: dict[str, object] = {}


Listener = Callable[[Event], None]


class Yield(msgspec.Struct, frozen=True):
    """What one transformation has brought in this run."""

    applied: int
    decided: int
    findings: int


class Summary(msgspec.Struct, frozen=True):
    """The last word of a run. `instances` and `truths` are those of the knowledge base, the rest of this run."""

    queries: int
    seconds: float
    slots: int
    slots_busy: float
    instances: int
    truths: int
    own_faults: int
    findings: dict[str, int]
    known: dict[str, int]
    flaky: dict[str, int]
    suspicions: int
    verdicts: dict[str, int]
    transported: dict[str, int]
    inapplicable: int
    repeated: int
    lost: int
    troubles: int
    longest_stall: float
    """How many seconds the loop of the daemon was held up at most."""
    transformations: dict[str, Yield]


def query_event(request: Request, report: Report) -> Event:
    """The canonical line of a query."""
    answer = report.answer
    assert answer is not None
    return Event(
        "query",
        {
            "id": report.id,
            "kind": request.job.kind,
            "instance": report.address,
            "parents": list(request.parents),
            "chain": _chain(report),
            "configuration": answer.configuration.label,
            "warm": request.job.is_warm,
            "verdict": answer.verdict,
            "seconds": round(answer.seconds, 4),
            "limit": request.job.limit_seconds,
            "detail": answer.detail,
            "expected": report.promise,
            "truth": _truth(report),
            "transported": report.transported,
            "witness": report.own,
            "findings": [draft.severity for draft in report.findings],
            "preparation": round(report.preparation_seconds, 4),
        },
    )


def finding_event(key: str, draft: Draft, report: Report) -> Event:
    return Event(
        "finding",
        {
            "finding": key,
            "severity": draft.severity,
            "known": draft.known,
            "flaky": draft.is_flaky,
            "instance": report.address,
            "configuration": draft.answer.configuration.label,
            "verdict": draft.answer.verdict,
            "truth": _truth(report),
            "evidence": draft.evidence,
            "chain": _chain(report),
        },
    )


def suspicion_event(key: str, suspicion: Suspicion) -> Event:
    return Event(
        "suspicion",
        {
            "finding": key,
            "severity": suspicion.severity,
            "instance": suspicion.address,
            "configuration": suspicion.configuration,
            "score": round(suspicion.score, 2),
            "evidence": suspicion.words,
        },
    )


def _chain(report: Report) -> list[str]:
    return [link.transformation for link in report.links]


def _truth(report: Report) -> Truth | None:
    return None if report.proof is None else report.proof.truth


def summary_of(core: Core, seconds: float, busy: float, slots: int, longest_stall: float = 0.0) -> Summary:
    counts, view = core.counts, core.view
    return Summary(
        queries=counts["queries"],
        seconds=round(seconds, 1),
        slots=slots,
        slots_busy=round(busy / (seconds * slots), 3) if seconds else 0.0,
        instances=len(view),
        truths=len(view) - len(view.of_truth(None)),
        own_faults=counts["own faults"],
        findings=_part(counts, "finding "),
        known=_part(counts, "known "),
        flaky=_part(counts, "flaky "),
        suspicions=len(core.suspicions),
        verdicts=_part(counts, "verdict "),
        transported=_part(counts, "transported "),
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
