"""The door to the knowledge base: opens a state directory, writes on one thread, reads beside it.

What can be written and read are the functions of `instances`, `answers`, `truths`, `findings`, `faults`, `counters`,
`standings` and `errands`; they take a connection first, which this door provides:

    await knowledge.write(instances.add, record)
    knowledge.read(findings.select, status=Status.open)

A write is all or nothing. Several that belong together go through `in_one`.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar
from urllib.parse import quote

from knowledge_base.lock import StateLock
from knowledge_base.schema import MIGRATIONS, Migration, migrate, require_ours
from knowledge_base.writer import Writer

P = ParamSpec("P")
T = TypeVar("T")

FILE_NAME = "knowledge.sqlite"
_BUSY_SECONDS = 10.0


def in_one(connection: sqlite3.Connection, steps: Sequence[Callable[[sqlite3.Connection], object]]) -> None:
    """Several writes as one: all of them or none."""
    for step in steps:
        step(connection)


def connect_to_write(path: Path, name: str, migrations: Sequence[Migration] = MIGRATIONS) -> sqlite3.Connection:
    """A connection whose commits are on the disk when they return, with the newest schema."""
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        # Before anything is changed: the file may be somebody else's.
        require_ours(connection, name, len(migrations))
        # Has to come before the first table; lets eviction give pages back to the file system.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA trusted_schema = OFF")
        migrate(connection, name, migrations)
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)


class KnowledgeBase:
    """An open knowledge base. Close it, or use it as a context manager; a kill does no harm either."""

    def __init__(self, directory: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.directory = directory
        self.path = directory / FILE_NAME
        self._lock = StateLock(directory)
        try:
            self._writer = Writer(lambda: connect_to_write(self.path, str(self.path), migrations))
        except BaseException:
            self._lock.release()
            raise
        os.chmod(self.path, 0o600)
        self._reader = connect_to_read(self.path)
        self._reading = threading.Lock()
        self._is_open = True

    async def write(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Write and wait for the commit. Who is cancelled meanwhile stops waiting; the write goes on."""
        return await asyncio.shield(asyncio.wrap_future(self._writer.submit(work, *args, **kwargs)))

    def write_now(self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for callers without an event loop: blocks until the commit."""
        return self._writer.submit(work, *args, **kwargs).result()

    def read(self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read one consistent state: all that was acknowledged, and nothing that is half done."""
        with self._reading:
            self._reader.execute("BEGIN")
            try:
                return work(self._reader, *args, **kwargs)
            finally:
                self._reader.rollback()

    def close(self) -> None:
        """Write what was submitted, then leave the directory to others; calling it again does nothing."""
        if self._is_open:
            self._is_open = False
            self._reader.close()
            self._writer.close()
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_knowledge_base(directory: str | Path) -> KnowledgeBase:
    """The knowledge base of a state directory, made if there is none and migrated if it is of an older version."""
    return KnowledgeBase(Path(directory))
