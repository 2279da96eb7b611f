"""Sockets that systemd has opened before it started the daemon, by the protocol of sd_listen_fds."""

from __future__ import annotations

import os
import socket
from collections.abc import MutableMapping
from typing import Final

_FIRST: Final = 3
_VARIABLES: Final = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")


class BadActivation(Exception):
    """What was handed over is not one listening Unix socket; the message says what to do."""


def inherited_socket(environment: MutableMapping[str, str], pid: int) -> socket.socket | None:
    """The socket that was handed over, None if there is none. The programs that we start do not get it."""
    owner, count = environment.get("LISTEN_PID", ""), environment.get("LISTEN_FDS", "")
    for name in _VARIABLES:
        environment.pop(name, None)
    if owner != str(pid) or not count.isdigit() or count == "0":
        return None
    for descriptor in range(_FIRST, _FIRST + int(count)):
        os.set_inheritable(descriptor, False)
    if count != "1":
        raise BadActivation(f"{count} sockets were handed over instead of one; see: systemctl cat hornblower.socket")
    return _checked(socket.socket(fileno=_FIRST))


def _checked(given: socket.socket) -> socket.socket:
    is_listening = given.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    if given.family != socket.AF_UNIX or given.type != socket.SOCK_STREAM or not is_listening:
        raise BadActivation(
            "what was handed over is not a listening Unix stream socket; see: systemctl cat hornblower.socket"
        )
    return given
