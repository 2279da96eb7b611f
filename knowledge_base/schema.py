"""The tables, as a chain of numbered migrations. A step that was released is never edited, only followed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

APPLICATION_ID = 0x486F726E
"""`Horn` in ASCII: tells a knowledge base from any other database."""

Migration = Sequence[str]

_FIRST: Migration = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # Names whose counters are whose when knowledge bases are merged.
    "INSERT INTO meta VALUES ('identity', lower(hex(randomblob(16))))",
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY, seed TEXT NOT NULL, schedule TEXT NOT NULL, switches TEXT NOT NULL,
        versions TEXT NOT NULL, started REAL NOT NULL, ended REAL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE instances (
        id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32), text BLOB NOT NULL,
        size INTEGER NOT NULL, origin TEXT NOT NULL, source TEXT NOT NULL, features TEXT NOT NULL, added REAL NOT NULL
    ) STRICT""",
    """CREATE TABLE lineages (
        id INTEGER PRIMARY KEY, instance INTEGER NOT NULL REFERENCES instances ON DELETE CASCADE,
        key BLOB NOT NULL UNIQUE, chain TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX lineages_by_instance ON lineages (instance)",
    """CREATE TABLE parents (
        lineage INTEGER NOT NULL REFERENCES lineages ON DELETE CASCADE, position INTEGER NOT NULL,
        parent INTEGER NOT NULL REFERENCES instances, PRIMARY KEY (lineage, position)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX parents_by_parent ON parents (parent)",
    """CREATE TABLE configurations (
        id INTEGER PRIMARY KEY, solver TEXT NOT NULL, version TEXT NOT NULL, data TEXT NOT NULL UNIQUE
    ) STRICT""",
    # Stands apart from the instances: what was asked and dropped must not be asked again.
    """CREATE TABLE asked (
        digest BLOB NOT NULL, configuration INTEGER NOT NULL REFERENCES configurations, at REAL NOT NULL,
        PRIMARY KEY (digest, configuration)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE answers (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,
        instance INTEGER NOT NULL REFERENCES instances ON DELETE CASCADE,
        configuration INTEGER NOT NULL REFERENCES configurations, verdict TEXT NOT NULL, seconds REAL NOT NULL,
        cpu_seconds REAL NOT NULL, peak_memory_mb REAL NOT NULL, detail TEXT NOT NULL, command TEXT NOT NULL,
        model_text BLOB, proof_text BLOB, is_warm INTEGER NOT NULL, limit_seconds REAL, choice TEXT,
        run TEXT REFERENCES runs, at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX answers_by_instance ON answers (instance)",
    """CREATE TABLE witnesses (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,
        instance INTEGER NOT NULL REFERENCES instances ON DELETE CASCADE, truth TEXT NOT NULL,
        data BLOB NOT NULL, origin TEXT NOT NULL, source TEXT NOT NULL, at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX witnesses_by_instance ON witnesses (instance)",
    """CREATE TABLE certificates (
        witness INTEGER PRIMARY KEY REFERENCES witnesses ON DELETE CASCADE, checkers TEXT NOT NULL, at REAL NOT NULL
    ) STRICT""",
    """CREATE TABLE truths (
        instance INTEGER PRIMARY KEY REFERENCES instances ON DELETE CASCADE,
        truth TEXT NOT NULL CHECK (truth IN ('sat', 'unsat')), certificate INTEGER NOT NULL REFERENCES certificates
    ) STRICT""",
    "CREATE INDEX truths_by_truth ON truths (truth)",
    "CREATE INDEX truths_by_certificate ON truths (certificate)",
    # Carries its evidence itself, since the write that ran into it is rolled back.
    """CREATE TABLE contradictions (
        key BLOB PRIMARY KEY, digest BLOB NOT NULL, known TEXT NOT NULL, truth TEXT NOT NULL, data BLOB NOT NULL,
        origin TEXT NOT NULL, source TEXT NOT NULL, checkers TEXT NOT NULL, witness_at REAL NOT NULL, at REAL NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE findings (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, severity TEXT NOT NULL, status TEXT NOT NULL,
        reason TEXT NOT NULL, evidence TEXT NOT NULL, expected TEXT, certificate INTEGER REFERENCES witnesses,
        changed REAL NOT NULL, instance INTEGER NOT NULL REFERENCES instances,
        configuration INTEGER NOT NULL REFERENCES configurations, command TEXT NOT NULL,
        answer INTEGER REFERENCES answers, lineage INTEGER REFERENCES lineages, run TEXT REFERENCES runs,
        at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX findings_by_instance ON findings (instance)",
    "CREATE INDEX findings_by_status ON findings (status)",
    "CREATE INDEX findings_by_lineage ON findings (lineage)",
    "CREATE INDEX findings_by_answer ON findings (answer)",
    "CREATE INDEX findings_by_certificate ON findings (certificate)",
    """CREATE TABLE own_faults (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, lineage INTEGER NOT NULL REFERENCES lineages,
        truth TEXT NOT NULL, witness BLOB NOT NULL, checker TEXT NOT NULL, reason TEXT NOT NULL,
        run TEXT REFERENCES runs, at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX own_faults_by_lineage ON own_faults (lineage)",
    """CREATE TABLE counters (
        owner TEXT NOT NULL, name TEXT NOT NULL, value ANY NOT NULL, PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE standings (
        instance INTEGER PRIMARY KEY REFERENCES instances ON DELETE CASCADE,
        queries INTEGER NOT NULL, data TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE arms (
        transformation TEXT PRIMARY KEY, tried INTEGER NOT NULL, data TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
)

_ERRANDS: Migration = (
    """CREATE TABLE errands (
        id TEXT PRIMARY KEY, uid INTEGER NOT NULL, name TEXT NOT NULL, plan TEXT NOT NULL, submitted REAL NOT NULL,
        state TEXT NOT NULL, progress TEXT NOT NULL, instance INTEGER REFERENCES instances, text BLOB
    ) STRICT""",
    "CREATE INDEX errands_by_instance ON errands (instance)",
    """CREATE TABLE errand_events (
        errand TEXT NOT NULL REFERENCES errands ON DELETE CASCADE, number INTEGER NOT NULL, at REAL NOT NULL,
        data TEXT NOT NULL, findings TEXT NOT NULL, PRIMARY KEY (errand, number)
    ) STRICT, WITHOUT ROWID""",
)

_TRACES: Migration = (
    # Apart from the answers, since many of them share a trace.
    "CREATE TABLE traces (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, data BLOB NOT NULL) STRICT",
    "ALTER TABLE answers ADD COLUMN trace INTEGER REFERENCES traces",
    "CREATE INDEX answers_by_trace ON answers (trace)",
)

MIGRATIONS: Sequence[Migration] = (_FIRST, _ERRANDS, _TRACES)
"""The step at position n leads from schema n to schema n + 1; an empty file has schema 0."""


class UnusableDatabase(Exception):
    """A file that this version cannot work with; the message says what to do."""


def version_of(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def require_ours(connection: sqlite3.Connection, name: str, newest: int) -> int:
    """The schema version of a knowledge base; an error for anything else and for what is newer than we are."""
    version = version_of(connection)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION_ID and (tables or version):
        raise UnusableDatabase(f"{name} is a database of something else; choose another directory or file")
    if version > newest:
        raise UnusableDatabase(
            f"{name} has schema {version}, but this version of hornblower knows schemas up to {newest} only; "
            "install the newer hornblower that wrote it, or choose another state directory"
        )
    return version


def migrate(connection: sqlite3.Connection, name: str, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Bring a database to the newest schema, each step in a transaction of its own; returns the steps taken."""
    version = require_ours(connection, name, len(migrations))
    for number in range(version, len(migrations)):
        _take_step(connection, migrations[number], number + 1)
    return len(migrations) - version


def _take_step(connection: sqlite3.Connection, statements: Migration, version: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
