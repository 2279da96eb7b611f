"""Processes that serve many queries, one after another, behind the limits and endings of a cold run."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
import msgspec

from backends.limits import Limits, impose_again
from backends.process import Child, Conversation, Ending, Exit, classify, describe, why_not_started


class Upkeep(msgspec.Struct, frozen=True):
    """How a warm process is started and brought back to its initial state, and when it is replaced."""

    reset: str = "(reset)"
    max_queries: int = 1000
    max_memory_mb: float = 1024.0
    cwd: str | Path | None = None
    env: Mapping[str, str] | None = None


class Reply(msgspec.Struct, frozen=True):
    """What a warm process said to one query. Its ending is `answered`, or says how the process ended."""

    ending: Ending
    output: str = ""
    stderr: str = ""
    seconds: float = 0.0
    cold_start: bool = False
    exit_code: int | None = None
    signal: int | None = None
    message: str = ""


class _MarkerLine:
    """Finds the line that ends an answer, reading each byte once. Some solvers echo the quotes as well."""

    def __init__(self) -> None:
        self.text = f"end-{secrets.token_hex(8)}"
        self._bytes = self.text.encode()
        self._searched = 0
        self.start: int | None = None

    def __call__(self, said: bytearray) -> bool:
        if self.start is not None:
            return True
        while (at := said.find(self._bytes, self._searched)) >= 0:
            start, stop = said.rfind(b"\n", 0, at) + 1, said.find(b"\n", at)
            if stop < 0:
                return False
            if said[start:stop].strip().strip(b'"') == self._bytes:
                self.start = start
                return True
            self._searched = stop
        self._searched = max(self._searched, len(said) - len(self._bytes))
        return False


class WarmProcess:
    """One process, started on the first query and again after each that it did not survive.

    `ask` serves one query at a time; others wait for their turn. CPU time is bounded by polling.
    """

    def __init__(self, argv: Sequence[str], upkeep: Upkeep | None = None) -> None:
        self._argv, self._upkeep = tuple(argv), upkeep or Upkeep()
        self._lock = anyio.Lock(fast_acquire=True)
        self._child: Child | None = None
        self._served = 0
        self._closed = False

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.pid

    async def ask(self, text: str, limits: Limits) -> Reply:
        async with self._lock:
            if self._closed:
                raise RuntimeError("this warm process has been closed; ask another one")
            if self._child is not None and self._child.has_exited():
                await self._discard(self._child)
            started = anyio.current_time()
            try:
                child = self._child or self._start()
            except (OSError, ValueError) as error:
                return Reply(Ending.could_not_start, message=why_not_started(self._argv, error))
            return await self._query(child, text, limits, started)

    def _start(self) -> Child:
        self._child = Child.start(self._argv, has_stdin=True, cwd=self._upkeep.cwd, env=self._upkeep.env)
        self._served = 0
        return self._child

    async def _query(self, child: Child, text: str, limits: Limits, started: float) -> Reply:
        marker = _MarkerLine()
        talk, end = Conversation(child, limits, marker), None
        question = self._question(text, marker.text)
        try:
            await self._exchange(child, talk, question, limits)
            seconds = anyio.current_time() - started
            marker(talk.stdout)  # it may have arrived together with the news of an exit
        finally:
            if marker.start is None or talk.broken or self._is_worn(child):
                end = await self._discard(child, talk)
        return _reply(talk, marker.start, end, limits, seconds, cold_start=self._served == 1)

    def _question(self, text: str, marker: str) -> bytes:
        reset = [self._upkeep.reset] if self._served and self._upkeep.reset else []
        self._served += 1
        return "\n".join([*reset, text, f'(echo "{marker}")\n']).encode("utf-8", "surrogateescape")

    async def _exchange(self, child: Child, talk: Conversation, question: bytes, limits: Limits) -> None:
        Conversation(child, limits).drain()  # what came too late belongs to no query
        impose_again(child.pid, limits)
        spent = child.usage().cpu_seconds if limits.cpu_seconds is not None else 0.0
        await talk.hold(question, spent_cpu=spent, hang_up=False)
        talk.drain()

    def _is_worn(self, child: Child) -> bool:
        too_old = self._served >= self._upkeep.max_queries
        return too_old or child.usage().memory_mb > self._upkeep.max_memory_mb

    async def _discard(self, child: Child, talk: Conversation | None = None) -> Exit:
        try:
            end = await child.end()
            if talk is not None:
                talk.drain()
        finally:
            self._child = None
            child.close()
        return end

    async def aclose(self) -> None:
        """End the process; a query in progress ends with it."""
        self._closed = True
        if self._child is not None:
            self._child.kill()
        with anyio.CancelScope(shield=True):
            async with self._lock:
                if self._child is not None:
                    await self._discard(self._child)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _reply(
    talk: Conversation,
    marker: int | None,
    end: Exit | None,
    limits: Limits,
    seconds: float,
    *,
    cold_start: bool,
) -> Reply:
    answered = marker is not None and talk.broken is None
    if answered or end is None:
        ending, end, message = Ending.answered, None, ""
    else:
        ending = classify(talk, end, limits)
        message = describe(ending, end, limits)
    return Reply(
        ending,
        output=talk.stdout[:marker].decode("utf-8", "replace"),
        stderr=talk.stderr.decode("utf-8", "replace"),
        seconds=seconds,
        cold_start=cold_start,
        exit_code=None if end is None else end.exit_code,
        signal=None if end is None else end.signal,
        message=message,
    )


class WarmPool:
    """At most `size` warm processes, each started when first needed; the last one used is used first."""

    def __init__(self, argv_factory: Callable[[], Sequence[str]], size: int, upkeep: Upkeep | None = None) -> None:
        self._argv_factory, self._upkeep = argv_factory, upkeep or Upkeep()
        self._slots = anyio.Semaphore(size, fast_acquire=True)
        self._all: list[WarmProcess] = []
        self._idle: list[WarmProcess] = []
        self._closed = False

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[WarmProcess]:
        """A process for oneself, for as long as the context lasts."""
        async with self._slots:
            process = self._idle.pop() if self._idle else self._add()
            try:
                yield process
            finally:
                self._idle.append(process)

    async def ask(self, text: str, limits: Limits) -> Reply:
        async with self.lease() as process:
            return await process.ask(text, limits)

    def _add(self) -> WarmProcess:
        if self._closed:
            raise RuntimeError("this pool has been closed; make another one")
        process = WarmProcess(self._argv_factory(), self._upkeep)
        self._all.append(process)
        return process

    async def aclose(self) -> None:
        self._closed = True
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as group:
                for process in self._all:
                    group.start_soon(process.aclose)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
