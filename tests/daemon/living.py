"""The daemon as a process of its own, as systemd would start it: with sockets to be told things and to listen at."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

_STARTER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
os.environ["LISTEN_PID"], os.environ["LISTEN_FDS"] = str(os.getpid()), "1"
os.execv(sys.executable, [sys.executable, "-m", "daemon.cli.main", "daemon", "--config", sys.argv[2]])
"""
_PATIENCE_SECONDS = 60.0
MARK = "SERVICE_OF_A_TEST"
SEED = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (P n))))
(assert (forall ((n Int)) (=> (and (P n) (< n {last})) (P (+ n 1)))))
(assert (forall ((n Int)) (=> (and (P n) (> n 20)) false)))
(check-sat)
"""
Line = dict[str, object]


class Living:
    """A daemon that was started, what it tells systemd, and what it logs."""

    def __init__(self, home: Path, *, is_activated: bool, watchdog_seconds: float | None) -> None:
        self.home, self.config = home, home / "hornblower.toml"
        self.address = home / "socket"
        self.mark = uuid.uuid4().hex
        self._hearing = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._hearing.bind(str(home / "notify"))
        self._hearing.settimeout(_PATIENCE_SECONDS)
        environment = {**os.environ, "NOTIFY_SOCKET": str(home / "notify"), MARK: self.mark}
        if watchdog_seconds is not None:
            environment["WATCHDOG_USEC"] = str(int(watchdog_seconds * 1e6))
        self.process = self._activated(environment) if is_activated else self._plain(environment)
        self.seen: list[Line] = []

    def _plain(self, environment: dict[str, str]) -> subprocess.Popen[str]:
        return self._start(["-m", "daemon.cli.main", "daemon", "--config", str(self.config)], environment)

    def _activated(self, environment: dict[str, str]) -> subprocess.Popen[str]:
        """The socket stays open here, as it does in systemd."""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.address))
        self._listening.listen()
        number = self._listening.fileno()
        return self._start(["-c", _STARTER, str(number), str(self.config)], environment, number)

    def _start(self, words: list[str], environment: dict[str, str], *descriptors: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *words],
            env=environment,
            pass_fds=descriptors,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for(self, name: str) -> Line:
        """The next event of this name."""
        assert self.process.stdout is not None
        while select.select([self.process.stdout], [], [], _PATIENCE_SECONDS)[0]:
            text = self.process.stdout.readline()
            if not text:
                break
            line: Line = msgspec.json.decode(text)
            self.seen.append(line)
            if line["event"] == name:
                return line
        raise AssertionError(f"no {name} came; {[line['event'] for line in self.seen[-5:]]}; {self.errors()}")

    def told(self, word: str) -> str:
        """The next thing that is told to systemd and begins with this word."""
        while not (said := self._hearing.recv(10_000).decode()).startswith(word):
            pass
        return said

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read() if self.process.poll() is not None else ""

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._hearing.close()
        if hasattr(self, "_listening"):
            self._listening.close()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


def configure(home: Path, text: str = "", solvers: tuple[str, ...] = ("spacer",)) -> None:
    """A small hunt that looks for seeds often."""
    (home / "seeds").mkdir(exist_ok=True)
    (home / "hornblower.toml").write_text(
        f"[hunt]\nsolvers = {msgspec.json.encode(solvers).decode()}\nslots = 1\nseed = 1\n"
        '[seeds]\ncorpus = false\ndirectories = ["seeds"]\nlook_seconds = 0.1\n'
        f'[knowledge]\nstate = "state"\ndisk_reserve_mb = 1\n[socket]\npath = "socket"\n{text}'
    )


@contextmanager
def living(home: Path, *, is_activated: bool = False, watchdog_seconds: float | None = None) -> Iterator[Living]:
    daemon = Living(home, is_activated=is_activated, watchdog_seconds=watchdog_seconds)
    try:
        yield daemon
    finally:
        daemon.close()
