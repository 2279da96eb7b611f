"""Processes of our own that do what would block the event loop, and what may crash on its way.

A worker serves framed requests, several at a time, and replies to them in any order. One that dies takes the
requests along that it had; they are reported as lost, and another worker takes its place.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from typing import Final

import anyio

from backends.frames import Broken, Frames
from backends.process import Child, why_not_started

Command = Callable[[int], Sequence[str]]
"""The command line of the worker of this number."""
Handle = Callable[[int, bytes], Awaitable[None]]
"""Takes the number of the worker and a reply of its."""
Lost = Callable[[int, str], Awaitable[None]]
"""Takes the number of a worker that has died, and its last words."""

_LAST_WORDS: Final = 4000
_PAUSE_SECONDS: Final = 1.0


class Workers:
    """`count` workers, started when the context of `serve` begins and ended with it."""

    def __init__(self, command: Command, count: int, handle: Handle, lost: Lost) -> None:
        self._command, self._kept = command, set(range(count))
        self._handle, self._lost = handle, lost
        self._ends: dict[int, Frames] = {}
        self._children: dict[int, Child] = {}
        self._running: set[int] = set()
        self._leaving: set[int] = set()
        self._start: Callable[[int], None] | None = None

    def end(self, worker: int) -> None:
        """Kill a worker that hangs; another one takes its place after `lost` has been called."""
        if worker in self._children:
            self._children[worker].kill()

    def add(self, worker: int) -> None:
        """One more worker, where it is not there already."""
        if worker not in self._kept:
            self._kept.add(worker)
            if self._start is not None and worker not in self._running:
                self._start(worker)

    def dismiss(self, worker: int) -> None:
        """End a worker that has nothing to do; nobody takes its place."""
        self._kept.discard(worker)
        if worker in self._children:
            self._leaving.add(worker)
            self.end(worker)

    def pids(self) -> list[int]:
        """The processes of those that run."""
        return [child.pid for child in self._children.values()]

    async def send(self, worker: int, message: bytes) -> bool:
        """Whether the worker was there to take it; if it dies with it, `lost` will be called."""
        frames = self._ends.get(worker)
        if frames is None:
            return False
        try:
            await frames.send(message)
        except Broken:
            return False
        return True

    async def serve(self, ready: Callable[[int], Awaitable[None]]) -> None:
        """Keeps the workers running until cancelled; `ready` is called whenever one has been started."""
        async with anyio.create_task_group() as group:

            def start(worker: int) -> None:
                self._running.add(worker)
                group.start_soon(self._keep, worker, ready)

            for worker in self._kept:
                start(worker)
            self._start = start
            await anyio.sleep_forever()  # also while there is nobody to be kept

    async def _keep(self, worker: int, ready: Callable[[int], Awaitable[None]]) -> None:
        while worker in self._kept:
            words = await self._run(worker, ready)
            if worker in self._leaving:
                self._leaving.discard(worker)
            else:
                await self._lost(worker, words)
                await anyio.sleep(_PAUSE_SECONDS)
        self._running.discard(worker)

    async def _run(self, worker: int, ready: Callable[[int], Awaitable[None]]) -> str:
        """One life of a worker; its last words."""
        argv = self._command(worker)
        try:
            child = Child.start(argv, has_stdin=True)
        except (OSError, ValueError) as problem:
            return why_not_started(argv, problem)
        words = bytearray()
        with closing(child):
            self._children[worker] = child
            try:
                await self._converse(worker, child, words, ready)
            finally:
                del self._children[worker]
                self._ends.pop(worker, None)
                await child.end()
            _drain(child.stderr, words)
        return words.decode("utf-8", "replace").strip()

    async def _converse(
        self, worker: int, child: Child, words: bytearray, ready: Callable[[int], Awaitable[None]]
    ) -> None:
        assert child.stdin is not None
        async with anyio.create_task_group() as group:
            group.start_soon(_listen, child.stderr, words)
            frames = self._ends[worker] = Frames(child.stdout, child.stdin.fileno())
            await ready(worker)
            await self._replies(worker, frames)
            group.cancel_scope.cancel()

    async def _replies(self, worker: int, frames: Frames) -> None:
        while True:
            try:
                message = await frames.receive()
            except Broken:
                return
            await self._handle(worker, message)


async def _listen(pipe: int, words: bytearray) -> None:
    """Keeps the end of what a worker writes to stderr."""
    while True:
        await anyio.wait_readable(pipe)
        if not _drain(pipe, words):
            return


def _drain(pipe: int, words: bytearray) -> bool:
    """Take what is in the pipe, and keep the end of it; false where nothing more will come."""
    for _ in range(64):
        try:
            piece = os.read(pipe, _LAST_WORDS)
        except BlockingIOError:
            return True
        if not piece:
            return False
        words += piece
        del words[:-_LAST_WORDS]
    return True
