"""What clients look up in the knowledge base."""

from __future__ import annotations

import sqlite3

from daemon.protocol import FindingLine, Id, InstanceReply
from knowledge_base import findings, instances, truths
from knowledge_base.records import Severity, Status, StoredFinding

OLD_NEWS = (Status.known, Status.dismissed, Status.flaky)


class UnknownAddress(Exception):
    """An address, or the beginning of one, that does not mean exactly one instance."""


def finding_lines(connection: sqlite3.Connection, *, everything: bool) -> list[FindingLine]:
    """The worst first."""
    found = [each for each in findings.select(connection) if everything or each.finding.status not in OLD_NEWS]
    return [_line(each) for each in sorted(found, key=lambda each: (rank(each), each.finding.at))]


def rank(stored: StoredFinding) -> tuple[int, bool]:
    """The worst first, and before suspicions what is confirmed."""
    return list(Severity).index(stored.finding.severity), stored.finding.status is Status.open


def _line(stored: StoredFinding) -> FindingLine:
    finding = stored.finding
    return FindingLine(
        finding=stored.key,
        severity=finding.severity,
        status=finding.status,
        solver=finding.configuration.label,
        instance=finding.instance,
        at=finding.at,
        evidence=finding.evidence,
    )


def find_instance(connection: sqlite3.Connection, id: Id, prefix: str) -> InstanceReply:
    addresses = instances.starting_with(connection, prefix)
    if len(addresses) != 1:
        reason = f"{len(addresses)} instances start with it, give more" if addresses else "there is no such instance"
        raise UnknownAddress(f"{prefix}: {reason}")
    record = instances.get(connection, addresses[0])
    assert record is not None
    certificate = truths.certificate_of(connection, record.address)
    return InstanceReply(
        id,
        address=record.address,
        text=record.text,
        origin=record.origin,
        source=record.source,
        truth=None if certificate is None else certificate.witness.truth,
        certified_by=() if certificate is None else certificate.checkers,
    )
