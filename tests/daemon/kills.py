"""The daemon killed again and again at random moments, while it hunts and while clients submit.

    python -m tests.daemon.kills --kills 1000

After each kill it is looked whether everything is as it should be: the knowledge base is consistent; no finding and no
query that was told is missing, nor any job that was accepted; no process and no temporary file is left. In the end the
daemon is let to finish every job. Each lane is a daemon of its own, so that as many run as there are processors.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Final

import msgspec

from daemon.client import Client, NoDaemon, Rejected
from daemon.protocol import Submit, Taken
from knowledge_base import counters, errands, findings
from knowledge_base.integrity import problems
from knowledge_base.store import FILE_NAME, connect_to_read, open_knowledge_base
from tests.daemon.hunting import liar

_MARK: Final = "KILLED_DAEMON"
_EARLY_SHARE: Final = 0.25
"""So many kills come while the daemon starts, the rest after it has asked its first query."""
_EARLY_SECONDS: Final = 1.5
_LATE_SECONDS: Final = 1.0
_PAUSE_SECONDS: Final = 0.01
_MOST_JOBS: Final = 900
"""The daemon remembers 1000 that are over; all of them shall be found in the end."""
_PATIENCE: Final = 600.0
_KEPT: Final = {"knowledge.sqlite", "knowledge.sqlite-wal", "knowledge.sqlite-shm", "lock", "scratch"}
_SEED: Final = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((n Int)) (=> (= n {first}) (P n))))
(assert (forall ((n Int)) (=> (and (P n) (< n {last})) (P (+ n 1)))))
(assert (forall ((n Int)) (=> (and (P n) (> n {bound})) false)))
(check-sat)
"""


class Table(msgspec.Struct):
    """What came of it. `wrong` has a line for everything that was not as it should be."""

    kills: int = 0
    early: int = 0
    """Kills while the daemon started."""
    queries: int = 0
    findings: int = 0
    jobs: int = 0
    """Those that were accepted."""
    slowest_burial: float = 0.0
    """Seconds until the last process of a killed daemon was gone, at most."""
    seconds: float = 0.0
    database_mb: float = 0.0
    wrong: list[str] = []


class Line(msgspec.Struct):
    """What is read of an event."""

    event: str
    finding: str = ""


