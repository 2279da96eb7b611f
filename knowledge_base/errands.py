"""Errands: what users have asked the daemon to do with an instance of theirs, how far that has come, and what happened.

An errand is stored before its user hears that it was taken, and each change together with what brought it about. So a
kill at any moment loses no errand, and at most the queries under way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Final

import msgspec

from backends.answer import Configuration
from knowledge_base.codec import pack, to_json, unpack
from knowledge_base.instances import id_of

MOST_REMEMBERED: Final = 1000
"""So many errands that are over are kept with their events; older ones go."""


class Priority(StrEnum):
    """How much of the solvers' time the neighbourhood of an instance gets, as long as the hunt wants it too."""

    low = "low"
    """One query in eight."""
    normal = "normal"
    """Every second one."""
    high = "high"
    """All of them."""


class State(StrEnum):
    """How far an errand has come."""

    reading = "reading"
    """Its text waits to be read."""
    certifying = "certifying"
    """The solvers are asked, and their answers certified."""
    interrogating = "interrogating"
    """The neighbourhood of the instance is hunted."""
    done = "done"
    refused = "refused"
    """The text is no instance."""
    cancelled = "cancelled"
    failed = "failed"
    """Something of ours went wrong."""

    @property
    def is_final(self) -> bool:
        return self in _FINAL


_FINAL: Final = (State.done, State.refused, State.cancelled, State.failed)


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long to interrogate the neighbourhood: whichever is used up first."""

    seconds: Annotated[float, msgspec.Meta(gt=0, le=7 * 86400)] | None = None
    queries: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is to be done: ask these, so many seconds each; then interrogate, where there is a budget for it."""

    configurations: tuple[Configuration, ...]
    seconds: float
    budget: Budget | None = None
    priority: Priority = Priority.normal


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """What has been done: who has been judged (places in the plan), and what the interrogation came to."""

    judged: tuple[int, ...] = ()
    queries: int = 0
    seconds: float = 0.0
    findings: int = 0
    events: int = 0
    """The number of the last event."""


class Errand(msgspec.Struct, frozen=True):
    """One errand, without its text."""

    id: str
    uid: int
    """Whose it is."""
    name: str
    plan: Plan
    submitted: float
    state: State = State.reading
    progress: Progress = Progress()
    instance: str | None = None


class Happening(msgspec.Struct, frozen=True):
    """An event of an errand. `data` is JSON; what it means is the business of whoever wrote it."""

    number: int
    at: float
    data: str
    findings: tuple[str, ...] = ()
    """The keys of the findings that were stored with it."""


class Note(msgspec.Struct, frozen=True):
    """A change of an errand, with what happened."""

    errand: Errand
    happenings: tuple[Happening, ...]


class TooManyErrands(Exception):
    """More is waiting than is sensible; the message says how much."""


class UnknownErrand(Exception):
    """An id, or the beginning of one, that does not mean exactly one errand."""


_PLAN: Final = msgspec.json.Decoder(Plan)
_PROGRESS: Final = msgspec.json.Decoder(Progress)
_KEYS: Final = msgspec.json.Decoder(tuple[str, ...])
_SELECT: Final = (
    "SELECT errands.id, uid, name, plan, submitted, state, progress, digest FROM errands"
    " LEFT JOIN instances ON instances.id = errands.instance"
)
_OPEN: Final = f"state NOT IN ({', '.join(repr(state.value) for state in _FINAL)})"


def take(connection: sqlite3.Connection, note: Note, text: str, most_open: int, most_own: int) -> None:
    """Store a new errand, unless too many are open already: of all users, or of this one."""
    errand = note.errand
    open_, own = connection.execute(
        f"SELECT count(*), coalesce(sum(uid = ?), 0) FROM errands WHERE {_OPEN}", (errand.uid,)
    ).fetchone()
    if own >= most_own:
        raise TooManyErrands(f"{own} jobs of yours are open, which is as many as one user may have")
    if open_ >= most_open:
        raise TooManyErrands(f"{open_} jobs are open, which is as many as are taken")
    connection.execute(
        "INSERT INTO errands (id, uid, name, plan, submitted, state, progress, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            errand.id,
            errand.uid,
            errand.name,
            to_json(errand.plan),
            errand.submitted,
            errand.state,
            to_json(errand.progress),
            pack(text),
        ),
    )
    _add_happenings(connection, note, ())
    _forget_oldest(connection)


