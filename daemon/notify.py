"""What the daemon tells systemd, by the protocol of sd_notify: that it is ready, reloads, stops, and makes progress."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Final

VARIABLE: Final = "NOTIFY_SOCKET"
_WATCHDOG: Final = "WATCHDOG_USEC"
_WATCHDOG_PID: Final = "WATCHDOG_PID"


class Notifier:
    """Says nothing where nobody listens."""

    def __init__(self, address: str | None) -> None:
        self._address = address
        self.failed = 0

    def ready(self) -> None:
        self._tell("READY=1")

    def reloading(self) -> None:
        self._tell(f"RELOADING=1\nMONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def progress(self) -> None:
        self._tell("WATCHDOG=1")

    def status(self, words: str) -> None:
        self._tell(f"STATUS={' '.join(words.split())}")

    def _tell(self, words: str) -> None:
        if self._address is None:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK) as sending:
            try:
                sending.sendto(words.encode(), address)
            except OSError:
                self.failed += 1  # the service manager has gone; the hunt goes on without it


def notifier() -> Notifier:
    """For whoever has started this process; the programs that it starts do not hear of it."""
    return Notifier(os.environ.pop(VARIABLE, None))


def watchdog_seconds(environment: Mapping[str, str], pid: int) -> float | None:
    """How often systemd wants to hear from this process; None where it does not care."""
    microseconds = environment.get(_WATCHDOG, "")
    if not microseconds.isdigit() or environment.get(_WATCHDOG_PID, str(pid)) != str(pid):
        return None
    return int(microseconds) / 1e6


class Watchdog:
    """Decides whether the daemon may say that it is well: only if something has come of its work since the last time.

    Work that is awaited and does not come is no progress. Where nothing is to be expected, because the hunt is paused
    and nothing is under way, it is enough that the loop gets here.
    """

    def __init__(self, say: Callable[[], None]) -> None:
        self._say = say
        self._seen = -1

    def look(self, done: int, *, is_idle: bool) -> None:
        """`done` is a number that grows with the work."""
        if is_idle or done != self._seen:
            self._seen = done
            self._say()
