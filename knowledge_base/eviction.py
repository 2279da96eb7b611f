"""Keeping within a budget of bytes.

What goes first is the instance of the lowest energy from which nothing else that is stored was made: so every lineage
stays complete. What never goes: seeds, the instances of errands, findings, our own faults and contradictions, and all
their ancestors, since a replay needs them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import msgspec

from knowledge_base.traces import drop_unused

_ROOM = 0.9
"""Down to which share of the budget to evict, so that the next instance does not start it again."""
_ASKED_SHARE = 0.25
"""How much of the budget the memory of what was asked may take."""
_ASKED_BYTES = 64
_ROW_BYTES = 400
"""A guess at what an instance takes beside its texts; too small a guess only means another round."""

_PINNED = """
WITH RECURSIVE pinned (id) AS (
    SELECT id FROM instances WHERE origin = 'seed'
    UNION SELECT instance FROM findings
    UNION SELECT instance FROM errands WHERE instance IS NOT NULL
    UNION SELECT instance FROM own_faults JOIN lineages ON lineages.id = lineage
    UNION SELECT id FROM instances WHERE digest IN (SELECT digest FROM contradictions)
    UNION SELECT parent FROM pinned JOIN lineages ON lineages.instance = pinned.id
        JOIN parents ON parents.lineage = lineages.id
)
"""
_LEAVES = f"""{_PINNED}
SELECT id, digest, length(text) + coalesce((SELECT sum(length(data)) FROM witnesses WHERE instance = instances.id), 0)
FROM instances
WHERE id NOT IN (SELECT id FROM pinned) AND NOT EXISTS (SELECT 1 FROM parents WHERE parent = instances.id)
"""


class Eviction(msgspec.Struct, frozen=True):
    """What was dropped, and how large the knowledge base is now against its budget."""

    dropped: tuple[str, ...]
    bytes_used: int
    budget: int

    @property
    def problem(self) -> str | None:
        """What to do where the budget cannot be kept; None where it is."""
        if self.bytes_used <= self.budget:
            return None
        return (
            f"the knowledge base takes {self.bytes_used} bytes of its budget of {self.budget}, and what is left is "
            "needed by seeds and findings: raise the budget, or export it and start anew with fewer seeds"
        )


def bytes_used(connection: sqlite3.Connection) -> int:
    """The size of the database apart from free pages and from the log of the latest writes."""
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def pinned(connection: sqlite3.Connection) -> set[str]:
    """The addresses of all instances that may not go."""
    rows = connection.execute(f"{_PINNED} SELECT digest FROM instances WHERE id IN (SELECT id FROM pinned)")
    return {digest.hex() for (digest,) in rows}


def evict(connection: sqlite3.Connection, budget: int, energies: Mapping[str, float]) -> Eviction:
    """Drop what is worth least until the budget has room again; instances without an energy are worth nothing."""
    dropped: list[str] = []
    if bytes_used(connection) > budget:
        _drop_spare_lineages(connection)
        _forget_oldest_questions(connection, int(budget * _ASKED_SHARE))
        goal = int(budget * _ROOM)
        while (excess := bytes_used(connection) - goal) > 0:
            gone = _drop_leaves(connection, excess, energies)
            if not gone:
                break
            dropped.extend(gone)
        drop_unused(connection)
        _return_free_pages(connection)
    return Eviction(tuple(dropped), bytes_used(connection), budget)


def _return_free_pages(connection: sqlite3.Connection) -> None:
    """Give the pages that became free back to the file system."""
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    for _ in range(free):
        # The statement has no columns, so `execute` takes one step of it, which frees one page.
        connection.execute("PRAGMA incremental_vacuum (1)")


def _drop_leaves(connection: sqlite3.Connection, excess: int, energies: Mapping[str, float]) -> list[str]:
    """Drop the least of those that nothing was made from, about as many as the excess demands."""
    leaves = connection.execute(_LEAVES).fetchall()
    leaves.sort(key=lambda leaf: (energies.get(leaf[1].hex(), 0.0), leaf[1]))
    chosen: list[tuple[int, bytes]] = []
    for number, digest, size in leaves:
        chosen.append((number, digest))
        excess -= size + _ROW_BYTES
        if excess <= 0:
            break
    numbers = [(number,) for number, _ in chosen]
    # The truth names the certificate, which goes with the instance too: take it away first.
    connection.executemany("DELETE FROM truths WHERE instance = ?", numbers)
    connection.executemany("DELETE FROM instances WHERE id = ?", numbers)
    return [digest.hex() for _, digest in chosen]


def _drop_spare_lineages(connection: sqlite3.Connection) -> None:
    """Keep the first lineage of each instance and those that a finding or a fault names."""
    connection.execute(
        "DELETE FROM lineages WHERE id NOT IN (SELECT min(id) FROM lineages GROUP BY instance)"
        " AND id NOT IN (SELECT lineage FROM findings WHERE lineage IS NOT NULL)"
        " AND id NOT IN (SELECT lineage FROM own_faults)"
    )


def _forget_oldest_questions(connection: sqlite3.Connection, most_bytes: int) -> None:
    """Of texts that are not stored. What was asked of a stored one is known as long as the text is."""
    gone = "FROM asked WHERE digest NOT IN (SELECT digest FROM instances)"
    most = most_bytes // _ASKED_BYTES
    border = connection.execute(f"SELECT at {gone} ORDER BY at DESC LIMIT 1 OFFSET ?", (most,)).fetchone()
    if border is not None:
        connection.execute(f"DELETE {gone} AND at <= ?", border)