def record(connection: sqlite3.Connection, note: Note, findings: Sequence[str] = ()) -> None:
    """Store a change; `findings` are the keys of what was found on the way. A text that was read is not kept."""
    errand = note.errand
    instance = None if errand.instance is None else id_of(connection, errand.instance)
    connection.execute(
        "UPDATE errands SET state = ?, progress = ?, instance = ?, text = CASE ? WHEN 'reading' THEN text END"
        " WHERE id = ?",
        (errand.state, to_json(errand.progress), instance, errand.state, errand.id),
    )
    _add_happenings(connection, note, findings)


def text_of(connection: sqlite3.Connection, errand: str) -> str:
    """The text as it was submitted, of an errand that waits to be read."""
    (text,) = connection.execute("SELECT text FROM errands WHERE id = ?", (errand,)).fetchone()
    return unpack(text)


def still_open(connection: sqlite3.Connection) -> list[Errand]:
    """Those that are not over yet, the oldest first."""
    return _read(connection.execute(f"{_SELECT} WHERE {_OPEN} ORDER BY submitted, errands.id"))


def remembered(connection: sqlite3.Connection) -> list[Errand]:
    """All, the latest first."""
    return _read(connection.execute(f"{_SELECT} ORDER BY submitted DESC, errands.id"))


def find(connection: sqlite3.Connection, prefix: str) -> Errand:
    """The errand whose id starts like this."""
    # Only digits and small letters up to f can be in an id, and none of them means anything to GLOB.
    is_id = prefix != "" and not set(prefix) - set("0123456789abcdef")
    found = _read(connection.execute(f"{_SELECT} WHERE errands.id GLOB ?", (f"{prefix}*",))) if is_id else []
    if len(found) != 1:
        reason = f"{len(found)} jobs start with it, give more of the id" if found else "there is no such job"
        raise UnknownErrand(f"{prefix or 'an empty id'}: {reason}")
    return found[0]


def happenings(connection: sqlite3.Connection, errand: str, after: int = 0, most: int = 100) -> list[Happening]:
    """The next events of an errand after the one of this number."""
    rows = connection.execute(
        "SELECT number, at, data, findings FROM errand_events WHERE errand = ? AND number > ? ORDER BY number LIMIT ?",
        (errand, after, most),
    )
    return [Happening(number, at, data, _KEYS.decode(keys)) for number, at, data, keys in rows]


def descendants(connection: sqlite3.Connection, address: str, most: int) -> list[str]:
    """Instances that were made from this one, at any distance; the latest first."""
    rows = connection.execute(
        "WITH RECURSIVE below (id) AS (SELECT ?"
        " UNION SELECT lineages.instance FROM below JOIN parents ON parent = below.id"
        " JOIN lineages ON lineages.id = parents.lineage)"
        " SELECT digest FROM instances JOIN below USING (id) WHERE digest != ? ORDER BY instances.id DESC LIMIT ?",
        (id_of(connection, address), bytes.fromhex(address), most),
    )
    return [digest.hex() for (digest,) in rows]


def _add_happenings(connection: sqlite3.Connection, note: Note, findings: Sequence[str]) -> None:
    rows = [(note.errand.id, each.number, each.at, each.data, to_json(findings)) for each in note.happenings]
    connection.executemany(
        "INSERT INTO errand_events (errand, number, at, data, findings) VALUES (?, ?, ?, ?, ?)", rows
    )


def _forget_oldest(connection: sqlite3.Connection) -> None:
    connection.execute(
        f"DELETE FROM errands WHERE NOT {_OPEN} AND id NOT IN"
        f" (SELECT id FROM errands WHERE NOT {_OPEN} ORDER BY submitted DESC LIMIT ?)",
        (MOST_REMEMBERED,),
    )


def _read(rows: sqlite3.Cursor) -> list[Errand]:
    return [
        Errand(
            id=id_,
            uid=uid,
            name=name,
            plan=_PLAN.decode(plan),
            submitted=submitted,
            state=State(state),
            progress=_PROGRESS.decode(progress),
            instance=None if digest is None else digest.hex(),
        )
        for id_, uid, name, plan, submitted, state, progress, digest in rows.fetchall()
    ]
