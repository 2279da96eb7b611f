"""Export to one file, and merging of such a file into a knowledge base.

Merging is a union: doing it twice changes nothing more, and in which direction it is done does not matter to what is
known afterwards, except where the two certify opposite truths. Then the one that is merged into keeps its own and
records the contradiction. Certificates are taken over on the word of the file: merge only what you trust.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from chc.witness import Truth
from knowledge_base.codec import unpack
from knowledge_base.instances import raise_origin
from knowledge_base.integrity import problems
from knowledge_base.records import Contradiction, Origin, WitnessOrigin, WitnessRecord
from knowledge_base.schema import MIGRATIONS, UnusableDatabase, migrate, require_ours
from knowledge_base.store import KnowledgeBase, connect_to_read
from knowledge_base.truths import ContradictoryTruth, add_checkers, rest_on_the_oldest

Ids = dict[int, int]
"""From the numbers of rows in the source to those of the same rows here."""

_CHECKERS = msgspec.json.Decoder(tuple[str, ...])


def export(knowledge: KnowledgeBase, target: Path) -> None:
    """Write one consistent state to a single file, which appears only when it is complete."""
    if target.exists():
        raise FileExistsError(f"{target} exists already; choose another name or remove it first")
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        _copy(knowledge.path, draft)
        os.rename(draft, target)
    finally:
        draft.unlink(missing_ok=True)
    _flush(target.parent)


def _copy(source: Path, target: Path) -> None:
    with closing(connect_to_read(source)) as reading, closing(sqlite3.connect(target, isolation_level=None)) as writing:
        reading.backup(writing)
        # Without this the copy would want two more files beside it.
        writing.execute("PRAGMA journal_mode = DELETE")
    _flush(target)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def merge(connection: sqlite3.Connection, source: Path) -> None:
    """Take over everything that an exported file knows; one write, all or nothing."""
    with _opened(source) as other:
        _require_sound(other, source)
        _merge_runs(connection, other)
        configurations = _merge_configurations(connection, other)
        instances = _merge_instances(connection, other)
        lineages = _merge_lineages(connection, other, instances)
        answers = _merge_answers(connection, other, instances, configurations, _merge_traces(connection, other))
        witnesses = _merge_witnesses(connection, other, instances)
        _merge_truths(connection, other, instances, witnesses)
        _merge_findings(connection, other, (instances, configurations, answers, lineages, witnesses))
        _merge_faults(connection, other, lineages)
        _merge_asked(connection, other, configurations)
        _merge_histories(connection, other, instances)


@contextmanager
def _opened(source: Path) -> Iterator[sqlite3.Connection]:
    """The source with the newest schema; an older one is migrated in memory and stays as it is."""
    if not source.is_file():
        raise FileNotFoundError(f"{source} is not a file; name one that was exported")
    with closing(connect_to_read(source)) as reading:
        if require_ours(reading, str(source), len(MIGRATIONS)) == len(MIGRATIONS):
            yield reading
            return
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
            reading.backup(memory)
            migrate(memory, str(source))
            yield memory


def _require_sound(other: sqlite3.Connection, source: Path) -> None:
    found = problems(other)
    if found:
        raise UnusableDatabase(f"{source} cannot be merged: {'; '.join(found[:3])}; export it anew")


def _merge_runs(connection: sqlite3.Connection, other: sqlite3.Connection) -> None:
    connection.executemany(
        "INSERT INTO runs (id, seed, schedule, switches, versions, started, ended) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET ended = max(coalesce(ended, excluded.ended), coalesce(excluded.ended, ended))",
        other.execute("SELECT id, seed, schedule, switches, versions, started, ended FROM runs"),
    )


def _merge_configurations(connection: sqlite3.Connection, other: sqlite3.Connection) -> Ids:
    connection.executemany(
        "INSERT INTO configurations (solver, version, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        other.execute("SELECT solver, version, data FROM configurations ORDER BY id"),
    )
    return _matching(connection, other, "configurations", "data")


def _merge_instances(connection: sqlite3.Connection, other: sqlite3.Connection) -> Ids:
    columns = "digest, text, size, origin, source, features, added"
    for row in other.execute(f"SELECT {columns} FROM instances ORDER BY id"):
        connection.execute(
            f"INSERT INTO instances ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO UPDATE"
            " SET added = min(added, excluded.added), features = min(features, excluded.features)",
            row,
        )
        raise_origin(connection, row[0], Origin(row[3]), row[4])
    return _matching(connection, other, "instances", "digest")


def _merge_lineages(connection: sqlite3.Connection, other: sqlite3.Connection, instances: Ids) -> Ids:
    for number, instance, key, chain in other.execute("SELECT id, instance, key, chain FROM lineages ORDER BY id"):
        fresh = connection.execute(
            "INSERT INTO lineages (instance, key, chain) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING RETURNING id",
            (instances[instance], key, chain),
        ).fetchone()
        if fresh is not None:
            parents = other.execute("SELECT position, parent FROM parents WHERE lineage = ?", (number,))
            connection.executemany(
                "INSERT INTO parents (lineage, position, parent) VALUES (?, ?, ?)",
                [(fresh[0], position, instances[parent]) for position, parent in parents],
            )
    return _matching(connection, other, "lineages", "key")


def _merge_traces(connection: sqlite3.Connection, other: sqlite3.Connection) -> Ids:
    connection.executemany(
        "INSERT INTO traces (key, data) VALUES (?, ?) ON CONFLICT DO NOTHING",
        other.execute("SELECT key, data FROM traces ORDER BY id"),
    )
    return _matching(connection, other, "traces", "key")


def _merge_answers(
    connection: sqlite3.Connection, other: sqlite3.Connection, instances: Ids, configurations: Ids, traces: Ids
) -> Ids:
    rest = (
        "key, verdict, seconds, cpu_seconds, peak_memory_mb, detail, command, model_text, proof_text, is_warm,"
        " limit_seconds, choice, run, at"
    )
    rows = other.execute(f"SELECT instance, configuration, trace, {rest} FROM answers")
    for instance, configuration, trace, *row in rows:
        numbers = (instances[instance], configurations[configuration], None if trace is None else traces[trace])
        connection.execute(
            f"INSERT INTO answers (instance, configuration, trace, {rest})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
            (*numbers, *row),
        )
    return _matching(connection, other, "answers", "key")


def _merge_witnesses(connection: sqlite3.Connection, other: sqlite3.Connection, instances: Ids) -> Ids:
    rest = "key, truth, data, origin, source, at"
    for instance, *row in other.execute(f"SELECT instance, {rest} FROM witnesses"):
        # Of the same witness the one that came first is kept, whichever side had it.
        connection.execute(
            f"INSERT INTO witnesses (instance, {rest}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET origin = excluded.origin, source = excluded.source, at = excluded.at"
            " WHERE (excluded.at, excluded.origin, excluded.source) < (at, origin, source)",
            (instances[instance], *row),
        )
    return _matching(connection, other, "witnesses", "key")


def _merge_truths(connection: sqlite3.Connection, other: sqlite3.Connection, instances: Ids, witnesses: Ids) -> None:
    connection.executemany(
        "INSERT INTO contradictions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        other.execute(
            "SELECT key, digest, known, truth, data, origin, source, checkers, witness_at, at FROM contradictions"
        ),
    )
    rows = other.execute("SELECT witness, instance, truth, checkers, certificates.at FROM certificates"
                         " JOIN witnesses ON witnesses.id = witness")  # fmt: skip
    for witness, instance, truth, checkers, at in rows:
        mine = connection.execute("SELECT truth FROM truths WHERE instance = ?", (instances[instance],)).fetchone()
        if mine is not None and mine[0] != truth:
            _contradict(connection, witnesses[witness], Truth(mine[0]), _CHECKERS.decode(checkers), at)
        else:
            add_checkers(connection, witnesses[witness], _CHECKERS.decode(checkers), at)
            rest_on_the_oldest(connection, instances[instance], Truth(truth))


def _contradict(
    connection: sqlite3.Connection, witness: int, known: Truth, checkers: tuple[str, ...], at: float
) -> None:
    digest, truth, data, origin, source, witness_at = connection.execute(
        "SELECT digest, truth, data, witnesses.origin, witnesses.source, at FROM witnesses"
        " JOIN instances ON instances.id = instance WHERE witnesses.id = ?",
        (witness,),
    ).fetchone()
    record = WitnessRecord(digest.hex(), Truth(truth), unpack(data), WitnessOrigin(origin), witness_at, source)
    ContradictoryTruth(Contradiction(record, checkers, known, at)).record(connection)


def _merge_findings(
    connection: sqlite3.Connection, other: sqlite3.Connection, maps: tuple[Ids, Ids, Ids, Ids, Ids]
) -> None:
    """Of the same finding the state that was reached last is kept."""
    columns = (
        "instance, configuration, answer, lineage, certificate, key, severity, status, reason, evidence, expected,"
        " changed, command, run, at"
    )
    for row in other.execute(f"SELECT {columns} FROM findings"):
        numbers = [None if old is None else ids[old] for ids, old in zip(maps, row[:5], strict=True)]
        connection.execute(
            f"INSERT INTO findings ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET severity = excluded.severity, status = excluded.status,"
            " reason = excluded.reason, evidence = excluded.evidence, expected = excluded.expected,"
            " certificate = excluded.certificate, changed = excluded.changed"
            " WHERE (excluded.changed, excluded.status, excluded.severity, excluded.reason, excluded.evidence)"
            " > (changed, status, severity, reason, evidence)",
            (*numbers, *row[5:]),
        )


def _merge_faults(connection: sqlite3.Connection, other: sqlite3.Connection, lineages: Ids) -> None:
    rest = "key, truth, witness, checker, reason, run, at"
    for lineage, *row in other.execute(f"SELECT lineage, {rest} FROM own_faults"):
        connection.execute(
            f"INSERT INTO own_faults (lineage, {rest}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET reason = excluded.reason, run = excluded.run, at = excluded.at"
            " WHERE (excluded.at, excluded.reason) < (at, reason)",
            (lineages[lineage], *row),
        )


def _merge_asked(connection: sqlite3.Connection, other: sqlite3.Connection, configurations: Ids) -> None:
    connection.executemany(
        "INSERT INTO asked (digest, configuration, at) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET at = min(at, excluded.at)",
        (
            (digest, configurations[configuration], at)
            for digest, configuration, at in other.execute("SELECT digest, configuration, at FROM asked")
        ),
    )


def _merge_histories(connection: sqlite3.Connection, other: sqlite3.Connection, instances: Ids) -> None:
    """Counters belong to the knowledge base that counted; of standings and arms the longer history is kept."""
    connection.executemany(
        "INSERT INTO counters (owner, name, value) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
        other.execute("SELECT owner, name, value FROM counters"),
    )
    connection.executemany(
        "INSERT INTO standings (instance, queries, data) VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET queries = excluded.queries, data = excluded.data"
        " WHERE (excluded.queries, excluded.data) > (queries, data)",
        (
            (instances[instance], queries, data)
            for instance, queries, data in other.execute("SELECT instance, queries, data FROM standings")
        ),
    )
    connection.executemany(
        "INSERT INTO arms (transformation, tried, data) VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET tried = excluded.tried, data = excluded.data WHERE (excluded.tried, excluded.data) > (tried, data)",
        other.execute("SELECT transformation, tried, data FROM arms"),
    )


def _matching(connection: sqlite3.Connection, other: sqlite3.Connection, table: str, column: str) -> Ids:
    """For every row of the source its number here, by what identifies it."""
    here = {value: number for number, value in connection.execute(f"SELECT id, {column} FROM {table}")}
    return {number: here[value] for number, value in other.execute(f"SELECT id, {column} FROM {table}")}
