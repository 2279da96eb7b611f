"""The hunt against a plain loop: queries per second and core, busy slots, stalls of the loop, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from backends.guardian import children, read_proc
from backends.limits import measure as measure_tree
from backends.spacer_releases import own_spacer
from benchmarks.figures import Aim, Figure, Report, Row
from benchmarks.inputs import Inputs, Scale

_CORES: Final = os.cpu_count() or 1
_PLAIN_QUERIES: Final = 200
_COLD_QUERIES: Final = 2000
_STALL_AIM: Final = Aim(50)
_MEMORY_AIM: Final = Aim(500)


class _Line(msgspec.Struct):
    """What is read of an event."""

    event: str
    seconds: float = 0.0
    queries: int = 0
    slots: int = 0
    slots_busy: float = 0.0
    longest_stall: float = 0.0


class Hunted(msgspec.Struct, frozen=True):
    """What one hunt gave."""

    queries: int
    seconds: float
    slots_busy: float
    longest_stall_ms: float
    median_ms: float
    halfway_mb: float
    last_mb: float


def measure(inputs: Inputs, scale: Scale) -> Report:
    """Three suspects: Spacer in warm processes, cold ones of 15 ms, and cold ones made to take 50 ms or more."""
    z3 = own_spacer().program
    with tempfile.TemporaryDirectory(prefix="hornblower-benchmarks-") as folder:
        place = Path(folder)
        plain, few = _plain_loop(z3), min(scale.hunted, _COLD_QUERIES)
        suspects = {
            "warm": ("spacer", None),
            "cold": (f"spacer@path:{_wrapper(place, 'cold', z3, 0.0)}", Aim(0.80, at_least=True)),
            "cold, 50 ms": (f"spacer@path:{_wrapper(place, 'slow', z3, 0.04)}", Aim(0.95, at_least=True)),
        }
        rows = [
            _row(name, _hunt(suspect, place / f"state-{name}", scale.hunted if aim is None else few), aim, plain)
            for name, (suspect, aim) in suspects.items()
        ]
    notes = (
        f"the plain loop runs z3 on the embedded instances one after the other: {1 / plain:.1f} queries/s on one core",
        f"{scale.hunted} queries warm, {few} cold, on {_CORES} cores; memory is that of the daemon and its workers",
    )
    return Report("the hunt", tuple(rows), notes)


def _wrapper(folder: Path, name: str, z3: str, pause: float) -> Path:
    """A program that waits, then becomes z3; programs given by their path are never warm."""
    path = folder / name
    path.write_text(f'#!/bin/sh\n{f"sleep {pause}" if pause else ":"}\nexec {z3} "$@"\n')
    path.chmod(0o755)
    return path


def _plain_loop(z3: str) -> float:
    """Seconds for one query of a loop that knows no better."""
    corpus = Path(__file__).resolve().parent.parent / "transformations" / "corpus"
    files = sorted(corpus.glob("*.smt2"))
    taken = []
    for number in range(_PLAIN_QUERIES):
        began = time.perf_counter()
        command = [z3, "fp.engine=spacer", "-T:2", str(files[number % len(files)])]
        subprocess.run(command, capture_output=True, check=False)
        taken.append(time.perf_counter() - began)
    return median(taken)


def _hunt(suspect: str, state: Path, queries: int) -> Hunted:
    command = [sys.executable, "-m", "daemon.cli.main", "run", "--json", "--seed", "1", "--solver", suspect]
    command += ["--queries", str(queries), "--state", str(state), "--timeout", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        samples: list[float] = []
        watcher = threading.Thread(target=_watch, args=(process, samples), daemon=True)
        watcher.start()
        assert process.stdout is not None
        lines = [msgspec.json.decode(line, type=_Line) for line in process.stdout]
        process.wait()
        watcher.join()
    times = [line.seconds for line in lines if line.event == "query"]
    summary = lines[-1]
    return Hunted(
        summary.queries,
        summary.seconds,
        summary.slots_busy,
        1000 * summary.longest_stall,
        1000 * median(times),
        samples[len(samples) // 2],
        samples[-1],
    )


def _watch(process: subprocess.Popen[bytes], samples: list[float]) -> None:
    """The resident memory of the daemon and its workers, twice a second, as long as they live."""
    while process.poll() is None:
        samples.append(_python_memory(process.pid))
        time.sleep(0.5)


def _python_memory(daemon: int) -> float:
    """Of the daemon and of those of its children that are workers of ours."""
    pids = [daemon, *(pid for pid in children(daemon) if b"daemon.worker" in read_proc(f"/proc/{pid}/cmdline"))]
    return sum(_memory_of(pid) for pid in pids)


def _memory_of(pid: int) -> float:
    """Megabytes of one process, without its children."""
    own = measure_tree([pid]).memory_mb
    return own - sum(measure_tree([child]).memory_mb for child in children(pid))


def _row(name: str, hunted: Hunted, aim: Aim | None, plain_seconds: float) -> Row:
    per_core = hunted.queries / hunted.seconds / _CORES
    return Row(
        name,
        (
            Figure("per core", per_core, "queries/s"),
            Figure("against the plain loop", per_core * plain_seconds, "times"),
            Figure("median query", hunted.median_ms, "ms"),
            Figure("slots busy", hunted.slots_busy, "share", aim),
            Figure("longest stall", hunted.longest_stall_ms, "ms", _STALL_AIM),
            Figure("memory halfway", hunted.halfway_mb, "MB"),
            Figure("memory at the end", hunted.last_mb, "MB", _MEMORY_AIM),
        ),
    )
