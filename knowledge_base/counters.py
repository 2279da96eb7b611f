"""Counters that survive restarts, and the record of runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import msgspec

from knowledge_base.codec import to_json
from knowledge_base.records import Run

_WORDS = msgspec.json.Decoder(dict[str, str])

_COUNTED = ("instances", "lineages", "answers", "asked", "witnesses", "certificates", "truths", "contradictions",
            "findings", "own_faults", "configurations", "runs", "errands")  # fmt: skip


def count(connection: sqlite3.Connection, amounts: Mapping[str, int | float]) -> None:
    """Add to counters; one that is new starts at nothing."""
    connection.executemany(
        "INSERT INTO counters (owner, name, value) VALUES ((SELECT value FROM meta WHERE name = 'identity'), ?, ?)"
        " ON CONFLICT (owner, name) DO UPDATE SET value = value + excluded.value",
        list(amounts.items()),
    )


def totals(connection: sqlite3.Connection) -> dict[str, int | float]:
    """Each counter, summed over this knowledge base and those that were merged into it."""
    rows = connection.execute("SELECT name, sum(value) FROM counters GROUP BY name ORDER BY name")
    return dict(rows.fetchall())


def sizes(connection: sqlite3.Connection) -> dict[str, int]:
    """How many rows each table has, for people."""
    return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in _COUNTED}


def start_run(connection: sqlite3.Connection, run: Run) -> None:
    connection.execute(
        "INSERT INTO runs (id, seed, schedule, switches, versions, started, ended) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (run.id, str(run.seed), run.schedule, to_json(run.switches), to_json(run.versions), run.started, run.ended),
    )


def add_versions(connection: sqlite3.Connection, run: str, versions: Mapping[str, str]) -> None:
    """Note suspects that came while the run went on."""
    (known,) = connection.execute("SELECT versions FROM runs WHERE id = ?", (run,)).fetchone()
    data = to_json({**_WORDS.decode(known), **versions})
    connection.execute("UPDATE runs SET versions = ? WHERE id = ?", (data, run))


def end_run(connection: sqlite3.Connection, run: str, at: float) -> None:
    """Note the end of a run; one that was killed has none."""
    if not connection.execute("UPDATE runs SET ended = ? WHERE id = ?", (at, run)).rowcount:
        raise ValueError(f"there is no run {run}")


def runs(connection: sqlite3.Connection) -> list[Run]:
    """All runs, the oldest first."""
    rows = connection.execute(
        "SELECT id, seed, schedule, started, switches, versions, ended FROM runs ORDER BY started, id"
    )
    return [
        Run(id_, int(seed), schedule, started, _WORDS.decode(switches), _WORDS.decode(versions), ended)
        for id_, seed, schedule, started, switches, versions, ended in rows.fetchall()
    ]
