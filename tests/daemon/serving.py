"""A hunt behind a socket in the process of the test, and clients that talk to it."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import msgspec

from backends.answer import Configuration
from backends.store import find
from daemon.desk import Desk
from daemon.errands import Errands
from daemon.events import Event
from daemon.hub import Hub
from daemon.hunt import Goal, Hunt
from daemon.lines import Lines, Pool, SocketRules
from daemon.listening import listen
from daemon.office import Office
from daemon.server import Server
from daemon.settings import Settings
from knowledge_base.store import KnowledgeBase, open_knowledge_base

Message = dict[str, Any]
_PATIENT = SocketRules(largest_line=32 * 1024 * 1024)


class Idle:
    """A hunt that asks nobody: what is submitted waits."""

    def __init__(self, knowledge: KnowledgeBase, hub: Hub) -> None:
        self.errands = Errands()
        self.desk = Desk(knowledge, self.errands, hub)
        self.suspects: Sequence[Configuration] = (find("spacer"),)
        self.is_ending = False
        self.is_paused = False

    def pause(self) -> None:
        self.is_paused = True

    def resume(self) -> None:
        self.is_paused = False

    def drain(self) -> None:
        self.is_ending = True


class Status(msgspec.Struct, frozen=True):
    queries: int = 7
    slots: int = 2
    verdicts: dict[str, int] = {}


class Stand:
    """What a test sees: the socket, and what was said in the log."""

    def __init__(
        self, path: Path, office: Office, hunt: Idle | Hunt, knowledge: KnowledgeBase, hub: Hub, log: list[Event]
    ) -> None:
        self.path, self.office, self.hunt, self.knowledge, self.hub, self.log = path, office, hunt, knowledge, hub, log

    async def connect(self) -> Talk:
        return Talk(raw_connection(self.path))


class Talk:
    """One connection of a client that sends whatever it likes."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._lines = Lines(connection, _PATIENT, Pool(_PATIENT.most_waiting))

    async def hear(self) -> Message:
        """The next line; an empty message at the end."""
        line = await self._lines.receive()
        message: Message = json.loads(line) if line else {}
        return message

    async def send(self, data: bytes) -> None:
        await self._lines.send(data)

    async def ask(self, request: str, **fields: object) -> Message:
        await self.send(json.dumps({"request": request, "id": 1, **fields}).encode() + b"\n")
        return await self.hear()

    def close(self) -> None:
        self._lines.close()


@asynccontextmanager
async def standing(directory: Path, rules: SocketRules | None = None) -> AsyncIterator[Stand]:
    """A server whose hunt is idle."""
    log: list[Event] = []
    with open_knowledge_base(directory / "state") as knowledge:
        hub = Hub(log.append)
        hunt = Idle(knowledge, hub)
        office = Office(hunt, knowledge, hub, Status)
        path = directory / "socket"
        with listen(path) as listening:
            async with anyio.create_task_group() as group:
                await group.start(Server(office, rules or SocketRules()).serve, listening)
                yield Stand(path, office, hunt, knowledge, hub, log)
                group.cancel_scope.cancel()
        office.close()


def raw_connection(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(str(path))
    return connection


@asynccontextmanager
async def hunting_behind_a_socket(
    directory: Path, configuration: Configuration | None = None, slots: int = 2
) -> AsyncIterator[Stand]:
    """A server with a real hunt, from nothing but what is submitted and generated."""
    log: list[Event] = []
    with open_knowledge_base(directory / "state") as knowledge:
        hub = Hub(log.append)
        settings = Settings((configuration or find("spacer"),), slots=slots, seed=1, schedule="adaptive")
        hunt = Hunt(settings, Goal(), knowledge, hub, "test")
        office = Office(hunt, knowledge, hub, hunt.summary)
        path = directory / "socket"
        with listen(path) as listening:
            async with anyio.create_task_group() as group:
                await group.start(Server(office, SocketRules()).serve, listening)
                group.start_soon(hunt.run, [])
                yield Stand(path, office, hunt, knowledge, hub, log)
                group.cancel_scope.cancel()
        office.close()


async def eventually(condition: Callable[[], bool]) -> bool:
    """Whether it becomes true soon: closing takes the loop a moment."""
    with anyio.move_on_after(30):
        while not condition():  # noqa: ASYNC110 - nobody tells us
            await anyio.sleep(0.01)
        return True
    return False
