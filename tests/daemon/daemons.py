"""Daemons as processes of their own, for tests of the commands that talk to them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backends.guardian import children
from daemon.client import Client, NoDaemon
from daemon.protocol import AskStatus, StatusReply
from tests.daemon.hunting import eventually

_MB = 1024 * 1024


class Daemon:
    """One state directory, its socket, and the lives of the daemon on it."""

    def __init__(self, directory: Path, solver: str = "spacer") -> None:
        self.socket = directory / "socket"
        self.log = directory / "log"
        self._config = directory / "hornblower.toml"
        self._config.write_text(
            f'[hunt]\nsolvers = ["{solver}"]\nslots = 1\nseed = 1\n[seeds]\ncorpus = false\n'
            f'[knowledge]\nstate = "{directory / "state"}"\n[socket]\npath = "{self.socket}"\n'
            f'[log]\nformat = "json"\nfile = "{self.log}"\n'
        )
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "daemon.cli.main", "daemon", "--config", str(self._config)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert eventually(self._answers), self.log.read_text() if self.log.exists() else "no log"
        return process

    def _answers(self) -> bool:
        try:
            with Client(self.socket) as client:
                status = client.ask(AskStatus(1), StatusReply).status
                return status["stage"] == "hunting"
        except NoDaemon:
            return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        self.kill()
        self.process = self._start()

    def memory_mb(self) -> int:
        """Resident memory of the daemon without its workers."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") // _MB

    def family_mb(self) -> int:
        """The same with its workers and whatever they have started."""
        pages, pending = 0, [self.process.pid]
        while pending:
            pid = pending.pop()
            try:
                pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            except OSError:
                continue
            pending += children(pid)
        return pages * os.sysconf("SC_PAGE_SIZE") // _MB


@contextmanager
def living(directory: Path, solver: str = "spacer") -> Iterator[Daemon]:
    daemon = Daemon(directory, solver)
    try:
        yield daemon
    finally:
        daemon.kill()
