"""Workers: they answer, die, hang, and are replaced."""

import sys
from pathlib import Path

import anyio
import pytest

from backends.workers import Workers

pytestmark = pytest.mark.anyio

ECHO = """
import sys
def take(count):
    data = sys.stdin.buffer.read(count)
    if len(data) < count: sys.exit(0)
    return data
while True:
    message = take(int.from_bytes(take(4), "big"))
    if message == b"die": sys.exit("these are my last words")
    if message == b"hang":
        import time; time.sleep(1000)
    sys.stdout.buffer.write(len(message).to_bytes(4, "big") + message); sys.stdout.buffer.flush()
"""


class Log:
    """What the workers have said, and the first thing that happens next."""

    def __init__(self, *messages: bytes) -> None:
        self._messages = list(messages)
        self.replies: list[tuple[int, bytes]] = []
        self.lost: list[tuple[int, str]] = []
        self.started = 0
        self.enough = anyio.Event()
        self.workers = Workers(self._command, 1, self.handle, self.on_lost)
        self.program = ECHO

    def _command(self, worker: int) -> list[str]:
        return [sys.executable, "-IS", "-c", self.program]

    async def handle(self, worker: int, message: bytes) -> None:
        self.replies.append((worker, message))
        await self._send_next()

    async def on_lost(self, worker: int, words: str) -> None:
        self.lost.append((worker, words))

    async def ready(self, worker: int) -> None:
        self.started += 1
        await self._send_next()

    async def _send_next(self) -> None:
        if not self._messages or not await self.workers.send(0, self._messages.pop(0)):
            self.enough.set()

    async def run(self) -> None:
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                group.start_soon(self.workers.serve, self.ready)
                await self.enough.wait()
                group.cancel_scope.cancel()


async def test_requests_are_answered() -> None:
    """By the worker that they were sent to."""
    log = Log(b"one", b"two" * 100_000)
    await log.run()
    assert [(0, b"one"), (0, b"two" * 100_000)] == log.replies
    assert [] == log.lost


async def test_a_worker_that_dies_is_replaced() -> None:
    """Its last words are kept, and the next one serves."""
    log = Log(b"one", b"die", b"two")
    await log.run()
    assert [(0, "these are my last words")] == log.lost
    assert ([(0, b"one"), (0, b"two")], 2) == (log.replies, log.started)


async def test_a_worker_that_hangs_can_be_ended() -> None:
    """It is replaced like one that has died."""
    log = Log(b"hang", b"one")

    async def end_it() -> None:
        while not log.started:  # noqa: ASYNC110 - the start of a process is no event
            await anyio.sleep(0.01)
        log.workers.end(0)

    async with anyio.create_task_group() as group:
        group.start_soon(end_it)
        await log.run()
    assert ([(0, "")], [(0, b"one")]) == (log.lost, log.replies)


async def test_one_that_cannot_be_started_is_lost(tmp_path: Path) -> None:
    """With the reason for its last words; nothing is raised."""
    log = Log()
    missing = str(tmp_path / "missing")

    async def on_lost(worker: int, words: str) -> None:
        log.lost.append((worker, words))
        log.enough.set()

    log.workers = Workers(lambda worker: [missing], 1, log.handle, on_lost)
    await log.run()
    assert log.lost[0][1].startswith(f"cannot start {missing}")


async def test_nothing_can_be_sent_to_one_that_is_not_there() -> None:
    """The sender is told; there is nobody to end either."""
    log = Log()
    assert not await log.workers.send(0, b"hello")
    log.workers.end(0)


async def test_a_worker_that_is_dismissed_is_not_replaced() -> None:
    """Nobody is told of it as lost; it can be added again."""
    log = Log(b"first")
    async with anyio.create_task_group() as group:
        group.start_soon(log.workers.serve, log.ready)
        await log.enough.wait()
        (pid,) = log.workers.pids()
        log.workers.dismiss(0)
        with anyio.fail_after(60):
            while log.workers.pids():  # noqa: ASYNC110 - the end of a process is no event
                await anyio.sleep(0.001)
        log.enough = anyio.Event()
        log.workers.add(0)
        await log.enough.wait()
        assert [pid] != log.workers.pids()
        group.cancel_scope.cancel()
    assert [] == log.lost
    assert 2 == log.started
