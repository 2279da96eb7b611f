"""One process owns a state directory."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self


class AlreadyOwned(Exception):
    """Another process works in the state directory; the message names it."""


class StateLock:
    """Held from construction to `release`, or to the death of the process however it dies.

    The kernel frees the lock with the last copy of the descriptor. It is not handed to programs that are started;
    a process that merely forks would keep it.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / "lock"
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._descriptor)
            raise AlreadyOwned(
                f"{directory} is in use by the process with pid {owner}; see it with: ps -fp {owner}; "
                "stop that process or choose another state directory"
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
