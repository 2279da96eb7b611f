"""Why was this asked? In words, from what is stored: the choice of the schedule, and the whole chain down to a seed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from daemon.story import MEANING
from knowledge_base import answers, errands, findings, instances, truths
from knowledge_base.errands import Errand, UnknownErrand
from knowledge_base.findings import UnknownFinding
from knowledge_base.records import AnswerRecord, Choice, InstanceRecord, Origin, StoredFinding

_MOST_ANSWERS = 20
_MOST_PREMISES = 50
_ORIGINS = {
    Origin.seed: "it is a seed",
    Origin.user: "a user has submitted it",
    Origin.generated: "it was generated with its truth",
    Origin.trick: "it is a trick instance",
}


class Unexplained(Exception):
    """Nothing has this key, address or id, or several things have it."""


class Explained(msgspec.Struct, frozen=True):
    """What it is that was found under the key, and what there is to be said."""

    kind: str
    subject: str
    lines: tuple[str, ...]


def explain(connection: sqlite3.Connection, prefix: str) -> Explained:
    """Of a finding, an instance or a job; `Unexplained` where the prefix does not mean exactly one of all these."""
    found = [*_findings(connection, prefix), *_instances(connection, prefix), *_errands(connection, prefix)]
    if len(found) != 1:
        reason = "several things start with it, give more" if found else "no finding, instance or job has this key"
        raise Unexplained(f"{prefix}: {reason}")
    return found[0]


def _findings(connection: sqlite3.Connection, prefix: str) -> Iterator[Explained]:
    try:
        stored = findings.find(connection, prefix)
    except UnknownFinding as problem:
        if "start with it" in str(problem):
            raise Unexplained(str(problem)) from problem
        return
    yield Explained("finding", stored.key, tuple(_finding(connection, stored)))


def _instances(connection: sqlite3.Connection, prefix: str) -> Iterator[Explained]:
    for address in instances.starting_with(connection, prefix, 2):
        yield Explained("instance", address, tuple(_instance(connection, address)))


def _errands(connection: sqlite3.Connection, prefix: str) -> Iterator[Explained]:
    try:
        errand = errands.find(connection, prefix)
    except UnknownErrand as problem:
        if "start with it" in str(problem):
            raise Unexplained(str(problem)) from problem
        return
    yield Explained("job", errand.id, tuple(_errand(errand)))


def _finding(connection: sqlite3.Connection, stored: StoredFinding) -> Iterator[str]:
    finding = stored.finding
    yield f"finding {stored.key}: severity {finding.severity} ({MEANING[finding.severity]}), {finding.status}"
    yield f"of {finding.configuration.label}: {finding.evidence}"
    if finding.reason:
        yield f"because: {finding.reason}"
    given = [each for each in answers.answers_of(connection, finding.instance) if each.at == finding.at]
    for each in given[-1:]:
        yield from _answer(each)
    yield f"what was asked is instance {finding.instance}:"
    if finding.lineage is not None and finding.lineage.parents:
        steps = " > ".join(link.transformation for link in finding.lineage.chain)
        yield f"made from {finding.lineage.parents[0]} by {steps}"
        yield from _way(connection, finding.lineage.parents[0])
    else:
        yield from _way(connection, finding.instance)
    yield from _truth(connection, finding.instance)


def _instance(connection: sqlite3.Connection, address: str) -> Iterator[str]:
    yield f"instance {address}"
    yield from _way(connection, address)
    yield from _truth(connection, address)
    given = answers.answers_of(connection, address)
    if len(given) > _MOST_ANSWERS:
        yield f"the last {_MOST_ANSWERS} of {len(given)} answers that are stored:"
    for each in given[-_MOST_ANSWERS:]:
        yield f"{each.answer.configuration.label} said {each.answer.verdict} after {each.answer.seconds:.3f} s"
        yield from _answer(each)


def _answer(record: AnswerRecord) -> Iterator[str]:
    run = "" if record.run is None else f" of run {record.run}"
    limit = "" if record.limit_seconds is None else f", limit {record.limit_seconds:g} s"
    yield f"it was asked in a {'warm' if record.is_warm else 'fresh'} process{run}{limit}"
    yield "no schedule chose it: it was to be asked as it is" if record.choice is None else _choice(record.choice)


def _choice(choice: Choice) -> str:
    truth = "of open truth" if choice.truth is None else f"certified {choice.truth}"
    words = f"schedule {choice.schedule} chose {choice.instance} ({truth}) with a share of {choice.instance_share:.3g}"
    if choice.transformation is None:
        return words
    return f"{words}, and {choice.transformation} with one of {choice.transformation_share:.3g}"


def _way(connection: sqlite3.Connection, address: str) -> Iterator[str]:
    """From an instance back along the first parents to where it began."""
    seen: set[str] = set()
    while address not in seen and len(seen) < _MOST_PREMISES:
        seen.add(address)
        record = instances.get(connection, address)
        assert record is not None
        yield f"{address}: {_made(record)}"
        if record.lineage is None or not record.lineage.parents:
            return
        address = record.lineage.parents[0]


def _made(record: InstanceRecord) -> str:
    if record.lineage is None or not record.lineage.parents:
        return f"{_ORIGINS[record.origin]}{f', {record.source}' if record.source else ''}"
    first, *partners = record.lineage.parents
    steps = " > ".join(link.transformation for link in record.lineage.chain)
    joined = f", joined with {', '.join(partners)}" if partners else ""
    return f"made from {first} by {steps}{joined}"


def _truth(connection: sqlite3.Connection, address: str) -> Iterator[str]:
    certificate = truths.certificate_of(connection, address)
    if certificate is None:
        yield "its truth is not certified"
        return
    witness = certificate.witness
    checkers = ", ".join(certificate.checkers)
    yield f"it is certified {witness.truth} by {checkers}; the witness is {witness.origin}, from {witness.source}"


def _errand(errand: Errand) -> Iterator[str]:
    plan, progress = errand.plan, errand.progress
    yield f"job {errand.id}: {errand.name or 'an instance without a name'}, submitted by user {errand.uid}"
    yield f"it asks {', '.join(each.label for each in plan.configurations)}, {plan.seconds:g} s each"
    if errand.instance is not None:
        yield f"its instance is {errand.instance}"
    yield (
        f"it is {errand.state}: {len(progress.judged)} of {len(plan.configurations)} answers judged,"
        f" {progress.queries} queries in {progress.seconds:.1f} s of interrogation, {progress.findings} findings"
    )
