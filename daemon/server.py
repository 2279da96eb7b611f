"""The socket: takes connections, reads requests, has the office answer them, and lets nobody hurt the hunt."""

from __future__ import annotations

import errno
import os
import socket
import traceback
from typing import Final

import anyio
import msgspec
from anyio.abc import TaskGroup, TaskStatus

from daemon.events import Client, ClientRefused, ClientTrouble
from daemon.lines import Gone, Idle, Lines, Pool, SocketRules, Unacceptable
from daemon.listening import Peer, may_connect, peer_of
from daemon.office import Office
from daemon.protocol import (
    VERSION,
    Attach,
    Code,
    Hello,
    Malformed,
    Refused,
    Reply,
    Request,
    Tail,
    read_request,
    written,
)
from daemon.version import version

_SCARCE: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_PAUSE_SECONDS: Final = 0.5


class Server:
    """Serves until it is cancelled. `counts` are for the metrics."""

    def __init__(self, office: Office, rules: SocketRules) -> None:
        self._office, self._rules = office, rules
        self._pool = Pool(rules.most_waiting)
        self.counts = office.counts

    async def serve(
        self, listening: socket.socket, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        listening.setblocking(False)
        async with anyio.create_task_group() as group:
            task_status.started()
            while True:
                connection = await _accept(listening)
                self._admit(connection, listening, group)

    def _admit(self, connection: socket.socket, listening: socket.socket, group: TaskGroup) -> None:
        peer = peer_of(connection)
        refusal = self._why_not(peer, listening)
        if refusal is None:
            self.counts["clients"] += 1
            group.start_soon(self._attend, connection, peer)
            return
        self.counts["clients turned away"] += 1
        if (count := self.counts["clients turned away"]) & (count - 1) == 0:  # a flood shall not fill the log
            self._office.tell(ClientRefused(peer.pid, peer.uid, refusal.reason, count))
        with connection:
            connection.setblocking(False)
            _try_to_send(connection, refusal)

    def _why_not(self, peer: Peer, listening: socket.socket) -> Refused | None:
        if not may_connect(peer, listening):
            remedy = "become a member of the group that owns the socket; see: ls -l on it"
            return Refused(None, Code.not_allowed, f"user {peer.uid} may not use this socket", remedy)
        if self.counts["clients"] >= self._rules.most_clients:
            words = f"there are {self._rules.most_clients} clients already, which is as many as are served"
            return Refused(None, Code.too_many, words, "try again later")
        return None

    async def _attend(self, connection: socket.socket, peer: Peer) -> None:
        """One client, from its coming to its leaving."""
        self._office.tell(Client(peer.pid, peer.uid, peer.gid))
        lines = Lines(connection, self._rules, self._pool)
        try:
            async with anyio.create_task_group() as group:
                await _Client(lines, peer, self._office, self._rules, group).serve()
                group.cancel_scope.cancel()
        except Exception:  # the supervisor of clients: a mistake of ours with one of them must not reach the others
            self._office.tell(ClientTrouble(peer.pid, peer.uid, traceback.format_exc(limit=-8)))
        finally:
            lines.close()
            self.counts["clients"] -= 1


class _Client:
    """What one connection is at. Streams run beside the other requests, which are answered one after another."""

    def __init__(self, lines: Lines, peer: Peer, office: Office, rules: SocketRules, group: TaskGroup) -> None:
        self._lines, self._peer, self._office, self._rules, self._group = lines, peer, office, rules, group
        self._streams = 0
        self._mistakes = 0

    async def serve(self) -> None:
        await self._say(Hello(VERSION, version(), os.getpid(), self._rules.largest_line))
        try:
            while (line := await self._next_line()) is not None:
                await self._take(line)
        except Unacceptable as problem:
            self._office.counts[f"refused {problem.code}"] += 1
            await self._say(Refused(None, problem.code, problem.reason, problem.remedy))
            return
        await self._outlast_streams()

    async def _next_line(self) -> bytes | None:
        while True:
            try:
                return await self._lines.receive()
            except Idle:
                if not self._streams:
                    words = f"nothing was asked for {self._rules.idle_seconds:g} seconds"
                    raise Unacceptable(Code.too_slow, words) from None

    async def _take(self, line: bytes) -> None:
        await anyio.lowlevel.checkpoint()
        try:
            request = read_request(line)
        except Malformed as problem:
            self._office.counts["refused malformed"] += 1
            self._mistakes += 1
            await self._say(Refused(problem.id, Code.malformed, str(problem), "see docs/protocol.md"))
            if self._mistakes >= self._rules.most_mistakes:
                raise Unacceptable(Code.malformed, "too many lines in a row were no requests") from problem
            return
        self._mistakes = 0
        await self._answer(request)

    async def _answer(self, request: Request) -> None:
        if not isinstance(request, Attach | Tail):
            await self._office.answer(request, self._peer, self._say)
        elif self._streams >= self._rules.most_streams:
            words = f"this connection has {self._streams} streams already"
            await self._say(Refused(request.id, Code.too_many, words, "open another connection"))
        else:
            self._streams += 1
            self._group.start_soon(self._stream, request)

    async def _stream(self, request: Request) -> None:
        try:
            await self._office.answer(request, self._peer, self._say)
        finally:
            self._streams -= 1

    async def _say(self, reply: Reply) -> None:
        try:
            await self._lines.send(written(reply))
        except Gone:
            self._group.cancel_scope.cancel()
            await anyio.lowlevel.checkpoint()

    async def _outlast_streams(self) -> None:
        """Who has said all that it wants to say may still want to listen."""
        # The kernel does not wake us when such a client leaves.
        while self._streams and not self._lines.has_left():  # noqa: ASYNC110
            await anyio.sleep(_PAUSE_SECONDS)


async def _accept(listening: socket.socket) -> socket.socket:
    while True:
        await anyio.wait_readable(listening)
        try:
            return listening.accept()[0]
        except (BlockingIOError, ConnectionAbortedError):
            continue
        except OSError as problem:
            if problem.errno not in _SCARCE:
                raise
            await anyio.sleep(_PAUSE_SECONDS)


def _try_to_send(connection: socket.socket, message: msgspec.Struct) -> None:
    try:
        connection.send(written(message))
    except OSError:
        return  # it has left already
