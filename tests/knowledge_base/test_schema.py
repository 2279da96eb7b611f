"""The chain of migrations, and the refusal of what cannot be migrated."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from knowledge_base import instances
from knowledge_base.integrity import problems
from knowledge_base.schema import MIGRATIONS, Migration, UnusableDatabase, migrate, version_of
from knowledge_base.store import FILE_NAME, KnowledgeBase, open_knowledge_base
from tests.knowledge_base.builders import instance

STEPS: list[Migration] = [
    ("CREATE TABLE things (name TEXT) STRICT",),
    ("ALTER TABLE things ADD COLUMN size INTEGER", "UPDATE things SET size = length(name)"),
]


@pytest.fixture
def memory() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection


def test_an_older_database_is_carried_forward_with_its_content(memory: sqlite3.Connection) -> None:
    """Only the steps that are missing are taken, and they see the data."""
    assert 1 == migrate(memory, "it", STEPS[:1])
    memory.execute("INSERT INTO things VALUES ('four')")
    assert 1 == migrate(memory, "it", STEPS)
    assert [("four", 4)] == memory.execute("SELECT name, size FROM things").fetchall()
    assert 0 == migrate(memory, "it", STEPS)


def test_a_step_that_fails_leaves_the_older_schema(memory: sqlite3.Connection) -> None:
    """A step is one transaction, its first statements included."""
    migrate(memory, "it", STEPS[:1])
    with pytest.raises(sqlite3.OperationalError):
        migrate(memory, "it", [STEPS[0], ("ALTER TABLE things ADD COLUMN size INTEGER", "SELECT nothing")])
    assert 1 == version_of(memory)
    assert ["name"] == [column[1] for column in memory.execute("PRAGMA table_info (things)")]


def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    """The message says which schemas are meant and what to do."""
    with KnowledgeBase(tmp_path, [*MIGRATIONS, ("CREATE TABLE future (x INTEGER) STRICT",)]):
        pass
    before = (tmp_path / FILE_NAME).read_bytes()
    expected = f"has schema {len(MIGRATIONS) + 1}, but this version of hornblower knows schemas up to {len(MIGRATIONS)}"
    with pytest.raises(UnusableDatabase, match=expected):
        open_knowledge_base(tmp_path)
    assert before == (tmp_path / FILE_NAME).read_bytes()


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Nothing is created in it, and its journal mode stays as it is."""
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as foreign:
        foreign.execute("CREATE TABLE bookmarks (url TEXT)")
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(UnusableDatabase, match="a database of something else"):
        open_knowledge_base(tmp_path)
    assert before == (tmp_path / FILE_NAME).read_bytes()


def test_a_refused_directory_is_not_kept_locked(tmp_path: Path) -> None:
    """After a failed attempt to open, the way is free for whoever can."""
    future = [*MIGRATIONS, ("CREATE TABLE future (x INTEGER) STRICT",)]
    KnowledgeBase(tmp_path, future).close()
    with pytest.raises(UnusableDatabase):
        open_knowledge_base(tmp_path)
    KnowledgeBase(tmp_path, future).close()


def test_a_stored_instance_survives_a_later_schema(tmp_path: Path) -> None:
    """The mechanism works on the real tables too, not only on toy ones."""
    with open_knowledge_base(tmp_path) as knowledge:
        knowledge.write_now(instances.add, instance())
    later = [*MIGRATIONS, ("ALTER TABLE instances ADD COLUMN note TEXT NOT NULL DEFAULT ''",)]
    with KnowledgeBase(tmp_path, later) as knowledge:
        assert instance() == knowledge.read(instances.get, instance().address)
        assert [] == knowledge.read(problems)
