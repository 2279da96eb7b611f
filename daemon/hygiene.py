"""What the daemon itself takes: memory, descriptors, threads, processes, and room on the disk."""

from __future__ import annotations

import os
import resource
import shutil
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from backends.guardian import children, read_proc
from knowledge_base.store import FILE_NAME

_MB: Final = 1024 * 1024
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Hygiene(msgspec.Struct, frozen=True):
    """A measurement. Memory is resident memory in megabytes."""

    memory_mb: float
    """Of the daemon itself."""
    workers_mb: float
    """Of all its workers, without the solvers that they have started."""
    descriptors: int
    """Open ones of the daemon."""
    most_descriptors: int
    """How many it may open."""
    threads: int
    processes: int
    """The children of the daemon: workers, checkers, the guardian."""
    database_mb: float
    """The knowledge base with the log of its latest writes."""
    scratch_files: int
    """Instances that are being asked; a number that grows is a leak."""
    disk_free_mb: float
    """Where the state directory lies."""


def measure(state: Path, workers: Iterable[int]) -> Hygiene:
    """A few milliseconds of reading /proc."""
    return Hygiene(
        memory_mb=_memory_mb(os.getpid()),
        workers_mb=round(sum(map(_memory_mb, workers)), 1),
        descriptors=len(os.listdir("/proc/self/fd")) - 1,  # one of them lists the others
        most_descriptors=resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        threads=threading.active_count(),
        processes=len(children(os.getpid())),
        database_mb=_database_mb(state),
        scratch_files=sum(len(files) for _, _, files in os.walk(state / "scratch")),
        disk_free_mb=round(shutil.disk_usage(state).free / _MB, 1),
    )


def _memory_mb(pid: int) -> float:
    fields = read_proc(f"/proc/{pid}/statm").split()
    return round(int(fields[1]) * _PAGE / _MB, 1) if fields else 0.0


def _database_mb(state: Path) -> float:
    sizes = [path.stat().st_size for suffix in ("", "-wal") if (path := state / f"{FILE_NAME}{suffix}").exists()]
    return round(sum(sizes) / _MB, 1)
