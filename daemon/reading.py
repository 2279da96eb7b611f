"""The program that reads what users have submitted, apart from everything else, and how it is started.

    python -m daemon.reading NAME <TEXT >REPORT

A small text can take long to read or need much memory. Here that costs nobody anything: the process has hard limits,
and neither the event loop nor the solvers that run meanwhile notice it.
"""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from backends.limits import Limits as ProcessLimits
from backends.process import Ending, run
from backends.spacer import SPACER
from chc.lexer import Limits, ReadError
from chc.script import read_instance
from daemon.collector import relax
from daemon.features import features_of
from daemon.jobs import Job, Report
from knowledge_base.records import Origin

TEXT_LIMITS: Final = Limits(
    characters=8 * 1024 * 1024,
    nesting=20_000,
    numeral_digits=1000,
    clauses=100_000,
    definition_growth=1_000_000,
)
"""What is read of what comes over the socket: less than from a file, because nobody pays for it but the hunt."""
LIMITS: Final = ProcessLimits(wall_seconds=120.0, cpu_seconds=10.0, memory_mb=1024, output_bytes=32 * 1024 * 1024)
_INSTEAD: Final = "; it is too much for the daemon, but not for: hornblower check FILE"
_REPORTS: Final = msgspec.msgpack.Decoder(Report)


async def read_apart(job: Job) -> Report:
    """What a user has submitted, as an instance, or why it is none."""
    done = await run(
        [sys.executable, "-m", "daemon.reading", job.source], LIMITS, stdin=job.parents[0].text.encode() or b"\n"
    )
    if done.ending is Ending.exited and done.exit_code == 0:
        return msgspec.structs.replace(_REPORTS.decode(done.stdout), id=job.id)
    if done.ending in (Ending.timeout, Ending.cpu_timeout, Ending.memout, Ending.flood):
        return Report(job.id, refusal=f"{job.source}: reading it was given up ({done.message}){_INSTEAD}")
    return Report(job.id, trouble=done.stderr.decode("utf-8", "replace")[-4000:] or done.message)


def read(text: str, source: str) -> Report:
    """Predicates that z3 would confuse with its goals get other names."""
    try:
        instance = SPACER.spelled(read_instance(text, source, TEXT_LIMITS))
    except ReadError as problem:
        return Report(0, refusal=str(problem))
    return Report(0, text=instance.text, address=instance.address, features=features_of(instance), origin=Origin.user)


def main() -> None:
    relax()
    try:
        report = read(sys.stdin.buffer.read().decode(), sys.argv[1])
    except MemoryError:
        report = Report(0, refusal=f"{sys.argv[1]}: reading it takes more than {LIMITS.memory_mb} MB{_INSTEAD}")
    sys.stdout.buffer.write(msgspec.msgpack.encode(report))


if __name__ == "__main__":
    main()
