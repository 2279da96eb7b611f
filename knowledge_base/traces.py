"""Traces of solvers, each stored once."""

from __future__ import annotations

import sqlite3

import msgspec

from backends.trace import Trace
from knowledge_base.codec import key_of, pack, to_json, unpack

_TRACE = msgspec.json.Decoder(Trace)


def keep(connection: sqlite3.Connection, trace: Trace) -> int:
    """The number of a trace, stored if it is new."""
    key = key_of(trace)
    found = connection.execute("SELECT id FROM traces WHERE key = ?", (key,)).fetchone()
    if found is None:
        found = connection.execute(
            "INSERT INTO traces (key, data) VALUES (?, ?) RETURNING id", (key, pack(to_json(trace)))
        ).fetchone()
    return int(found[0])


def get(connection: sqlite3.Connection, number: int) -> Trace:
    (data,) = connection.execute("SELECT data FROM traces WHERE id = ?", (number,)).fetchone()
    return _TRACE.decode(unpack(data))


def drop_unused(connection: sqlite3.Connection) -> None:
    """Delete those of answers that are gone."""
    connection.execute("DELETE FROM traces WHERE id NOT IN (SELECT trace FROM answers WHERE trace IS NOT NULL)")
