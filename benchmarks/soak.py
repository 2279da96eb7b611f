"""The daemon left alone for long: does what it takes stay flat, are its slots busy, does its loop stall?

    python -m benchmarks.soak --minutes 60

It hunts the newest Spacer, one that crashes on every fifth query and one that hangs on every fifth.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import IO, Final

import msgspec
from rich.console import Console

from backends.spacer_releases import own_spacer
from benchmarks.figures import Aim, Figure, Report, Row, show
from daemon.events import Vitals

_FLAT: Final = Aim(1.1)
"""The last quarter may take so many times what the second quarter takes."""
_BUSY: Final = Aim(0.8, at_least=True)
_STALL: Final = Aim(100)
_VITALS_SECONDS: Final = 10
_PATIENCE: Final = 120.0
_PLANTED: Final = {
    "crashing": "kill -SEGV $$",
    "hanging": "sleep 1000",
}


class Watched(msgspec.Struct):
    """What a daemon has told while it lived."""

    vitals: list[Vitals] = []
    queries: int = 0
    log_bytes: int = 0
    verdicts: dict[str, int] = {}
    unwell: list[str] = []


class _Line(msgspec.Struct):
    event: str
    verdict: str = ""
    check: str = ""
    problem: str = ""


def soak(home: Path, minutes: float) -> Watched:
    command = [sys.executable, "-m", "daemon.cli.main", "daemon", "--config", str(_config(home))]
    watched = Watched()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        listening = threading.Thread(target=_listen, args=(process.stdout, watched))
        listening.start()
        try:
            process.wait(60 * minutes)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
        process.wait(_PATIENCE)
        listening.join()
    return watched


def _config(home: Path) -> Path:
    z3 = own_spacer().program
    suspects = ["spacer", *(f"spacer@path:{_planted(home, name, words, z3)}" for name, words in _PLANTED.items())]
    path = home / "hornblower.toml"
    path.write_text(
        f"[hunt]\nsolvers = {msgspec.json.encode(suspects).decode()}\nseed = 1\n"
        '[knowledge]\nstate = "state"\n[socket]\npath = "socket"\n'
        f'[limits]\nquery_seconds = 2\n[log]\nlevel = "debug"\nvitals_seconds = {_VITALS_SECONDS}\n'
    )
    return path


def _planted(home: Path, name: str, words: str, z3: str) -> Path:
    """On every fifth query, as a counter in a file tells, it does what it should not."""
    path, counter = home / name, home / f"{name}.count"
    path.write_text(
        f"#!/bin/sh\ncount=$(cat {counter} 2>/dev/null || echo 0)\necho $((count + 1)) > {counter}\n"
        f'[ $((count % 5)) -eq 4 ] && {words}\nexec {z3} "$@"\n'
    )
    path.chmod(0o755)
    return path


def _listen(lines: IO[bytes], watched: Watched) -> None:
    for line in lines:
        watched.log_bytes += len(line)
        told = msgspec.json.decode(line, type=_Line)
        if told.event == "vitals":
            watched.vitals.append(msgspec.json.decode(line, type=Vitals))
        elif told.event == "query":
            watched.queries += 1
            watched.verdicts[told.verdict] = watched.verdicts.get(told.verdict, 0) + 1
        elif told.event == "unwell":
            watched.unwell.append(f"{told.check}: {told.problem}")


def reports(watched: Watched) -> list[Report]:
    """What should be flat, and what there was in an hour."""
    vitals, hours = watched.vitals, watched.vitals[-1].uptime / 3600
    flat = tuple(_flat(name, [getattr(each.hygiene, name) for each in vitals]) for name in _HYGIENE)
    answers = ", ".join(f"{count} {verdict}" for verdict, count in sorted(watched.verdicts.items()))
    notes = (f"{60 * hours:.0f} minutes; answers: {answers}", *(f"unwell: {each}" for each in watched.unwell))
    return [
        Report("what the daemon takes", flat),
        Report("what it does", (Row("newest, crashing, hanging", _figures(watched, hours)),), notes),
    ]


def _figures(watched: Watched, hours: float) -> tuple[Figure, ...]:
    last, size = watched.vitals[-1], [each.hygiene.database_mb for each in watched.vitals]
    return (
        Figure("slots busy", last.slots_busy, "share", _BUSY),
        Figure("longest stall", 1000 * last.longest_stall, "ms", _STALL),
        Figure("queries", watched.queries / hours, "an hour"),
        Figure("log", watched.log_bytes / hours / 1e6, "MB an hour"),
        Figure("log", watched.log_bytes / max(1, watched.queries), "bytes a query"),
        Figure("knowledge base", (size[-1] - size[0]) / hours, "MB an hour"),
    )


_HYGIENE: Final = ("memory_mb", "workers_mb", "descriptors", "threads", "processes", "scratch_files")


def _flat(name: str, values: Sequence[float]) -> Row:
    """The second quarter against the last one: the first is for warming up."""
    quarter = max(1, len(values) // 4)
    early, late = median(values[quarter : 2 * quarter] or values), median(values[-quarter:])
    growth = Figure("growth", late / early if early else 1.0, "times", _FLAT)
    return Row(name, (Figure("second quarter", early, ""), Figure("last quarter", late, ""), growth))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--home", type=Path, help="where to keep everything, to look at it afterwards")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="hornblower-soak-") as scratch:
        home: Path = chosen.home or Path(scratch)
        home.mkdir(parents=True, exist_ok=True)
        show(reports(soak(home, chosen.minutes)), Console(width=120))


if __name__ == "__main__":
    main(sys.argv[1:])
