"""Our own faults: transported witnesses that did not check."""

from __future__ import annotations

import sqlite3

from chc.witness import Truth
from knowledge_base.codec import key_of, pack, unpack
from knowledge_base.instances import add_lineage, get_lineage
from knowledge_base.records import OwnFault


def record(connection: sqlite3.Connection, fault: OwnFault) -> str:
    """Store a fault of a stored instance; returns its key. The same fault is stored once."""
    lineage = add_lineage(connection, fault.instance, fault.lineage)
    key = key_of(fault.instance, fault.lineage, fault.truth, fault.witness, fault.checker)
    connection.execute(
        "INSERT INTO own_faults (key, lineage, truth, witness, checker, reason, run, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        (key, lineage, fault.truth, pack(fault.witness), fault.checker, fault.reason, fault.run, fault.at),
    )
    return key.hex()


def select(connection: sqlite3.Connection) -> list[OwnFault]:
    """All of them, the oldest first."""
    rows = connection.execute(
        "SELECT digest, lineage, own_faults.truth, witness, checker, reason, run, at FROM own_faults"
        " JOIN lineages ON lineages.id = lineage JOIN instances ON instances.id = lineages.instance"
        " ORDER BY at, own_faults.key"
    ).fetchall()
    return [
        OwnFault(
            instance=digest.hex(),
            lineage=get_lineage(connection, lineage),
            truth=Truth(truth),
            witness=unpack(witness),
            checker=checker,
            reason=reason,
            run=run,
            at=at,
        )
        for digest, lineage, truth, witness, checker, reason, run, at in rows
    ]
