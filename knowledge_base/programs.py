"""The programs of solvers as they were first met, so that one that was replaced is told from the one before."""

from __future__ import annotations

import sqlite3

_PREFIX = "program "


def first_digest(connection: sqlite3.Connection, name: str) -> str | None:
    """The digest under which this program was first met."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (_PREFIX + name,)).fetchone()
    return None if found is None else str(found[0])


def meet(connection: sqlite3.Connection, name: str, digest: str) -> None:
    """Note a program; what was noted first stays."""
    connection.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (_PREFIX + name, digest))
