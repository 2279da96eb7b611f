"""The writing thread: acknowledgement after the commit, savepoints, errors that cost everything."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from knowledge_base.writer import Closed, RecordedError, Writer


class Remembered(RecordedError):
    """An error that leaves a row."""

    def record(self, connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO things VALUES (?)", (str(self),))


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE IF NOT EXISTS things (name TEXT NOT NULL) STRICT")
    return connection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "it.sqlite"


@pytest.fixture
def writer(path: Path) -> Iterator[Writer]:
    opened = Writer(lambda: connect(path))
    yield opened
    opened.close()


def put(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("INSERT INTO things VALUES (?)", (name,))


def put_and_raise(connection: sqlite3.Connection, name: str, error: Exception) -> None:
    put(connection, name)
    raise error


def put_and_lose_everything(connection: sqlite3.Connection, name: str) -> None:
    """As a full disk does: SQLite rolls back the whole transaction before it tells."""
    put(connection, name)
    connection.execute("ROLLBACK")
    raise sqlite3.OperationalError("database or disk is full")


def things(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as reading:
        return [name for (name,) in reading.execute("SELECT name FROM things ORDER BY name")]


def hold(writer: Writer) -> threading.Event:
    """Keep the thread busy, so that the jobs that follow share one transaction; set the event to let it go."""
    gate = threading.Event()
    started = threading.Event()

    def wait(connection: sqlite3.Connection) -> None:
        started.set()
        gate.wait()

    writer.submit(wait)
    started.wait()
    return gate


def test_what_is_acknowledged_is_committed(writer: Writer, path: Path) -> None:
    """Another connection sees it at once."""
    writer.submit(put, "a").result()
    assert ["a"] == things(path)


def test_nothing_is_acknowledged_before_the_commit(writer: Writer, path: Path) -> None:
    """At the very moment in which a job is acknowledged, another connection sees all of its batch."""
    gate = hold(writer)
    jobs = [writer.submit(put, name) for name in ("a", "b")]
    seen: list[list[str]] = []
    for job in jobs:
        job.add_done_callback(lambda _: seen.append(things(path)))
    gate.set()
    writer.close()
    assert [["a", "b"], ["a", "b"]] == seen


def test_a_failing_job_leaves_no_trace_and_spares_its_neighbours(writer: Writer, path: Path) -> None:
    """Each job of a batch has its own savepoint."""
    gate = hold(writer)
    jobs = [
        writer.submit(put, "a"),
        writer.submit(put_and_raise, "b", ValueError("no")),
        writer.submit(put, "c"),
    ]
    gate.set()
    assert [None, "no", None] == [error and str(error) for error in (job.exception() for job in jobs)]
    assert ["a", "c"] == things(path)


def test_a_recorded_error_undoes_the_write_and_leaves_its_record(writer: Writer, path: Path) -> None:
    """The caller gets the error, the database what the error has to say."""
    with pytest.raises(Remembered):
        writer.submit(put_and_raise, "a", Remembered("alarm")).result()
    assert ["alarm"] == things(path)


def test_a_lost_transaction_is_told_to_everyone_in_it(writer: Writer, path: Path) -> None:
    """No job is acknowledged whose row is gone; later jobs are served again."""
    gate = hold(writer)
    jobs = [writer.submit(put, "a"), writer.submit(put_and_lose_everything, "b"), writer.submit(put, "c")]
    gate.set()
    assert ["database or disk is full"] * 3 == [str(job.exception()) for job in jobs]
    writer.submit(put, "d").result()
    assert ["d"] == things(path)


def test_closing_writes_what_was_submitted_and_refuses_the_rest(writer: Writer, path: Path) -> None:
    """Nothing that was accepted is lost by an orderly end; closing twice is harmless."""
    gate = hold(writer)
    jobs = [writer.submit(put, str(number)) for number in range(5)]
    gate.set()
    writer.close()
    writer.close()
    assert [True] * 5 == [job.done() for job in jobs]
    assert ["0", "1", "2", "3", "4"] == things(path)
    with pytest.raises(Closed):
        writer.submit(put, "late")


def test_a_submitted_job_cannot_be_called_back(writer: Writer, path: Path) -> None:
    """Whether something was written must not depend on who still waits for it."""
    gate = hold(writer)
    job = writer.submit(put, "a")
    assert not job.cancel()
    gate.set()
    job.result()
    assert ["a"] == things(path)
