"""Suspicions: answers that are not wrong but strange beside those to near relatives. Only the strongest are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from backends.answer import Verdict
from daemon.jobs import Report
from knowledge_base.energy import Standing
from knowledge_base.records import Finding, Severity, Status

_RATED = "rated "
MOST = 5
"""So many are kept for each configuration and kind."""
LEAST_RATIO = 40.0
"""A child that takes so many times as long as its slowest relative is worth a look."""
_QUICKEST = 0.005


class Suspicion(msgspec.Struct, frozen=True):
    """One strange answer; `score` says how strange, in doublings against the relatives."""

    score: float
    severity: Severity
    configuration: str
    address: str
    words: str


def suspicion_of(report: Report, relatives: Sequence[Standing], limit_seconds: float) -> Suspicion | None:
    """What is strange about the answer, if it is: no decision, where the relatives were decided much faster."""
    answer = report.answer
    decided = [seconds for each in relatives if (seconds := each.slowest_decided) is not None]
    if answer is None or report.promise is None or not decided:
        return None
    if answer.verdict not in (Verdict.unknown, Verdict.timeout, Verdict.memout):
        return None
    usual = max(*decided, _QUICKEST)
    growth = max(1.0, report.features.nodes / max(each.size for each in relatives))
    ratio = limit_seconds / usual / growth
    if ratio < LEAST_RATIO:
        return None
    is_unknown = answer.verdict is Verdict.unknown
    words = (
        f"{answer.verdict} after {answer.seconds:.2f} s on an instance that is {report.promise} by its making;"
        f" its parent takes at most {usual:.2f} s, and it is {growth:.1f} times as large"
    )
    return Suspicion(
        score=math.log2(ratio),
        severity=Severity.unknown if is_unknown else Severity.failure,
        configuration=answer.configuration.label,
        address=report.address,
        words=words,
    )


def rating(suspicion: Suspicion) -> str:
    """The score as it is stored with the finding, so that the next run can compare."""
    return f"{_RATED}{suspicion.score:.2f}"


def recalled(finding: Finding) -> Suspicion | None:
    """The suspicion that a stored finding is; None where it is something else."""
    if finding.status is not Status.open or not finding.reason.startswith(_RATED):
        return None
    score = float(finding.reason.removeprefix(_RATED))
    return Suspicion(score, finding.severity, finding.configuration.label, finding.instance, finding.evidence)


class Suspicions:
    """The strongest few of each configuration and kind."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Severity], list[Suspicion]] = {}

    def __len__(self) -> int:
        return sum(len(kept) for kept in self._kept.values())

    def offer(self, suspicion: Suspicion) -> tuple[Suspicion, ...]:
        """Takes it in if it is among the strongest; returns those that are not any more, perhaps itself."""
        kept = self._kept.setdefault((suspicion.configuration, suspicion.severity), [])
        kept.append(suspicion)
        kept.sort(key=lambda each: -each.score)
        weaker = tuple(kept[MOST:])
        del kept[MOST:]
        return weaker
