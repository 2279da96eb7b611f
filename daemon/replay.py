"""A finding once more, exactly as it was: the same text to the same configuration, judged anew."""

from __future__ import annotations

import msgspec

from backends.examination import ABSENT, Examiner
from backends.limits import Limits
from backends.smt_checker import CHECKERS
from chc.witness import Truth
from daemon.bench import Bench
from daemon.case import Case
from daemon.certify import certify
from daemon.preparation import replay_links
from knowledge_base.records import Severity
from transformations.known import Inapplicable

_SECONDS = 60.0
_MEMORY_MB = 4096


class Replay(msgspec.Struct, frozen=True):
    """What came of it. `remakes` says whether the chain makes the same text again; None where there is no chain."""

    happens: bool
    severity: Severity | None
    verdict: str
    truth: Truth | None
    certified_by: tuple[str, ...]
    evidence: str
    remakes: bool | None


async def replay(case: Case) -> Replay:
    """Run the finding again. Suspicions about time count as happening when there is still no decision."""
    finding = case.stored.finding
    instance = case.instance
    witness = case.witness(instance)
    limits = Limits(wall_seconds=_limit(case), memory_mb=_MEMORY_MB)
    async with Bench(Examiner(CHECKERS, 1)) as bench:
        proof = ABSENT if witness is None else await bench.thorough.examine(instance, witness)
        judgement = await certify(instance, finding.configuration, limits, bench, proof)
    verdict = judgement.answer.verdict
    undecided = finding.severity in (Severity.unknown, Severity.failure) and verdict not in ("sat", "unsat")
    return Replay(
        happens=judgement.severity == finding.severity or undecided,
        severity=judgement.severity,
        verdict=verdict,
        truth=judgement.truth,
        certified_by=judgement.certified_by,
        evidence=judgement.evidence,
        remakes=remakes(case),
    )


def _limit(case: Case) -> float:
    limit = None if case.answer is None else case.answer.limit_seconds
    return _SECONDS if limit is None else max(_SECONDS, limit)


def remakes(case: Case) -> bool | None:
    """Whether the recorded chain leads from the stored parents to the stored text, byte by byte."""
    if not case.links:
        return None
    start, *_ = case.ancestors
    partners = {ancestor.record.address: ancestor.known for ancestor in case.ancestors}
    try:
        trick = replay_links(start.known, partners, case.links)
    except Inapplicable:
        return False
    return trick.known.instance.text == case.record.text