class Lane:
    """One state directory and the lives of the daemon on it."""

    def __init__(self, home: Path, seed: int) -> None:
        self.table = Table()
        self._home, self._rng = home, random.Random(seed)
        self._told: set[str] = set()
        self._queries = 0
        self._taken: dict[str, None] = {}
        self._temporary = home / "tmp"
        self._socket = home / "socket"
        self._mark = uuid.uuid4().hex
        for folder in (home, home / "seeds", self._temporary):
            folder.mkdir()
        self._config = home / "hornblower.toml"
        self._config.write_text(
            f'[hunt]\nsolvers = ["{liar(home, "flip", 2)}"]\nslots = 1\nseed = {seed + 1}\n'
            '[seeds]\ncorpus = false\ndirectories = ["seeds"]\nlook_seconds = 0.2\n'
            '[knowledge]\nstate = "state"\n[socket]\npath = "socket"\n[limits]\nquery_seconds = 2\n'
        )
        for number in range(3):
            (home / "seeds" / f"{number}.smt2").write_text(_SEED.format(first=0, last=9 + number, bound=5 + 9 * number))

    # Lives ------------------------------------------------------------------------------------------------

    def live_and_die(self) -> None:
        """One life, one kill, one look at what is left."""
        is_early = self._rng.random() < _EARLY_SHARE
        with open(self._home / "log", "wb") as log:
            process = self._start(log)
            submitting = threading.Thread(target=self._submit, args=(process,), daemon=True)
            submitting.start()
            if is_early:
                self._stay(process, self._rng.uniform(0, _EARLY_SECONDS))
            else:
                self._await_query(process)
                self._stay(process, self._rng.uniform(0, _LATE_SECONDS))
            process.send_signal(signal.SIGKILL)
            began = time.monotonic()
            process.wait()
            submitting.join()
        self.table.kills += 1
        self.table.early += is_early
        self._require("a process is left", _soon(lambda: not list(self._family())))
        self.table.slowest_burial = max(self.table.slowest_burial, time.monotonic() - began)
        self._look()

    def finish(self) -> None:
        """The last life: every job comes to its end, and the daemon stops when it is told to."""
        with open(self._home / "log", "wb") as log:
            process = self._start(log)
            _soon(lambda: process.poll() is not None or not self._open_jobs())
            self._require("a job does not end", not self._open_jobs())
            process.send_signal(signal.SIGTERM)
            code = process.wait(_PATIENCE)
        self._require(f"the daemon ended with {code}: {self._errors()}", code == 0)
        self._look()
        left = {*os.listdir(self._home / "state")} - {"knowledge.sqlite", "lock"}
        self._require(f"left in the state directory: {left}", not left)
        self._require("the socket is left", not self._socket.exists())

    def _start(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        environment = {**os.environ, _MARK: self._mark, "TMPDIR": str(self._temporary)}
        command = [sys.executable, "-m", "daemon.cli.main", "daemon", "--config", str(self._config)]
        with open(self._home / "errors", "ab") as errors:
            return subprocess.Popen(command, stdout=log, stderr=errors, env=environment)

    def _stay(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return
        self._require(f"the daemon ended by itself: {self._errors()}", False)

    def _await_query(self, process: subprocess.Popen[bytes]) -> None:
        def has_asked() -> bool:
            return process.poll() is not None or b'"event":"query"' in (self._home / "log").read_bytes()

        self._require("no query was asked", _soon(has_asked))

    def _errors(self) -> str:
        return (self._home / "errors").read_text("utf-8", "replace")[-2000:]

    # Clients ----------------------------------------------------------------------------------------------

    def _submit(self, process: subprocess.Popen[bytes]) -> None:
        """One job in each life, as soon as the daemon takes it; nobody knows whether the kill comes before."""
        number = len(self._taken)
        while process.poll() is None and len(self._taken) == number < _MOST_JOBS:
            try:
                with Client(self._socket) as client:
                    self._taken[client.ask(self._job(number), Taken).job] = None
            except (NoDaemon, Rejected, OSError):
                time.sleep(_PAUSE_SECONDS)  # it is not there yet, or not any more, or has too much to do

    def _job(self, number: int) -> Submit:
        budget = {"queries": 1 + number % 3} if number % 2 else None
        job = {"request": "submit", "id": 1, "text": self._text(number), "seconds": 2, "interrogate": budget}
        return msgspec.convert(job, Submit)

    def _text(self, number: int) -> str:
        return _SEED.format(first=number, last=number + 5, bound=number + (3 if number % 2 else 7))

    def _open_jobs(self) -> int:
        with closing(connect_to_read(self._home / "state" / FILE_NAME)) as connection:
            return len(errands.still_open(connection))

    # Looking ----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Whether what is left is as it should be."""
        self._hear()
        self._require("a temporary file is left", not os.listdir(self._temporary))
        if not (self._home / "state").exists():
            return  # it was killed before it had begun
        strange = {*os.listdir(self._home / "state")} - _KEPT
        self._require(f"in the state directory there is {strange}", not strange)
        with open_knowledge_base(self._home / "state") as knowledge:
            for problem in knowledge.read(problems):
                self._require(problem, False)
            stored = {each.key for each in knowledge.read(findings.select)}
            done = int(knowledge.read(counters.totals).get("queries", 0))
            known = {each.id for each in knowledge.read(errands.remembered)}
        self._require(f"findings are lost: {self._told - stored}", self._told <= stored)
        self._require(f"{self._queries} queries were told, but {done} are known", self._queries <= done)
        self._require(f"jobs are lost: {self._taken.keys() - known}", self._taken.keys() <= known)
        self.table.queries, self.table.findings, self.table.jobs = done, len(stored), len(self._taken)
        self.table.database_mb = (self._home / "state" / "knowledge.sqlite").stat().st_size / 1e6

    def _hear(self) -> None:
        """What was told in this life. Only the last line may be cut off."""
        for line in (self._home / "log").read_bytes().splitlines(keepends=True):
            if line.endswith(b"\n"):
                event = msgspec.json.decode(line, type=Line)
                self._queries += event.event == "query"
                if event.finding:
                    self._told.add(event.finding)

    def _family(self) -> Iterator[int]:
        mark = f"{_MARK}={self._mark}".encode()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    yield int(pid)
            except OSError:
                continue

    def _require(self, what: str, is_so: bool) -> None:
        if not is_so:
            self.table.wrong.append(f"after kill {self.table.kills}: {what}")


def _soon(condition: Callable[[], bool]) -> bool:
    """Whether it becomes true, on a machine that may be very busy."""
    deadline = time.monotonic() + _PATIENCE
    while not (is_true := condition()) and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
    return is_true


def kill(kills: int, lanes: int, home: Path, seed: int, said: IO[str] | None = None) -> list[Table]:
    """So many kills in each lane, all lanes at the same time; what came of it, lane by lane."""
    all_lanes = [Lane(home / f"lane{number}", seed + number) for number in range(lanes)]
    threads = [threading.Thread(target=_drive, args=(lane, kills, said)) for lane in all_lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [lane.table for lane in all_lanes]


def _drive(lane: Lane, kills: int, said: IO[str] | None) -> None:
    began = time.monotonic()
    try:
        for _ in range(kills):
            lane.live_and_die()
            if said is not None and lane.table.kills % 50 == 0:
                print(msgspec.json.encode(lane.table).decode(), file=said, flush=True)
        lane.finish()
    except Exception as problem:  # the thread has nobody to tell it to
        lane.table.wrong.append(f"{type(problem).__name__}: {problem}")
    lane.table.seconds = round(time.monotonic() - began, 1)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.daemon.kills", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="in all lanes together (100)")
    parser.add_argument("--lanes", type=int, default=os.cpu_count() or 1, help="daemons at the same time")
    parser.add_argument("--seed", type=int, default=0, help="of the random moments (0)")
    parser.add_argument("--home", type=Path, help="where to keep everything, to look at it afterwards")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="hornblower-kills-") as scratch:
        home = chosen.home or Path(scratch)
        home.mkdir(parents=True, exist_ok=True)
        tables = kill(-(-chosen.kills // chosen.lanes), chosen.lanes, home, chosen.seed, sys.stderr)
    for table in tables:
        print(msgspec.json.format(msgspec.json.encode(table), indent=2).decode())
    return 1 if any(table.wrong for table in tables) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
