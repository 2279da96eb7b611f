"""The histories behind a view, stored so that a restart forgets nothing that a schedule has learnt."""

from __future__ import annotations

import sqlite3

import msgspec

from chc.witness import Truth
from knowledge_base.codec import to_json
from knowledge_base.energy import Arm, Standing
from knowledge_base.instances import id_of
from knowledge_base.records import Origin
from knowledge_base.view import View

_STANDING = msgspec.json.Decoder(Standing)
_ARM = msgspec.json.Decoder(Arm)


def save_standing(connection: sqlite3.Connection, address: str, standing: Standing) -> None:
    connection.execute(
        "INSERT INTO standings (instance, queries, data) VALUES (?, ?, ?)"
        " ON CONFLICT (instance) DO UPDATE SET queries = excluded.queries, data = excluded.data",
        (id_of(connection, address), standing.queries, to_json(standing)),
    )


def save_arm(connection: sqlite3.Connection, name: str, arm: Arm) -> None:
    connection.execute(
        "INSERT INTO arms (transformation, tried, data) VALUES (?, ?, ?)"
        " ON CONFLICT (transformation) DO UPDATE SET tried = excluded.tried, data = excluded.data",
        (name, arm.tried, to_json(arm)),
    )


def fill(connection: sqlite3.Connection, view: View) -> None:
    """Bring everything that is stored into an empty view; transformations that no longer exist are left out."""
    rows = connection.execute(
        "SELECT digest, size, truth, data, origin FROM instances LEFT JOIN truths ON truths.instance = instances.id"
        " LEFT JOIN standings ON standings.instance = instances.id ORDER BY instances.id"
    )
    for digest, size, truth, data, origin in rows.fetchall():
        standing = Standing(size=size) if data is None else _STANDING.decode(data)
        view.put(digest.hex(), standing, None if truth is None else Truth(truth))
        if Origin(origin) in (Origin.seed, Origin.user):
            view.add_root(digest.hex())
    for name, data in connection.execute("SELECT transformation, data FROM arms").fetchall():
        if name in view.arms:
            view.arms[name] = _ARM.decode(data)
