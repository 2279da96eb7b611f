"""The log: every event as one JSON object per line, or in colours on a terminal.

It goes to stdout, where the journal of systemd takes it, or to a file that is replaced before it grows too large.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, TextIO

import msgspec
import structlog

from daemon.events import VERSION, Event, Level

_KEPT_FILES: Final = 3
Line = structlog.typing.EventDict


class Sink(Protocol):
    """Where lines go."""

    lost: int
    """Lines that could not be written."""

    def write(self, line: str) -> None: ...

    def reopen(self) -> None: ...


class Stream:
    """The standard output. A reader that has gone does not end the hunt: what is said is lost then."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self.lost = 0

    def write(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except OSError:
            self.lost += 1

    def reopen(self) -> None:
        """There is nothing to be opened again."""


class RollingFile:
    """A file that is given another name when it has grown to `most_bytes`; the three latest are kept beside it."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        self._path, self._most = path, most_bytes
        self.lost = 0
        self._descriptor = self._open()

    def write(self, line: str) -> None:
        data = line.encode() + b"\n"
        try:
            if os.fstat(self._descriptor).st_size + len(data) > self._most:
                self._roll()
            os.write(self._descriptor, data)
        except OSError:
            self.lost += 1  # a full disk ends the log, not the hunt

    def reopen(self) -> None:
        """After somebody else has given the file another name."""
        os.close(self._descriptor)
        self._descriptor = self._open()

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)

    def _roll(self) -> None:
        for number in range(_KEPT_FILES, 1, -1):
            older = self._numbered(number - 1)
            if older.exists():
                older.replace(self._numbered(number))
        self._path.replace(self._numbered(1))
        self.reopen()

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


class Log:
    """A listener that writes what is at least as loud as `level`."""

    def __init__(
        self, sink: Sink, level: Level, *, is_console: bool = False, clock: Callable[[], float] = time.time
    ) -> None:
        self.sink, self.level, self._clock = sink, level, clock
        render = _for_people if is_console else _for_programs
        self._log = structlog.wrap_logger(_Lines(sink), processors=[render])

    def __call__(self, event: Event) -> None:
        if event.loudness >= self.level:
            self._log.info(**line_of(event, self._clock()))


def line_of(event: Event, at: float) -> Line:
    """What every line has comes first: `event`, `at`, `level`, and `v`, the version of the set of events."""
    head = {"event": event.name, "at": round(at, 3), "level": event.loudness.name, "v": VERSION}
    return {**head, **event.fields}


def as_json(event: Event, at: float) -> str:
    return msgspec.json.encode(line_of(event, at)).decode()


class _Lines:
    """A logger as structlog expects it."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def info(self, line: str) -> None:
        self._sink.write(line)


def _for_programs(logger: object, method: str, line: Line) -> str:
    return msgspec.json.encode({"event": line.pop("event"), **line}).decode()


_CONSOLE: Final = structlog.dev.ConsoleRenderer(colors=True, sort_keys=False)


def _for_people(logger: object, method: str, line: Line) -> str:
    stamp = time.strftime("%H:%M:%S", time.localtime(line.pop("at")))
    plain = {name: msgspec.to_builtins(value) for name, value in line.items() if name != "v"}
    return str(_CONSOLE(logger, method, {"timestamp": stamp, **plain}))
