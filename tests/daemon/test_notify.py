"""What is told to systemd, heard at a socket that stands in for it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from daemon.notify import Notifier, Watchdog, notifier, watchdog_seconds


@pytest.fixture
def hearing(tmp_path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    listening.bind(str(tmp_path / "notify"))
    return listening


def test_words(hearing: socket.socket) -> None:
    """As sd_notify has them."""
    with hearing:
        telling = Notifier(hearing.getsockname())
        telling.ready()
        telling.status("hunting:\n3 queries")
        telling.progress()
        telling.stopping()
        assert [b"READY=1", b"STATUS=hunting: 3 queries", b"WATCHDOG=1", b"STOPPING=1"] == [
            hearing.recv(1000) for _ in range(4)
        ]
        telling.reloading()
        said = hearing.recv(1000).split(b"\n")
    assert b"RELOADING=1" == said[0]
    assert said[1].startswith(b"MONOTONIC_USEC=")


def test_an_abstract_address() -> None:
    """Systemd may give one; it begins with an @."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as hearing:
        hearing.bind("")  # the kernel chooses an abstract address
        Notifier("@" + hearing.getsockname()[1:].decode()).ready()
        assert b"READY=1" == hearing.recv(1000)


def test_nobody_listens(tmp_path: Path) -> None:
    """Without systemd nothing is said; if it has gone, that is no reason to stop."""
    Notifier(None).ready()
    gone = Notifier(str(tmp_path / "gone"))
    gone.ready()
    assert 1 == gone.failed


def test_programs_that_are_started_do_not_speak_for_the_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is taken out of the environment."""
    monkeypatch.setenv("NOTIFY_SOCKET", "/somewhere")
    notifier()
    with pytest.raises(KeyError):
        __import__("os").environ["NOTIFY_SOCKET"]


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_whether_a_watchdog_waits(environment: dict[str, str], seconds: float | None) -> None:
    """It may wait for another process."""
    assert seconds == watchdog_seconds(environment, 7)


def test_the_watchdog_is_fed_by_progress() -> None:
    """A daemon that is stuck says nothing, however often it is looked at."""
    said: list[int] = []
    watchdog = Watchdog(lambda: said.append(1))
    for done in (0, 1, 1, 1, 2):
        watchdog.look(done, is_idle=False)
    assert 3 == len(said)
    watchdog.look(2, is_idle=True)
    assert 4 == len(said)
