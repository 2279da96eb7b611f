"""The one thread that writes.

Jobs that wait together share one transaction and so one flush to the disk; each has a savepoint of its own, so that
one that fails leaves no trace and does not disturb the others. A job is acknowledged after the commit, never before.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_MOST_JOBS = 256


class Closed(Exception):
    """Something was to be written after the knowledge base was closed."""


class RecordedError(Exception, ABC):
    """An error that is itself worth keeping: the write is undone, and then `record` is written in its place."""

    @abstractmethod
    def record(self, connection: sqlite3.Connection) -> None: ...


class _Waiting(Protocol):
    """A job, whatever its result."""

    def run(self, connection: sqlite3.Connection) -> None: ...

    def fail(self, error: BaseException) -> None: ...

    def acknowledge(self) -> None: ...


class _Job(Generic[T]):
    """A write on its way: what to do, and how it ended."""

    def __init__(self, work: Callable[[sqlite3.Connection], T]) -> None:
        self._work = work
        self.future: Future[T] = Future()
        # From here on nobody can cancel it: what was submitted is written, whoever still waits for it.
        self.future.set_running_or_notify_cancel()
        self._settle: Callable[[], None] = lambda: None

    def run(self, connection: sqlite3.Connection) -> None:
        try:
            result = self._work(connection)
        except BaseException as error:
            self.fail(error)
            raise
        self._settle = lambda: self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        self._settle = lambda: self.future.set_exception(error)

    def acknowledge(self) -> None:
        self._settle()


class Writer:
    """Takes jobs from any thread and carries them out on its own, in the order in which they came."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._jobs: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._is_closed = False
        self._connection = connect()
        self._thread = threading.Thread(target=self._serve, name="knowledge-base-writer", daemon=True)
        self._thread.start()

    def submit(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        job: _Job[T] = _Job(lambda connection: work(connection, *args, **kwargs))
        with self._gate:
            if self._is_closed:
                raise Closed("the knowledge base is closed; nothing more can be written")
            self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Write what was submitted, then close the connection; calling it again does nothing."""
        with self._gate:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        is_open = True
        while is_open:
            batch, is_open = self._next_batch()
            if batch:
                self._write(batch)
        self._connection.close()

    def _next_batch(self) -> tuple[list[_Waiting], bool]:
        """The jobs that wait, at least one, and whether more may come."""
        batch: list[_Waiting] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == _MOST_JOBS or self._jobs.empty():
                return batch, True
            job = self._jobs.get()
        return batch, False

    def _write(self, batch: list[_Waiting]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for job in batch:
                self._attempt(job)
            self._connection.execute("COMMIT")
        except BaseException as error:
            # Nothing of the batch was kept. Whoever waits has to know, and the thread has to go on.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            for job in batch:
                job.fail(error)
        for job in batch:
            job.acknowledge()

    def _attempt(self, job: _Waiting) -> None:
        """Run a job in its savepoint; an error is the job's own unless it cost the whole transaction."""
        self._connection.execute("SAVEPOINT job")
        try:
            job.run(self._connection)
        except BaseException as error:
            if not self._connection.in_transaction:
                # A full disk and the like: SQLite has rolled back the other jobs too.
                raise
            self._connection.execute("ROLLBACK TO job")
            if isinstance(error, RecordedError):
                error.record(self._connection)
        self._connection.execute("RELEASE job")
