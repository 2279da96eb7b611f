"""Sockets that are handed over, in a process of their own, since they come with fixed numbers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.activation import inherited_socket

TAKER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ["LISTEN_PID"], os.environ["LISTEN_FDS"] = str(os.getpid()), sys.argv[2]
from daemon.activation import BadActivation, inherited_socket
try:
    given = inherited_socket(os.environ, os.getpid())
    print(given and given.getsockname(), given and given.get_inheritable(), "LISTEN_FDS" in os.environ)
except BadActivation as problem:
    print(problem)
"""


def taken(given: socket.socket, count: int = 1) -> str:
    command = [sys.executable, "-c", TAKER, str(given.fileno()), str(count)]
    return subprocess.run(command, pass_fds=[given.fileno()], capture_output=True, text=True, check=True).stdout


def test_a_listening_socket_is_taken(tmp_path: Path) -> None:
    """And is not handed on to the programs that are started, nor are the variables."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        listening.listen()
        assert f"{tmp_path / 'socket'} False False\n" == taken(listening)


def test_anything_else_is_refused(tmp_path: Path) -> None:
    """With where to look."""
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "socket"))
        assert "not a listening Unix stream socket" in taken(silent)
        assert "0 sockets" not in taken(silent)


@pytest.mark.parametrize("environment", [{}, {"LISTEN_PID": "1", "LISTEN_FDS": "1"}, {"LISTEN_FDS": "1"}])
def test_what_is_for_somebody_else_is_left_alone(environment: dict[str, str]) -> None:
    """And nothing is, without the variables."""
    assert inherited_socket(environment, os.getpid()) is None
