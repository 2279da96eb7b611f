"""Eldarica's server: one JVM that answers many queries, since starting one takes longer than most of them.

It prints a port and a ticket. Who connects sends the ticket, the arguments, each on a line, and `PROVE_AND_EXIT`; the
answer is everything that comes until the connection is closed. Whoever keeps silent for three seconds has lost
interest, so that a line is sent each second meanwhile. The server is not to be relied upon: it shuts itself down when
a query hangs, taking along whatever else it was at. Therefore it is ended here as soon as a query breaks a limit, and
what it loses is asked again, cold.
"""

from __future__ import annotations

from typing import Final

import anyio
from anyio.abc import ByteStream

from backends import eldarica_program as program
from backends.guardian import is_dying
from backends.limits import Limits
from backends.process import Child, Conversation, Ending, Exit, Run, describe

_STARTING: Final = Limits(wall_seconds=120.0, output_bytes=64 * 1024)
_HOST: Final = "127.0.0.1"
_PING_SECONDS: Final = 1.0
_WATCH_SECONDS: Final = 0.2
_MOST_QUERIES: Final = 500
_WORN_SHARE: Final = 0.7
"""Of the memory of a query: what has grown beyond it is replaced before the next."""
_SHUTTING_DOWN: Final = b"ERROR: hanging system, shutting down"


class Server:
    """One such JVM, until it is ended or dies."""

    def __init__(self, child: Child, memory_mb: int | None) -> None:
        self._child = child
        self._port = 0
        self._ticket = b""
        self._served = 0
        self.memory_mb = memory_mb

    @property
    def pid(self) -> int:
        return self._child.pid

    @classmethod
    async def start(cls, path: str, memory_mb: int | None) -> Server | None:
        """None where it does not start: then a cold run will say why."""
        words = program.launcher(path, memory_mb, program.SERVER)
        if words == (path,):
            return None
        try:
            child = Child.start((words[0], "-Djava.net.preferIPv4Stack=true", *words[1:]), has_stdin=False)
        except (OSError, ValueError):
            return None
        server = cls(child, memory_mb)
        try:
            is_ready = await server._introduction()
        except BaseException:
            await server.end()
            raise
        if not is_ready:
            await server.end()
            return None
        return server

    async def _introduction(self) -> bool:
        talk = Conversation(self._child, _STARTING, lambda said: said.count(b"\n") >= 2)
        await talk.hold(b"")
        port, _, rest = bytes(talk.stdout).partition(b"\n")
        self._ticket = rest.partition(b"\n")[0]
        self._port = int(port) if port.isdigit() else 0
        return self._port > 0 and b"\n" in rest and talk.broken is None

    def is_fit(self, limits: Limits) -> bool:
        """Whether it lives, has the memory that is wanted, and is neither old nor fat."""
        if self._child.has_exited() or self.memory_mb != limits.memory_mb or self._served >= _MOST_QUERIES:
            return False
        return limits.memory_mb is None or self._child.usage().memory_mb <= _WORN_SHARE * limits.memory_mb

    async def ask(self, words: tuple[str, ...], limits: Limits) -> Run | None:
        """How the query went; None if it was lost. After any ending but `answered` the server is of no more use."""
        Conversation(self._child, limits).drain()  # it writes a line now and then, which nobody reads
        self._served += 1
        query = _Query(self._child, limits)
        started = anyio.current_time()
        is_lost = False
        try:
            await query.hold(self._port, self._ticket + b"\n" + "\n".join((*words, "PROVE_AND_EXIT\n")).encode())
        except* (OSError, anyio.BrokenResourceError):
            is_lost = True
        seconds = anyio.current_time() - started
        if is_lost or (query.broken is None and not self._is_whole(query.said)):
            return None
        return query.result(words, seconds)

    def _is_whole(self, said: bytearray) -> bool:
        """Whether the connection was closed because everything had been said, and not because the server died."""
        return bool(said.strip()) and _SHUTTING_DOWN not in said and not is_dying(self.pid)

    @property
    def has_served_others(self) -> bool:
        return self._served > 1

    def kill(self) -> None:
        self._child.kill()

    async def end(self) -> None:
        try:
            await self._child.end()
        finally:
            self._child.close()


class _Query:
    """One query: feeds and reads the connection, and watches over what the server uses meanwhile."""

    def __init__(self, child: Child, limits: Limits) -> None:
        self._child, self._limits = child, limits
        self._scope = anyio.CancelScope()
        self._before = child.usage().cpu_seconds
        self._cpu_seconds = 0.0
        self._peak_memory_mb = 0.0
        self.said = bytearray()
        self.broken: Ending | None = None

    async def hold(self, port: int, request: bytes) -> None:
        with anyio.move_on_after(self._limits.wall_seconds) as wall:
            async with await anyio.connect_tcp(_HOST, port) as stream, anyio.create_task_group() as group:
                self._scope = group.cancel_scope
                await stream.send(request)
                group.start_soon(self._ping, stream)
                group.start_soon(self._watch)
                await self._read(stream)
                self._scope.cancel()
        if wall.cancelled_caught:
            self.broken = self.broken or Ending.timeout
        self._measure()

    async def _read(self, stream: ByteStream) -> None:
        try:
            while len(self.said) <= self._limits.output_bytes:
                self.said += await stream.receive()
        except anyio.EndOfStream:
            return
        self.broken = Ending.flood

    async def _ping(self, stream: ByteStream) -> None:
        while True:
            await anyio.sleep(_PING_SECONDS)
            await stream.send(b"PING\n")

    async def _watch(self) -> None:
        limits = self._limits
        while True:
            await anyio.sleep(_WATCH_SECONDS)
            self._measure()
            if limits.memory_mb is not None and self._peak_memory_mb > limits.memory_mb:
                self._break(Ending.memout)
            if limits.cpu_seconds is not None and self._cpu_seconds > limits.cpu_seconds:
                self._break(Ending.cpu_timeout)

    def _measure(self) -> None:
        usage = self._child.usage()
        self._cpu_seconds = max(0.0, usage.cpu_seconds - self._before)
        self._peak_memory_mb = max(self._peak_memory_mb, usage.memory_mb)

    def _break(self, ending: Ending) -> None:
        self.broken = self.broken or ending
        self._scope.cancel()

    def result(self, words: tuple[str, ...], seconds: float) -> Run:
        ending = self.broken or Ending.exited
        return Run(
            words,
            ending,
            exit_code=0 if ending is Ending.exited else None,
            stdout=bytes(self.said[: self._limits.output_bytes]),
            seconds=seconds,
            cpu_seconds=self._cpu_seconds,
            peak_memory_mb=self._peak_memory_mb,
            message=describe(ending, Exit(None, None, 0.0, 0.0), self._limits),
        )
