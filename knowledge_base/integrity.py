"""Is everything as it should be? Problems are told in words; an empty list is a clean bill of health."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterator

import msgspec

from backends.answer import Configuration
from knowledge_base.codec import digest_of, unpack
from knowledge_base.energy import Arm, Standing
from knowledge_base.errands import Plan, Progress
from knowledge_base.records import Choice, Features, Link

_JSON_COLUMNS: tuple[tuple[str, str, object], ...] = (
    ("instances", "features", Features),
    ("lineages", "chain", tuple[Link, ...]),
    ("configurations", "data", Configuration),
    ("certificates", "checkers", tuple[str, ...]),
    ("answers", "command", tuple[str, ...]),
    ("answers", "choice", Choice | None),
    ("findings", "command", tuple[str, ...]),
    ("standings", "data", Standing),
    ("arms", "data", Arm),
    ("errands", "plan", Plan),
    ("errands", "progress", Progress),
    ("errand_events", "findings", tuple[str, ...]),
    ("runs", "switches", dict[str, str]),
    ("runs", "versions", dict[str, str]),
)
_PACKED_COLUMNS = (
    ("witnesses", "data"),
    ("answers", "model_text"),
    ("answers", "proof_text"),
    ("traces", "data"),
    ("own_faults", "witness"),
    ("contradictions", "data"),
    ("errands", "text"),
)


def problems(connection: sqlite3.Connection) -> list[str]:
    """Everything that is wrong, in words. A damaged file is not looked at further than its pages."""
    damaged = list(_damaged_pages(connection))
    if damaged:
        return damaged
    checks: tuple[Callable[[sqlite3.Connection], Iterator[str]], ...] = (
        _dangling_references,
        _wrong_addresses,
        _wrong_truths,
        _foreign_partners,
        _foreign_evidence,
        _unreadable_records,
        _unreadable_texts,
    )
    return [problem for check in checks for problem in check(connection)]


def _damaged_pages(connection: sqlite3.Connection) -> Iterator[str]:
    try:
        lines = [line for (line,) in connection.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        # Some damage keeps even the check from coming to an end.
        lines = [str(error)]
    for line in lines:
        if line != "ok":
            yield f"the database file is damaged: {line}"


def _dangling_references(connection: sqlite3.Connection) -> Iterator[str]:
    for table, row, target, _ in connection.execute("PRAGMA foreign_key_check").fetchall():
        yield f"a row of {table} (number {row}) refers to a row of {target} that does not exist"


def _wrong_addresses(connection: sqlite3.Connection) -> Iterator[str]:
    for digest, data in connection.execute("SELECT digest, text FROM instances"):
        text = _readable(data)
        if text is None:
            yield f"the text of instance {digest.hex()} cannot be decompressed"
        elif digest_of(text) != digest:
            yield f"instance {digest.hex()} holds a text whose address is {digest_of(text).hex()}"


def _wrong_truths(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT digest, truths.truth, witnesses.truth, truths.instance = witnesses.instance FROM truths"
        " JOIN instances ON instances.id = truths.instance JOIN witnesses ON witnesses.id = truths.certificate"
    )
    for digest, truth, proved, is_own in rows:
        if truth != proved:
            yield f"instance {digest.hex()} is said to be {truth} by a certificate of {proved}"
        if not is_own:
            yield f"the truth of instance {digest.hex()} rests on the certificate of another instance"


def _foreign_partners(connection: sqlite3.Connection) -> Iterator[str]:
    """Partners stand in JSON, where no foreign key guards them: each has to be a parent too."""
    chains = msgspec.json.Decoder(tuple[Link, ...])
    for number, chain in connection.execute('SELECT id, chain FROM lineages WHERE chain LIKE \'%"partner":"%\''):
        rows = connection.execute(
            "SELECT digest FROM parents JOIN instances ON instances.id = parent WHERE lineage = ?", (number,)
        )
        parents = {digest.hex() for (digest,) in rows}
        try:
            links = chains.decode(chain)
        except msgspec.DecodeError:
            continue  # `_unreadable_records` tells.
        for link in links:
            if link.partner is not None and link.partner not in parents:
                yield f"lineage {number} has the partner {link.partner}, which is not among its parents"


def _foreign_evidence(connection: sqlite3.Connection) -> Iterator[str]:
    """The answer, certificate and lineage of a finding have to be those of its instance."""
    for table, column in (("answers", "answer"), ("witnesses", "certificate"), ("lineages", "lineage")):
        rows = connection.execute(
            f"SELECT findings.key FROM findings JOIN {table} ON {table}.id = findings.{column}"
            f" WHERE {table}.instance != findings.instance"
        )
        for (key,) in rows:
            yield f"the {column} of finding {key.hex()} belongs to another instance"


def _unreadable_records(connection: sqlite3.Connection) -> Iterator[str]:
    for table, column, kind in _JSON_COLUMNS:
        decoder = msgspec.json.Decoder(kind)
        for (data,) in connection.execute(f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL"):
            try:
                decoder.decode(data)
            except msgspec.DecodeError as error:
                yield f"{column} of a row of {table} cannot be read: {error}"


def _unreadable_texts(connection: sqlite3.Connection) -> Iterator[str]:
    for table, column in _PACKED_COLUMNS:
        for (data,) in connection.execute(f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL"):
            if _readable(data) is None:
                yield f"{column} of a row of {table} cannot be decompressed"


def _readable(data: bytes) -> str | None:
    try:
        return unpack(data)
    except (zlib.error, UnicodeDecodeError):
        return None
