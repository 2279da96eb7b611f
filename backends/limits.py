"""What a process may use, and what it uses."""

import math
import os
import resource
from collections.abc import Iterable

import msgspec

from backends.guardian import children, read_proc

MIB = 1024 * 1024
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / MIB


class Limits(msgspec.Struct, frozen=True):
    """The bounds of one query.

    `memory_mb` bounds the address space of each process and the summed resident memory of the tree; set
    `address_space=False` for programs that reserve far more than they touch, such as JVMs.
    `output_bytes` counts stdout and stderr together.
    """

    wall_seconds: float
    cpu_seconds: float | None = None
    memory_mb: int | None = None
    output_bytes: int = 32 * MIB
    address_space: bool = True


class Usage(msgspec.Struct, frozen=True):
    memory_mb: float
    cpu_seconds: float

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.memory_mb + other.memory_mb, self.cpu_seconds + other.cpu_seconds)


def impose(pid: int, limits: Limits) -> None:
    """Let the kernel enforce on a fresh process, and on whatever it forks, what the kernel can."""
    if limits.cpu_seconds is not None:
        seconds = max(1, math.ceil(limits.cpu_seconds))
        _limit(pid, resource.RLIMIT_CPU, seconds, seconds + 1)
    if (space := _address_space(limits)) != resource.RLIM_INFINITY:
        _limit(pid, resource.RLIMIT_AS, space, space)


def impose_again(pid: int, limits: Limits) -> None:
    """The same for one more query to a process that serves many: a soft limit, which the next can lift again.

    CPU time is missing here, because the kernel counts it from the start of the process.
    """
    _limit(pid, resource.RLIMIT_AS, _address_space(limits), resource.RLIM_INFINITY)


def forbid_core(pid: int) -> None:
    # Not 0: a limit of 1 also keeps the kernel from piping the core to a crash handler.
    _limit(pid, resource.RLIMIT_CORE, 1, 1)


def _address_space(limits: Limits) -> int:
    if limits.memory_mb is None or not limits.address_space:
        return resource.RLIM_INFINITY
    return limits.memory_mb * MIB


def _limit(pid: int, which: int, soft: int, hard: int) -> None:
    """Set a limit, but never above the one that this process has itself."""
    own = resource.getrlimit(which)[1]
    if own != resource.RLIM_INFINITY:
        soft, hard = (own if value == resource.RLIM_INFINITY else min(value, own) for value in (soft, hard))
    try:
        resource.prlimit(pid, which, (soft, hard))
    except ProcessLookupError:
        return  # it has ended already


def measure(roots: Iterable[int]) -> Usage:
    """What the processes `roots` and all their living descendants use together."""
    total, pending = Usage(0.0, 0.0), list(roots)
    while pending:
        pid = pending.pop()
        total += _usage(pid)
        pending += children(pid)
    return total


def _usage(pid: int) -> Usage:
    fields = read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if len(fields) < 22:
        return Usage(0.0, 0.0)
    return Usage(int(fields[21]) * _PAGE_MB, sum(map(int, fields[11:15])) / _TICKS)


def high_water_mb(pid: int) -> float:
    """The most resident memory that one living process has had so far."""
    _, found, rest = read_proc(f"/proc/{pid}/status").partition(b"VmHWM:")
    return int(rest.split(None, 1)[0]) / 1024 if found else 0.0
