"""The log: every event as one JSON object per line, or in colours on a terminal.

It goes to stdout, where the journal of systemd takes it, or to a file that is replaced before it grows too large.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import msgspec
import structlog

from daemon.events import VERSION, Event, Level

_KEPT_FILES: Final = 3
_MOST_WAITING: Final = 10_000
_LAST_SECONDS: Final = 5.0
"""At the end, so long for a reader that is slow."""
Line = structlog.typing.EventDict


class Sink(Protocol):
    """Where lines go."""

    @property
    def lost(self) -> int:
        """Lines that could not be written."""

    def write(self, line: str) -> None: ...

    def reopen(self) -> None: ...


class Stream:
    """The standard output. A reader that has gone does not end the hunt: what is said is lost then."""

    def __init__(self, descriptor: int = 1) -> None:
        self._descriptor = descriptor
        self.lost = 0

    def write(self, line: str) -> None:
        rest = memoryview(line.encode() + b"\n")
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
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


class Queued:
    """Writes on a thread of its own, so that nobody waits for a slow reader; what is more than `most` lines is lost."""

    def __init__(self, sink: Sink, most: int = _MOST_WAITING) -> None:
        self._sink = sink
        self._waiting: queue.Queue[Callable[[], None] | None] = queue.Queue(most)
        self._dropped = 0
        self._thread = threading.Thread(target=self._serve, name="log-writer", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> int:
        return self._dropped + self._sink.lost

    def write(self, line: str) -> None:
        try:
            self._waiting.put_nowait(partial(self._sink.write, line))
        except queue.Full:
            self._dropped += 1

    def reopen(self) -> None:
        with suppress(queue.Full):  # nobody reads it, so that it does not matter where it goes
            self._waiting.put_nowait(self._sink.reopen)

    def close(self) -> None:
        """Write what waits, unless nobody takes it."""
        with suppress(queue.Full):
            self._waiting.put(None, timeout=_LAST_SECONDS)
        self._thread.join(_LAST_SECONDS)

    def _serve(self) -> None:
        while (step := self._waiting.get()) is not None:
            step()


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
