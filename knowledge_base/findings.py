"""Findings: what was wrong, how far its examination has come, and everything needed to replay it."""

from __future__ import annotations

import sqlite3

import msgspec

from chc.witness import Truth
from knowledge_base.answers import configuration_id, get_configuration
from knowledge_base.codec import key_of, to_json
from knowledge_base.instances import add_lineage, get_lineage, id_of
from knowledge_base.records import Finding, Severity, Status, StoredFinding

_COMMAND = msgspec.json.Decoder(tuple[str, ...])
_SELECT = (
    "SELECT findings.key, findings.severity, findings.status, findings.reason, findings.evidence, findings.expected,"
    " witnesses.key, findings.changed, instances.digest, findings.configuration, findings.command, answers.key,"
    " findings.lineage, findings.run, findings.at"
    " FROM findings JOIN instances ON instances.id = findings.instance"
    " LEFT JOIN witnesses ON witnesses.id = findings.certificate LEFT JOIN answers ON answers.id = findings.answer"
)


class UnknownFinding(Exception):
    """A key, or the beginning of one, that does not mean exactly one finding."""


def record(connection: sqlite3.Connection, finding: Finding) -> str:
    """Store a finding; returns its key. The same finding is stored once and keeps how far it has come."""
    key = _key(finding)
    lineage = None if finding.lineage is None else add_lineage(connection, finding.instance, finding.lineage)
    connection.execute(
        "INSERT INTO findings (key, severity, status, reason, evidence, expected, certificate, changed, instance,"
        " configuration, command, answer, lineage, run, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO NOTHING",
        (
            key,
            *_mutable(connection, finding),
            finding.at,
            id_of(connection, finding.instance),
            configuration_id(connection, finding.configuration),
            to_json(finding.command),
            _number(connection, "answers", finding.answer),
            lineage,
            finding.run,
            finding.at,
        ),
    )
    return key.hex()


def _key(finding: Finding) -> bytes:
    """Made of what `revise` leaves alone, and of the severity at first sight."""
    answered = (finding.instance, finding.configuration, finding.command, finding.answer)
    return key_of(*answered, finding.severity, finding.lineage, finding.run, finding.at)


def revise(connection: sqlite3.Connection, key: str, finding: Finding, at: float) -> None:
    """Give a stored finding the severity, status, reason, evidence, expectation and certificate of this one."""
    changed = connection.execute(
        "UPDATE findings SET severity = ?, status = ?, reason = ?, evidence = ?, expected = ?, certificate = ?,"
        " changed = ? WHERE key = ?",
        (*_mutable(connection, finding), at, bytes.fromhex(key)),
    ).rowcount
    if not changed:
        raise UnknownFinding(f"there is no finding {key}; see which there are: hornblower findings")


def find(connection: sqlite3.Connection, prefix: str) -> StoredFinding:
    """The finding whose key starts like this."""
    # Only digits and small letters up to f can be in a key, and none of them means anything to GLOB.
    is_key = prefix != "" and not set(prefix) - set("0123456789abcdef")
    rows = _rows(connection, "WHERE lower(hex(findings.key)) GLOB ?", (f"{prefix}*",)) if is_key else []
    if len(rows) != 1:
        reason = f"{len(rows)} findings start with it, give more of the key" if rows else "there is no such finding"
        raise UnknownFinding(f"{prefix or 'an empty key'}: {reason}; see which there are: hornblower findings")
    return rows[0]


def select(
    connection: sqlite3.Connection, *, status: Status | None = None, severity: Severity | None = None
) -> list[StoredFinding]:
    """All findings, or those of one status or severity, the oldest first."""
    return _rows(
        connection,
        "WHERE findings.status = coalesce(?, findings.status) AND findings.severity = coalesce(?, findings.severity)",
        (status, severity),
    )


def of_instance(connection: sqlite3.Connection, address: str) -> list[StoredFinding]:
    return _rows(connection, "WHERE instances.digest = ?", (bytes.fromhex(address),))


def resolvable(connection: sqlite3.Connection) -> list[StoredFinding]:
    """Unresolved findings whose instance has got a truth meanwhile: time to look at them again."""
    return _rows(
        connection,
        "JOIN truths ON truths.instance = findings.instance WHERE findings.status = ?",
        (Status.unresolved,),
    )


def tally(connection: sqlite3.Connection) -> dict[tuple[Severity, Status], int]:
    rows = connection.execute("SELECT severity, status, count(*) FROM findings GROUP BY 1, 2 ORDER BY 1, 2")
    return {(Severity(severity), Status(status)): number for severity, status, number in rows.fetchall()}


def _mutable(connection: sqlite3.Connection, finding: Finding) -> tuple[str, str, str, str, str | None, int | None]:
    certificate = _number(connection, "witnesses", finding.certificate)
    return (finding.severity, finding.status, finding.reason, finding.evidence, finding.expected, certificate)


def _number(connection: sqlite3.Connection, table: str, key: str | None) -> int | None:
    if key is None:
        return None
    row = connection.execute(f"SELECT id FROM {table} WHERE key = ?", (bytes.fromhex(key),)).fetchone()
    if row is None:
        raise ValueError(f"the finding names {key}, which is not among the stored {table}")
    return int(row[0])


def _rows(connection: sqlite3.Connection, condition: str, values: tuple[object, ...]) -> list[StoredFinding]:
    found = connection.execute(f"{_SELECT} {condition} ORDER BY findings.at, findings.key", values).fetchall()
    return [_read(connection, row) for row in found]


_Row = tuple[
    bytes,
    str,
    str,
    str,
    str,
    str | None,
    bytes | None,
    float,
    bytes,
    int,
    str,
    bytes | None,
    int | None,
    str | None,
    float,
]


def _read(connection: sqlite3.Connection, row: _Row) -> StoredFinding:
    key, severity, status, reason, evidence, expected, certificate, changed = row[:8]
    instance, configuration, command, answer, lineage, run, at = row[8:]
    finding = Finding(
        severity=Severity(severity),
        status=Status(status),
        reason=reason,
        evidence=evidence,
        expected=None if expected is None else Truth(expected),
        certificate=None if certificate is None else certificate.hex(),
        instance=instance.hex(),
        configuration=get_configuration(connection, configuration),
        command=_COMMAND.decode(command),
        answer=None if answer is None else answer.hex(),
        lineage=None if lineage is None else get_lineage(connection, lineage),
        run=run,
        at=at,
    )
    return StoredFinding(key.hex(), finding, changed)
