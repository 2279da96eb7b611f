"""Hunts as processes of their own, and what can be seen of them from outside."""

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LIAR = Path(__file__).with_name("liar.py")
_MARK = "HUNT_OF_A_TEST"
_PATIENCE_SECONDS = 30.0

Line = dict[str, object]


class Hunting:
    """A hunt under way: its process, its events, and every process that it has started."""

    def __init__(self, state: Path, *options: str, shell: str = ":") -> None:
        """`shell` is what a shell does before it becomes the hunt."""
        self._mark = uuid.uuid4().hex
        self.scratch = state.parent / f"{state.name}-tmp"
        self.scratch.mkdir(exist_ok=True)
        prelude = ["sh", "-c", f'{shell}; exec "$@"', "sh"]
        command = [sys.executable, "-m", "daemon.cli.main", "run", "--json", "--state", str(state), *options]
        environment = {**os.environ, _MARK: self._mark, "TMPDIR": str(self.scratch)}
        self.process = subprocess.Popen(
            [*prelude, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        self.seen: list[Line] = []

    def events(self) -> Iterator[Line]:
        """What is said from now on, to the end."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event: Line = json.loads(line)
            self.seen.append(event)
            yield event

    def wait_for(self, name: str, count: int = 1) -> Line:
        """The event of this name, the `count`th from now on."""
        for event in self.events():
            count -= event["event"] == name
            if count == 0:
                return event
        raise AssertionError(f"the hunt ended without {name}: {self.errors()}")

    def finish(self) -> Line:
        """Read to the end; the summary."""
        for _ in self.events():
            pass
        self.process.wait()
        assert self.seen, self.errors()
        assert "summary" == self.seen[-1]["event"], self.errors()
        return self.seen[-1]

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def of(self, name: str) -> list[Line]:
        return [event for event in self.seen if event["event"] == name]

    def family(self) -> list[int]:
        """The processes that come from this hunt, wherever they are now."""
        mark = f"{_MARK}={self._mark}".encode()
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if mark in _environment(pid)]

    def workers(self) -> list[int]:
        return [pid for pid in self.family() if b"daemon.worker" in _read(f"/proc/{pid}/cmdline")]

    def has_left_nothing(self) -> bool:
        """Whether all processes end soon."""
        return eventually(lambda: not self.family())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@contextmanager
def hunting(state: Path, *options: str, shell: str = ":") -> Iterator[Hunting]:
    hunt = Hunting(state, *options, shell=shell)
    try:
        yield hunt
    finally:
        hunt.close()


def hunted(state: Path, *options: str) -> Hunting:
    """A hunt that has come to its end."""
    with hunting(state, *options) as hunt:
        hunt.finish()
        return hunt


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether it becomes true, looked at again and again: nobody tells us when a process that is not ours has gone."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def _environment(pid: int) -> list[bytes]:
    return _read(f"/proc/{pid}/environ").split(b"\0")


def program(directory: Path, text: str) -> str:
    """A shell script as a solver; the value of `--solver`."""
    path = directory / "suspect"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return f"spacer@path:{path}"


def liar(directory: Path, lie: str, one_in: int) -> str:
    """The real z3 with a planted bug."""
    z3 = Path(sys.executable).with_name("z3")
    command = f"{sys.executable} -IS {LIAR} {lie} {one_in} {z3} {directory / 'memory'}"
    return program(directory, f'exec {command} "$@"')
