"""What becomes of the processes when the daemon dies, and of the guardian when it dies first."""

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import backends
from backends.guardian import HOUSEHOLD, Guardian, children, is_dying, mark_of
from backends.limits import Limits
from backends.process import run

pytestmark = pytest.mark.anyio

Script = Callable[..., list[str]]
Gone = Callable[..., Awaitable[None]]

DAEMON = """
import sys, anyio
from backends.guardian import HOUSEHOLD
from backends.limits import Limits
from backends.process import run
from backends.warm import WarmProcess

async def hold(argv):
    await run(argv, Limits(1000.0))

async def warm(argv):
    await WarmProcess(argv).ask("", Limits(1000.0))

async def main():
    async with anyio.create_task_group() as group:
        group.start_soon(hold, sys.argv[1:])
        group.start_soon(warm, sys.argv[1:])
        await anyio.sleep(0)
        print(HOUSEHOLD.guardian.pid, file=sys.stderr, flush=True)

anyio.run(main)
"""
SOLVER = """
import os, sys, time
def tell():
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
tell()
time.sleep(1000)
"""


def start_daemon(solver: list[str]) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(Path(backends.__file__).parents[1])}
    command = [sys.executable, "-c", DAEMON, *solver]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


async def test_everything_dies_with_a_killed_daemon(script: Script, tmp_path: Path, gone: Gone) -> None:
    pid_file = tmp_path / "pids"
    os.mkfifo(pid_file)
    with start_daemon(script(SOLVER, pid_file)) as daemon:
        assert daemon.stderr is not None
        guardian = int(daemon.stderr.readline())
        pids: list[int] = []
        while len(pids) < 4:
            pids += map(int, pid_file.read_text().split())
        daemon.send_signal(signal.SIGKILL)
    await gone(*pids, guardian)


async def test_the_household_has_one_guardian_for_all_runs(script: Script) -> None:
    await run(script("pass"), Limits(120.0))
    first = HOUSEHOLD.guardian.pid
    await run(script("pass"), Limits(120.0))
    assert first == HOUSEHOLD.guardian.pid
    assert first in children(os.getpid())


async def test_every_run_carries_a_mark_of_its_own(script: Script) -> None:
    argv = script("import os; print(os.environ['HORNBLOWER_TREE'])")
    marks = [(await run(argv, Limits(120.0))).stdout.decode().strip() for _ in range(2)]
    assert marks[0] != marks[1]
    assert {HOUSEHOLD.tree} == {mark.split(".")[0] for mark in marks}


def test_a_dead_guardian_is_replaced() -> None:
    guardian = Guardian("nobody")
    guardian.ensure()
    first = guardian.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    guardian.ensure()
    assert guardian.pid not in (None, first)
    guardian.stop()


def test_a_guardian_outlives_the_signals_that_stop_a_service() -> None:
    guardian = Guardian("nobody")
    guardian.ensure()
    pid = guardian.pid
    assert pid is not None
    os.kill(pid, signal.SIGTERM)
    os.kill(pid, signal.SIGINT)
    guardian.ensure()
    assert pid == guardian.pid
    guardian.stop()


def test_a_guardian_goes_at_once_and_takes_only_its_own_along() -> None:
    guardian = Guardian("mine")
    guardian.ensure()
    pid = guardian.pid
    command = [sys.executable, "-S", "-c", "print('here', flush=True); input()"]
    marks = {"mine": "mine.1", "other": "other.1", "prefix": "mine2.1"}
    pipe = subprocess.PIPE
    started = {
        name: subprocess.Popen(command, stdin=pipe, stdout=pipe, env={"HORNBLOWER_TREE": mark})
        for name, mark in marks.items()
    }
    for process in started.values():
        assert process.stdout is not None
        assert b"here\n" == process.stdout.readline()
    assert marks == {name: mark_of(process.pid) for name, process in started.items()}
    guardian.stop()
    assert guardian.pid is None
    assert pid not in children(os.getpid())
    assert -signal.SIGKILL == started["mine"].wait()
    for name in ("other", "prefix"):
        assert started[name].poll() is None
        started[name].kill()
    for process in started.values():
        process.communicate()


def test_a_guardian_needs_little_memory() -> None:
    guardian = Guardian("nobody")
    guardian.ensure()
    try:
        assert guardian.pid is not None
        status = Path(f"/proc/{guardian.pid}/status").read_text()
        assert int(status.split("VmHWM:")[1].split()[0]) < 40_000
    finally:
        guardian.stop()


def test_a_process_that_ends_is_known_to() -> None:
    """Alive it is not dying; a zombie and one that has gone are."""
    with subprocess.Popen(["sleep", "1000"]) as process:
        assert not is_dying(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_dying(process.pid)
    assert is_dying(process.pid)
