"""Errands are stored before anybody hears of them, and never lost; what is over is forgotten in the end."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from backends.answer import Configuration
from knowledge_base import errands, eviction, instances
from knowledge_base.entries import Entry, store
from knowledge_base.errands import Budget, Errand, Happening, Note, Plan, Priority, Progress, State
from knowledge_base.integrity import problems
from knowledge_base.records import Origin
from knowledge_base.schema import MIGRATIONS, migrate
from knowledge_base.store import FILE_NAME, open_knowledge_base
from tests.knowledge_base.builders import finding, instance, trick

PLAN = Plan((Configuration("spacer", "4.13.4", "/opt/z3"),), 10.0, Budget(seconds=5.0), Priority.high)
TEXT = "(set-logic HORN) ; as somebody has written it"


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        migrate(memory, "it")
        memory.execute("PRAGMA foreign_keys = ON")
        yield memory


def errand(number: int = 1, **changes: object) -> Errand:
    plain = Errand(f"{number:012x}", 1000, f"{number}.smt2", PLAN, float(number))
    return msgspec.structs.replace(plain, **changes)


def note(given: Errand, *happenings: Happening) -> Note:
    return Note(given, happenings)


def take(connection: sqlite3.Connection, given: Errand, most_open: int = 100, most_own: int = 100) -> None:
    errands.take(connection, note(given, Happening(1, 1.0, "{}")), TEXT, most_open, most_own)


def test_what_was_taken_is_found_again(connection: sqlite3.Connection) -> None:
    """With its plan, its text and its first event; the beginning of its id is enough."""
    take(connection, errand())
    take(connection, errand(0xABC000000000))
    assert errand() == errands.find(connection, "0000")
    assert [errand(), errand(0xABC000000000)] == errands.still_open(connection)
    assert TEXT == errands.text_of(connection, errand().id)
    assert [Happening(1, 1.0, "{}")] == errands.happenings(connection, errand().id)
    with pytest.raises(errands.UnknownErrand, match="no such job"):
        errands.find(connection, "ff")


def test_an_ambiguous_beginning_is_refused(connection: sqlite3.Connection) -> None:
    """And so is one that is a pattern."""
    for number in (1, 2):
        take(connection, errand(number))
    with pytest.raises(errands.UnknownErrand, match="2 jobs start with it"):
        errands.find(connection, "00")
    with pytest.raises(errands.UnknownErrand):
        errands.find(connection, "*1")


def test_a_change_is_stored_with_what_brought_it_about(connection: sqlite3.Connection) -> None:
    """The instance, and the keys of the findings that came with it; the text goes once it was read."""
    take(connection, errand())
    record = instance("(text)", Origin.user)
    changed = errand(state=State.certifying, instance=record.address, progress=Progress(events=2))
    keys = store(
        connection,
        Entry(instance=record, findings=(finding(record),), notes=(note(changed, Happening(2, 2.0, '{"a":1}')),)),
    )
    assert changed == errands.find(connection, errand().id)
    assert [Happening(2, 2.0, '{"a":1}', tuple(keys))] == errands.happenings(connection, errand().id, after=1)
    (text,) = connection.execute("SELECT text FROM errands").fetchone()
    assert text is None
    assert [] == problems(connection)


def test_no_more_are_taken_than_is_sensible(connection: sqlite3.Connection) -> None:
    """Of one user, and of all together; those that are over do not count."""
    take(connection, errand(1))
    with pytest.raises(errands.TooManyErrands, match="1 jobs of yours are open"):
        take(connection, errand(2), most_own=1)
    take(connection, errand(2, uid=7), most_own=1, most_open=2)
    with pytest.raises(errands.TooManyErrands, match="2 jobs are open"):
        take(connection, errand(3, uid=8), most_open=2)
    errands.record(connection, note(errand(1, state=State.done)))
    take(connection, errand(3), most_own=1, most_open=2)


def test_the_oldest_that_are_over_are_forgotten(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With their events; what is open stays, however old it is."""
    monkeypatch.setattr(errands, "MOST_REMEMBERED", 2)
    for number in range(1, 6):
        take(connection, errand(number))
        if number > 1:
            errands.record(connection, note(errand(number, state=State.done)))
    take(connection, errand(6))
    assert [6, 5, 4, 1] == [int(each.id, 16) for each in errands.remembered(connection)]
    (events,) = connection.execute("SELECT count(*) FROM errand_events").fetchone()
    assert 4 == events


def test_descendants_are_found_at_any_distance(connection: sqlite3.Connection) -> None:
    """The latest first, and not the instance itself."""
    root = instance("root", Origin.user)
    child, other = trick("child", root), instance("other")
    grandchild = trick("grandchild", child)
    for record in (root, child, grandchild, other):
        instances.add(connection, record)
    assert [grandchild.address, child.address] == errands.descendants(connection, root.address, 10)
    assert [grandchild.address] == errands.descendants(connection, root.address, 1)


def test_the_instance_of_an_errand_is_not_evicted(connection: sqlite3.Connection) -> None:
    """Somebody may still ask for it."""
    record = instance("(text)", Origin.user)
    instances.add(connection, record)
    assert record.address not in eviction.pinned(connection)
    take(connection, errand())
    errands.record(connection, note(errand(state=State.done, instance=record.address)))
    assert record.address in eviction.pinned(connection)


def test_a_knowledge_base_from_before_gets_the_tables(tmp_path: Path) -> None:
    """And keeps what it has."""
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as old:
        migrate(old, "it", MIGRATIONS[:1])
        instances.add(old, instance())
    with open_knowledge_base(tmp_path) as knowledge:
        knowledge.write_now(take, errand())
        assert [errand()] == knowledge.read(errands.still_open)
        assert instance() == knowledge.read(instances.get, instance().address)
        assert [] == knowledge.read(problems)


def test_a_damaged_plan_is_seen(connection: sqlite3.Connection) -> None:
    """By the check of the whole knowledge base."""
    take(connection, errand())
    connection.execute("UPDATE errands SET plan = '{}'")
    assert 1 == len(problems(connection))
