"""A connection that carries one message per line, with a bound for everything that the other side may do.

Nothing is read before somebody asks for it, no line is kept beyond its largest size, and all connections together keep
no more than their pool allows. Who is too slow with a line, or does not take what it is sent, is given up.
"""

from __future__ import annotations

import select
import socket
from typing import Final

import anyio
import msgspec

from daemon.protocol import Code

_PIECE: Final = 64 * 1024


class SocketRules(msgspec.Struct, frozen=True):
    """What clients may do at most. Sizes are in bytes, times in seconds."""

    most_clients: int = 64
    """More at the same time are told `too-many` and closed."""
    largest_line: int = 8 * 1024 * 1024
    """So many bytes may a line have."""
    most_waiting: int = 32 * 1024 * 1024
    """So much of unfinished lines is kept for all clients together."""
    most_streams: int = 16
    """So many streams of events may one connection have."""
    most_mistakes: int = 20
    """After so many malformed lines the connection is closed."""
    line_seconds: float = 30.0
    """A line that has begun has to end within this time."""
    idle_seconds: float = 600.0
    """A connection without a stream on which nothing is said for so long is closed."""
    send_seconds: float = 30.0
    """A client that does not take a message within this time is given up."""


class Gone(Exception):
    """Nobody takes any more what is sent."""


class Unacceptable(Exception):
    """What the other side does goes beyond the rules; it is told why, and the connection ends."""

    def __init__(self, code: Code, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.code, self.reason, self.remedy = code, reason, remedy


class Idle(Exception):
    """Nothing was said for too long."""


class Pool:
    """The bytes of unfinished lines of all connections."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.used = 0

    def take(self, count: int) -> None:
        if self.used + count > self._most:
            raise Unacceptable(Code.too_many, "too many large messages arrive at the same time", "try again later")
        self.used += count

    def give(self, count: int) -> None:
        self.used -= count


class Lines:
    """One connection. Close it in the end."""

    def __init__(self, connection: socket.socket, rules: SocketRules, pool: Pool) -> None:
        connection.setblocking(False)
        self._connection, self._rules, self._pool = connection, rules, pool
        self._buffer = bytearray()
        self._searched = 0
        self._begun = 0.0
        self._turn = anyio.Lock()

    async def receive(self) -> bytes | None:
        """The next line without its end; None where there will be none. Whoever is cancelled takes nothing away."""
        while (end := self._buffer.find(b"\n", self._searched)) < 0:
            self._searched = len(self._buffer)
            if self._searched > self._rules.largest_line:
                raise Unacceptable(*_too_large(self._rules))
            if not await self._gather():
                return None
        if end > self._rules.largest_line:
            raise Unacceptable(*_too_large(self._rules))
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._pool.give(end + 1)
        self._searched, self._begun = 0, anyio.current_time()
        return line

    async def _gather(self) -> bool:
        """Wait for one more piece; false at the end of the connection."""
        has_begun = bool(self._buffer)
        deadline = self._begun + self._rules.line_seconds
        if not has_begun:
            deadline = anyio.current_time() + self._rules.idle_seconds
        with anyio.CancelScope(deadline=deadline) as scope:
            piece = await self._piece()
        if scope.cancelled_caught:
            raise Unacceptable(*_too_slow(self._rules)) if has_begun else Idle
        if not has_begun:
            self._begun = anyio.current_time()
        self._pool.take(len(piece))
        self._buffer += piece
        return bool(piece)

    async def _piece(self) -> bytes:
        while True:
            await anyio.wait_readable(self._connection)
            try:
                return self._connection.recv(_PIECE)
            except BlockingIOError:
                continue
            except OSError:
                return b""

    async def send(self, line: bytes) -> None:
        """Raises `Gone` where the other side is not there any more, or does not take it in time."""
        async with self._turn:
            with anyio.move_on_after(self._rules.send_seconds) as scope:
                await self._send(memoryview(line))
            if scope.cancelled_caught:
                raise Gone

    async def _send(self, rest: memoryview) -> None:
        while rest:
            try:
                rest = rest[self._connection.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._connection)
            except OSError as problem:
                raise Gone from problem

    def has_left(self) -> bool:
        """Whether nobody is there any more; who has only finished speaking may still listen."""
        poll = select.poll()
        poll.register(self._connection, 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    def close(self) -> None:
        self._pool.give(len(self._buffer))
        self._buffer.clear()
        self._connection.close()


def _too_large(rules: SocketRules) -> tuple[Code, str, str]:
    words = f"the line is longer than the {rules.largest_line} bytes that are accepted"
    return Code.too_large, words, "ask without the daemon: hornblower check FILE"


def _too_slow(rules: SocketRules) -> tuple[Code, str]:
    return Code.too_slow, f"the line did not end within {rules.line_seconds:g} seconds"
