"""Instances and their lineages, by content address."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from knowledge_base.codec import digest_of, key_of, pack, to_json, unpack
from knowledge_base.records import Features, InstanceRecord, Lineage, Link, Origin

_CHAIN = msgspec.json.Decoder(tuple[Link, ...])
_FEATURES = msgspec.json.Decoder(Features)


class UnknownInstance(Exception):
    """An address that is not in the knowledge base where it has to be."""


def add(connection: sqlite3.Connection, record: InstanceRecord) -> bool:
    """Store an instance; False where its text is known, which then keeps its first lineage and highest origin."""
    digest = digest_of(record.text)
    inserted = connection.execute(
        "INSERT INTO instances (digest, text, size, origin, source, features, added) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (digest) DO NOTHING",
        (
            digest,
            pack(record.text),
            len(record.text),
            record.origin,
            record.source,
            to_json(record.features),
            record.added,
        ),
    ).rowcount
    if not inserted:
        raise_origin(connection, digest, record.origin, record.source)
    elif record.lineage is not None:
        add_lineage(connection, record.address, record.lineage)
    return bool(inserted)


def raise_origin(connection: sqlite3.Connection, digest: bytes, origin: Origin, source: str) -> None:
    """Let a seed be a seed also where it was met as a trick before; among equals the first name in the alphabet."""
    known, name = connection.execute("SELECT origin, source FROM instances WHERE digest = ?", (digest,)).fetchone()
    if (origin.rank, source) < (Origin(known).rank, name):
        connection.execute("UPDATE instances SET origin = ?, source = ? WHERE digest = ?", (origin, source, digest))


def add_lineage(connection: sqlite3.Connection, address: str, lineage: Lineage) -> int:
    """The number of this lineage of the instance, stored if it is new; its parents have to be there."""
    missing = {link.partner for link in lineage.chain if link.partner is not None} - set(lineage.parents)
    if missing:
        raise ValueError(f"the chain has partners that are not among the parents: {', '.join(sorted(missing))}")
    chain = to_json(lineage.chain)
    key = key_of(address, lineage.parents, chain)
    found = connection.execute("SELECT id FROM lineages WHERE key = ?", (key,)).fetchone()
    if found is not None:
        return int(found[0])
    number = connection.execute(
        "INSERT INTO lineages (instance, key, chain) VALUES (?, ?, ?) RETURNING id",
        (id_of(connection, address), key, chain),
    ).fetchone()[0]
    rows = [(number, place, id_of(connection, parent)) for place, parent in enumerate(lineage.parents)]
    connection.executemany("INSERT INTO parents (lineage, position, parent) VALUES (?, ?, ?)", rows)
    return int(number)


def id_of(connection: sqlite3.Connection, address: str) -> int:
    found = connection.execute("SELECT id FROM instances WHERE digest = ?", (bytes.fromhex(address),)).fetchone()
    if found is None:
        raise UnknownInstance(f"there is no instance {address} in the knowledge base")
    return int(found[0])


def is_known(connection: sqlite3.Connection, address: str) -> bool:
    row = connection.execute("SELECT 1 FROM instances WHERE digest = ?", (bytes.fromhex(address),)).fetchone()
    return row is not None


def starting_with(connection: sqlite3.Connection, prefix: str, most: int = 10) -> list[str]:
    """The addresses that begin like this, as far as there are not too many."""
    low, high = (bytes.fromhex(prefix.ljust(64, digit)) for digit in "0f")
    rows = connection.execute("SELECT digest FROM instances WHERE digest BETWEEN ? AND ? LIMIT ?", (low, high, most))
    return list(_addresses(rows))


def get(connection: sqlite3.Connection, address: str) -> InstanceRecord | None:
    """The instance with its first lineage."""
    row = connection.execute(
        "SELECT text, origin, source, features, added, (SELECT min(id) FROM lineages WHERE instance = instances.id)"
        " FROM instances WHERE digest = ?",
        (bytes.fromhex(address),),
    ).fetchone()
    if row is None:
        return None
    text, origin, source, features, added, lineage = row
    return InstanceRecord(
        text=unpack(text),
        origin=Origin(origin),
        source=source,
        features=_FEATURES.decode(features),
        lineage=None if lineage is None else get_lineage(connection, lineage),
        added=added,
    )


def get_lineage(connection: sqlite3.Connection, number: int) -> Lineage:
    (chain,) = connection.execute("SELECT chain FROM lineages WHERE id = ?", (number,)).fetchone()
    parents = connection.execute(
        "SELECT digest FROM parents JOIN instances ON instances.id = parent WHERE lineage = ? ORDER BY position",
        (number,),
    )
    return Lineage(_addresses(parents), _CHAIN.decode(chain))


def lineages(connection: sqlite3.Connection, address: str) -> list[Lineage]:
    """Every way on which the instance was reached that was recorded, the first one first."""
    rows = connection.execute(
        "SELECT id FROM lineages WHERE instance = ? ORDER BY id", (id_of(connection, address),)
    ).fetchall()
    return [get_lineage(connection, number) for (number,) in rows]


def by_origin(connection: sqlite3.Connection, origin: Origin) -> list[str]:
    rows = connection.execute("SELECT digest FROM instances WHERE origin = ? ORDER BY id", (origin,))
    return list(_addresses(rows))


def ancestors(connection: sqlite3.Connection, address: str) -> list[str]:
    """Everything that the instance was made from, at any distance; what a replay of its chain needs."""
    rows = connection.execute(
        "WITH RECURSIVE above (id) AS ("
        " SELECT parent FROM lineages JOIN parents ON lineage = lineages.id WHERE instance = ?"
        " UNION SELECT parent FROM above JOIN lineages ON instance = above.id JOIN parents ON lineage = lineages.id)"
        " SELECT digest FROM instances JOIN above USING (id) ORDER BY instances.id",
        (id_of(connection, address),),
    )
    return list(_addresses(rows))


def _addresses(rows: Iterable[tuple[bytes]]) -> tuple[str, ...]:
    return tuple(digest.hex() for (digest,) in rows)
