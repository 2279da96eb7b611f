"""The Unix socket of the daemon: where it lies, how it is made, and who is at the other end of a connection."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import stat
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from daemon.state import state_directory

_CREDENTIALS: Final = struct.Struct("3i")
_SO_PEERGROUPS: Final = 59
"""Linux since 4.13; Python has no name for it."""
_MOST_GROUPS: Final = 256
_LONGEST_PATH: Final = 107
_BACKLOG: Final = 128
VARIABLE: Final = "HORNBLOWER_SOCKET"
SYSTEM_SOCKET: Final = Path("/run/hornblower/hornblower.sock")


class CannotListen(Exception):
    """The socket cannot be made; the message says why and what to do."""


class Peer(msgspec.Struct, frozen=True):
    """The process that has connected, as the kernel tells it."""

    pid: int
    uid: int
    gid: int
    groups: tuple[int, ...] = ()

    @property
    def is_owner(self) -> bool:
        """Whether it may do whatever the daemon may: root, or the daemon's own user."""
        return self.uid in (0, os.getuid())


def socket_candidates(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where a daemon may listen, the likeliest first; the last is where one listens that nobody has told otherwise."""
    if given := environment.get(VARIABLE):
        return (Path(given).absolute(),)
    runtime = environment.get("XDG_RUNTIME_DIR")
    own = Path(runtime) / "hornblower" if runtime else state_directory()
    return (SYSTEM_SOCKET, own / "hornblower.sock")


def listen(path: Path, mode: int = 0o660, group: str | None = None) -> socket.socket:
    """A listening socket at this path, for its owner and its group. A dead one that lies there is replaced."""
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise CannotListen(
            f"{path} is longer than the {_LONGEST_PATH} bytes that a socket may have; name a shorter one"
        )
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        _clear(path)
        _bind(listening, path, mode, group)
    except LookupError:
        listening.close()
        raise CannotListen(f"there is no group {group}; make it: groupadd --system {group}") from None
    except OSError as problem:
        listening.close()
        raise CannotListen(f"{path} cannot be listened at: {problem.strerror}; see: ls -ld {path.parent}") from problem
    except CannotListen:
        listening.close()
        raise
    return listening


def _bind(listening: socket.socket, path: Path, mode: int, group: str | None) -> None:
    """Nobody else can connect before the rights are what they should be."""
    before = os.umask(0o177)
    try:
        listening.bind(str(path))
    finally:
        os.umask(before)
    if group is not None:
        shutil.chown(path, group=group)
    os.chmod(path, mode)
    listening.listen(_BACKLOG)


def _clear(path: Path) -> None:
    """Take away what a daemon that was killed has left."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise CannotListen(f"{path} is there and is no socket; name another path, or move it away")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as probe:
        if probe.connect_ex(str(path)) != errno.ECONNREFUSED:
            raise CannotListen(f"another daemon listens at {path}; stop it, or name another path; see: ss -xlp")
    path.unlink()


def peer_of(connection: socket.socket) -> Peer:
    data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, gid = _CREDENTIALS.unpack(data)
    return Peer(pid, uid, gid, _groups_of(connection))


def _groups_of(connection: socket.socket) -> tuple[int, ...]:
    try:
        data = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, 4 * _MOST_GROUPS)
    except OSError:
        return ()  # a kernel that does not tell
    return struct.unpack(f"{len(data) // 4}I", data)


def may_connect(peer: Peer, listening: socket.socket) -> bool:
    """What the mode of the socket is meant to say, whatever somebody has made of it: owner, root, or its group."""
    path = listening.getsockname()
    if peer.is_owner or not isinstance(path, str) or not path:
        return peer.is_owner
    try:
        status = os.stat(path)
    except OSError:
        return False
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and status.st_gid in (peer.gid, *peer.groups)
