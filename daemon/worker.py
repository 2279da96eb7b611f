"""The program of a worker: takes jobs from stdin, several at a time, and writes reports to stdout.

    python -m daemon.worker FOLDER

FOLDER is where it writes the instances that it asks; the daemon takes it away in the end, because a worker may be
killed at any time. It ends when its stdin does, so that no worker outlives the daemon.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from pathlib import Path

import anyio
import msgspec

from backends.checker_programs import Z3, Effort
from backends.examination import Examiner
from backends.frames import Broken, Frames
from backends.smt_checker import CHECKERS
from backends.store import newest
from daemon.bench import Bench
from daemon.collector import relax
from daemon.interrogation import Interrogation
from daemon.jobs import Job, Report

_QUICK = Effort(question_seconds=1.0, total_seconds=10.0, memory_mb=2048)


async def serve(frames: Frames, folder: Path) -> None:
    """One solver at a time; what is before and after it goes on beside the next."""
    thorough, quick = Examiner(CHECKERS, 1), Examiner((Z3,), 2, _QUICK)
    bench = Bench(thorough, quick, slots=1, folder=folder, helpers=newest())
    async with bench, anyio.create_task_group() as group:
        interrogation = Interrogation(bench)
        while True:
            try:
                message = await frames.receive()
            except Broken:
                group.cancel_scope.cancel()
                return
            group.start_soon(_answer, interrogation, frames, msgspec.msgpack.decode(message, type=Job))


async def _answer(interrogation: Interrogation, frames: Frames, job: Job) -> None:
    try:
        report = await interrogation.perform(job)
    except Exception:  # the supervisor of jobs: whatever one stumbles over is told, and the next one is served
        report = Report(job.id, trouble=traceback.format_exc(limit=-12))
    try:
        await frames.send(msgspec.msgpack.encode(report))
    except Broken:
        return  # the daemon has gone, and we are about to follow


def main() -> None:
    relax()
    # What a solver or an adapter leaves lying about goes with the folder, also after a kill.
    os.environ["TMPDIR"] = sys.argv[1]
    # The daemon decides when its workers stop, not the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # whatever prints does not disturb the frames
    anyio.run(serve, Frames(reading, writing), Path(sys.argv[1]))


if __name__ == "__main__":
    main()
    sys.exit(0)
