"""The door: asynchronous and blocking writes, consistent reads, compound writes."""

import functools
import sqlite3
import stat
import threading
from pathlib import Path

import anyio
import pytest

from knowledge_base import counters, instances
from knowledge_base.store import KnowledgeBase, in_one, open_knowledge_base
from knowledge_base.writer import Closed
from tests.knowledge_base.builders import instance


@pytest.mark.anyio
async def test_many_tasks_write_at_once(knowledge: KnowledgeBase) -> None:
    """Each gets the result of its own write, and can read it back at once."""
    results: dict[int, bool] = {}

    async def store(number: int) -> None:
        record = instance(f"text {number % 5}")
        results[number] = await knowledge.write(instances.add, record)
        assert record == knowledge.read(instances.get, record.address)

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(store, number)
    assert 5 == sum(results.values())


@pytest.mark.anyio
async def test_a_cancelled_task_stops_waiting_but_its_write_is_done(knowledge: KnowledgeBase) -> None:
    """Cancellation falls between two states, never inside one."""
    gate = threading.Event()

    def slow(connection: sqlite3.Connection) -> None:
        gate.wait()
        counters.count(connection, {"slow": 1})

    with anyio.move_on_after(0) as scope:
        await knowledge.write(slow)
    assert scope.cancelled_caught
    gate.set()
    await knowledge.write(counters.count, {"after": 1})
    assert {"after": 1, "slow": 1} == knowledge.read(counters.totals)


@pytest.mark.anyio
async def test_the_error_of_a_write_reaches_the_task(knowledge: KnowledgeBase) -> None:
    """As it was raised on the thread."""
    with pytest.raises(instances.UnknownInstance):
        await knowledge.write(instances.id_of, "00" * 32)


def test_a_compound_write_is_all_or_nothing(knowledge: KnowledgeBase) -> None:
    """The step that worked is undone with the one that failed."""
    steps = [
        functools.partial(counters.count, amounts={"queries": 1}),
        functools.partial(counters.end_run, run="no such run", at=1.0),
    ]
    with pytest.raises(ValueError, match="no run"):
        knowledge.write_now(in_one, steps)
    assert {} == knowledge.read(counters.totals)
    knowledge.write_now(in_one, steps[:1])
    assert {"queries": 1} == knowledge.read(counters.totals)


def test_a_read_sees_one_state_from_beginning_to_end(knowledge: KnowledgeBase) -> None:
    """A write that is committed meanwhile belongs to the next read."""

    def read_twice(connection: sqlite3.Connection) -> list[dict[str, int | float]]:
        before = counters.totals(connection)
        knowledge.write_now(counters.count, {"n": 1})
        return [before, counters.totals(connection)]

    assert [{}, {}] == knowledge.read(read_twice)
    assert {"n": 1} == knowledge.read(counters.totals)


def test_reading_cannot_write(knowledge: KnowledgeBase) -> None:
    """Whoever mistakes one for the other learns it at once."""
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        knowledge.read(counters.count, {"n": 1})


def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    """In a directory whose name needs quoting in an address."""
    directory = tmp_path / "my state?#%20"
    with open_knowledge_base(directory) as knowledge:
        knowledge.write_now(instances.add, instance())
    with open_knowledge_base(directory) as knowledge:
        assert instance() == knowledge.read(instances.get, instance().address)


def test_nobody_else_may_read_the_database(knowledge: KnowledgeBase) -> None:
    """A user's instances may be confidential."""
    assert 0o600 == stat.S_IMODE(knowledge.path.stat().st_mode)


def test_a_closed_knowledge_base_says_so(knowledge: KnowledgeBase) -> None:
    """Closing it twice is harmless."""
    knowledge.close()
    knowledge.close()
    with pytest.raises(Closed):
        knowledge.write_now(counters.count, {"n": 1})
