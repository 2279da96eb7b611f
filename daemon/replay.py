"""A finding once more, exactly as it was: the same text to the same configuration, judged anew."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from backends.answer import Verdict
from backends.examination import ABSENT, Examiner
from backends.limits import Limits
from backends.smt_checker import CHECKERS
from chc.witness import Truth
from daemon.bench import Bench
from daemon.case import Case
from daemon.certify import Judgement, certify
from daemon.interrogation import against_promise
from daemon.preparation import replay_links
from knowledge_base.records import Finding, Severity, Status
from transformations.known import Inapplicable, Known

_SECONDS = 60.0
_MEMORY_MB = 4096
_WRONG = (
    Severity.unresolved,
    Severity.unsound,
    Severity.false_refutation,
    Severity.wrong_model,
    Severity.wrong_refutation,
)


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
    """Run the finding again. A suspicion gets the time that it had, and happens when there is still no decision."""
    finding = case.stored.finding
    instance = case.instance
    witness = case.witness(instance)
    limits = Limits(wall_seconds=_limit(case), memory_mb=_MEMORY_MB)
    async with Bench(Examiner(CHECKERS, 1)) as bench:
        proof = ABSENT if witness is None else await bench.thorough.examine(instance, witness)
        judgement = await certify(instance, finding.configuration, limits, bench, proof)
    judgement = against_promise(judgement, finding.expected)
    return Replay(
        happens=happens(finding, judgement),
        severity=judgement.severity,
        verdict=judgement.answer.verdict,
        truth=judgement.truth,
        certified_by=judgement.certified_by,
        evidence=judgement.evidence,
        remakes=remakes(case),
    )


def happens(finding: Finding, judgement: Judgement) -> bool:
    """The same again; or what was unresolved and has been resolved against the solver; or as undecided as before."""
    if finding.status is Status.open:
        return judgement.answer.verdict not in (Verdict.sat, Verdict.unsat)
    if finding.severity is Severity.unresolved:
        return judgement.severity in _WRONG
    return judgement.severity == finding.severity


def _limit(case: Case) -> float:
    limit = None if case.answer is None else case.answer.limit_seconds
    if limit is None:
        return _SECONDS
    return limit if case.stored.finding.status is Status.open else max(_SECONDS, limit)


def remakes(case: Case) -> bool | None:
    """Whether the recorded chain leads from the stored parents to the stored text, byte by byte."""
    if not case.links:
        return None
    start, *_ = case.ancestors
    partners = {ancestor.record.address: ancestor.known for ancestor in case.ancestors}
    # What was made to enrich the knowledge base was made without a look at the witness.
    bare = Known(start.known.instance)
    return any(_makes(known, partners, case) for known in (start.known, bare))


def _makes(known: Known, partners: Mapping[str, Known], case: Case) -> bool:
    try:
        trick = replay_links(known, partners, case.links)
    except Inapplicable:
        return False
    return trick.known.instance.text == case.record.text
