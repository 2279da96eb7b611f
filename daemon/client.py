"""The other end of the socket, for commands: asks, waits, and says in words why nobody answers."""

from __future__ import annotations

import errno
import grp
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

import msgspec

from daemon.protocol import (
    VERSION,
    Ended,
    Hello,
    Refused,
    Reply,
    Request,
    read_reply,
    written,
)

R = TypeVar("R")
_CONNECT_SECONDS: Final = 10.0
_ANSWER_SECONDS: Final = 60.0
_PIECE: Final = 256 * 1024


class NoDaemon(Exception):
    """Nobody answers at the socket; the message says why and what to type."""


class Rejected(Exception):
    """The daemon refused; the message has its reason and its remedy."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__("; ".join(part for part in (refusal.reason, refusal.remedy) if part))
        self.refusal = refusal


class Client:
    """One connection. Close it, or use it as a context manager."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket = _connected(path)
        self._buffer = bytearray()
        self._id = 0
        try:
            self.hello = self._greeting()
        except BaseException:
            self._socket.close()
            raise

    def _greeting(self) -> Hello:
        match self._next():
            case Hello() as hello if hello.protocol == VERSION:
                return hello
            case Hello() as hello:
                raise NoDaemon(
                    f"the daemon at {self._path} is hornblower {hello.version}, which speaks protocol {hello.protocol};"
                    f" this command speaks {VERSION}: use the hornblower that the daemon was started with"
                )
            case Refused() as refusal:
                raise Rejected(refusal)
            case other:
                raise NoDaemon(f"what listens at {self._path} is no hornblower: it says {type(other).__name__}")

    def next_id(self) -> int:
        self._id += 1
        return self._id

    def ask(self, request: Request, kind: type[R]) -> R:
        """The one reply to a request; `Rejected` where it is refused."""
        self._send(request)
        reply = self._next()
        if isinstance(reply, Refused):
            raise Rejected(reply)
        if not isinstance(reply, kind):
            raise NoDaemon(f"the daemon at {self._path} answers with {type(reply).__name__}, which nobody asked for")
        return reply

    def stream(self, request: Request) -> Iterator[Reply]:
        """Everything that is said to a request, up to its end. Takes as long as it takes."""
        self._send(request)
        self._socket.settimeout(None)
        while True:
            reply = self._next()
            if isinstance(reply, Refused):
                raise Rejected(reply)
            yield reply
            if isinstance(reply, Ended):
                self._socket.settimeout(_ANSWER_SECONDS)
                return

    def _send(self, request: Request) -> None:
        try:
            self._socket.sendall(written(request))
        except BrokenPipeError:
            pass  # it has been refused half-way; the reason waits to be read
        except OSError as problem:
            raise NoDaemon(
                f"the daemon at {self._path} is gone: {problem.strerror}; see: hornblower doctor"
            ) from problem

    def _next(self) -> Reply:
        try:
            return read_reply(self._line())
        except TimeoutError as problem:
            words = f"the daemon at {self._path} does not answer within {_ANSWER_SECONDS:g} seconds"
            raise NoDaemon(f"{words}; see its log: journalctl -u hornblower") from problem
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise NoDaemon(f"what listens at {self._path} is no hornblower: {problem}") from problem

    def _line(self) -> bytes:
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            try:
                piece = self._socket.recv(_PIECE)
            except ConnectionResetError:
                piece = b""
            if not piece:
                raise NoDaemon(f"the daemon at {self._path} has hung up; see its log: journalctl -u hornblower")
            self._buffer += piece
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _connected(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(_CONNECT_SECONDS)
    try:
        connection.connect(str(path))
    except OSError as problem:
        connection.close()
        raise NoDaemon(why_not_connected(path, problem)) from problem
    connection.settimeout(_ANSWER_SECONDS)
    return connection


def why_not_connected(path: Path, problem: OSError) -> str:
    if isinstance(problem, FileNotFoundError):
        return f"no daemon listens at {path}; start one: systemctl start hornblower, or hornblower daemon"
    if isinstance(problem, ConnectionRefusedError):
        return f"the daemon that listened at {path} is gone; start it again: systemctl start hornblower"
    if isinstance(problem, PermissionError):
        return f"you may not use {path}; become a member of its group: usermod -aG {_group_of(path)} $USER"
    if isinstance(problem, TimeoutError) or problem.errno == errno.EAGAIN:
        return f"the daemon at {path} is too busy to answer; see: systemctl status hornblower"
    return f"{path}: {problem.strerror or problem}; name the socket of the daemon: --socket PATH"


def _group_of(path: Path) -> str:
    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        return "hornblower"
