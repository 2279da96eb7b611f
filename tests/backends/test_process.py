"""Cold runs of real processes, well and badly behaved. Time limits that must not be reached are generous."""

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from backends.limits import Limits
from backends.process import Ending, run

pytestmark = pytest.mark.anyio

Script = Callable[..., list[str]]
Gone = Callable[..., Awaitable[None]]
Appears = Callable[[Path], Awaitable[None]]

AMPLE = Limits(wall_seconds=120.0)
BRIEF = Limits(wall_seconds=0.3)

SLEEP = "import time; time.sleep(1000)"
FORK_AND_IGNORE = """
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
reading, writing = os.pipe()
main = os.getpid()
for _ in range(2):
    os.fork()
os.write(writing, b"%d " % os.getpid())
said = b""
while os.getpid() == main and said.count(b" ") < 4:
    said += os.read(reading, 100)
print(said.decode(), flush=True)
while os.getpid() == main:
    print("flood")
time.sleep(1000)
"""
ESCAPE = """
import os, sys, time
reading, writing = os.pipe()
os.set_inheritable(writing, True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        environment = {} if "bare" in sys.argv else os.environ
        os.execve("/bin/sh", ["sh", "-c", f"printf '%s ' $$ >&{writing}; exec sleep 1000"], environment)
    os.write(writing, b"%d " % os.getpid())
    if "leave" in sys.argv:
        os._exit(0)
    time.sleep(1000)
said = b""
while said.count(b" ") < 2:
    said += os.read(reading, 100)
print(said.decode(), flush=True)
while "flood" in sys.argv:
    print("flood")
if "tell" in sys.argv:
    with open(sys.argv[-1] + ".new", "wb") as file:
        file.write(b"%d " % os.getpid() + said)
    os.rename(sys.argv[-1] + ".new", sys.argv[-1])
    time.sleep(1000)
"""


def pids_in(output: bytes) -> list[int]:
    return [int(word) for word in output.split() if word.isdigit()]


def exists(pid: int) -> bool:
    """Also as a zombie."""
    return Path(f"/proc/{pid}").exists()


def start_in_our_session() -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", SLEEP])


async def test_a_solver_gives_its_verdict(z3: str, horn_sat: str, tmp_path: Path) -> None:
    file = tmp_path / "instance.smt2"
    file.write_text(horn_sat)
    result = await run([z3, str(file)], AMPLE)
    assert (Ending.exited, 0, None) == (result.ending, result.exit_code, result.signal)
    assert result.stdout.startswith(b"sat\n")
    assert (z3, str(file)) == result.argv
    assert 0 < result.cpu_seconds
    assert 0 < result.seconds < AMPLE.wall_seconds


async def test_both_streams_and_the_exit_code_are_kept(script: Script) -> None:
    result = await run(script("import sys; print('a'); print('b', file=sys.stderr); sys.exit(7)"), AMPLE)
    assert (Ending.exited, 7, b"a\n", b"b\n") == (
        result.ending,
        result.exit_code,
        result.stdout,
        result.stderr,
    )


async def test_directory_and_environment_are_passed_on(script: Script, tmp_path: Path) -> None:
    argv = script("import os; print(os.getcwd(), os.environ['COLOUR'])")
    result = await run(argv, AMPLE, cwd=tmp_path, env={"COLOUR": "red"})
    assert f"{tmp_path} red\n" == result.stdout.decode()


async def test_a_sleeper_is_timed_out() -> None:
    result = await run(["/bin/sh", "-c", "echo partial; exec sleep 1000"], Limits(wall_seconds=2.0))
    assert (Ending.timeout, signal.SIGKILL) == (result.ending, result.signal)
    assert b"partial\n" == result.stdout
    assert "killed after 2 s" == result.message


@pytest.mark.parametrize("cpu_seconds", [0.3, 1.0])
async def test_a_spinner_runs_out_of_cpu_time(script: Script, cpu_seconds: float) -> None:
    result = await run(script("while True: pass"), Limits(120.0, cpu_seconds=cpu_seconds))
    assert Ending.cpu_timeout == result.ending
    assert cpu_seconds - 0.1 < result.cpu_seconds


async def test_cpu_time_is_summed_over_the_tree(script: Script) -> None:
    argv = script("import os, time\nif os.fork() and os.fork(): time.sleep(1000)\nwhile True: pass")
    assert Ending.cpu_timeout == (await run(argv, Limits(120.0, cpu_seconds=1.5))).ending


HOG = "kept = []\nwhile True: kept.append(bytearray(1 << 20))"


async def test_a_hog_is_refused_memory_by_the_kernel(script: Script) -> None:
    result = await run(script(HOG), Limits(120.0, memory_mb=200))
    assert (Ending.memout, 1) == (result.ending, result.exit_code)


async def test_a_hog_with_unbounded_address_space_is_killed_by_the_watcher(script: Script) -> None:
    argv = script("import time\nkept = bytearray(300 << 20)\nkept[::4096] = b'x' * len(kept[::4096])\n" + SLEEP)
    result = await run(argv, Limits(120.0, memory_mb=200, address_space=False))
    assert (Ending.memout, signal.SIGKILL) == (result.ending, result.signal)
    assert 200 < result.peak_memory_mb


async def test_memory_is_summed_over_the_tree(script: Script) -> None:
    argv = script(
        "import os, time\nos.fork(); os.fork()\nkept = bytearray(60 << 20)\n"
        "kept[::4096] = b'x' * len(kept[::4096])\ntime.sleep(1000)"
    )
    assert Ending.memout == (await run(argv, Limits(120.0, memory_mb=180))).ending


async def test_z3_out_of_memory_is_no_crash(z3: str, horn_sat: str) -> None:
    result = await run([z3, "-in"], Limits(120.0, memory_mb=30), stdin=horn_sat.encode())
    assert (Ending.memout, b"") == (result.ending, result.stdout)


async def test_an_abort_for_lack_of_memory_is_no_crash(script: Script) -> None:
    source = "import os, sys\nsys.stderr.write('what():  std::bad_alloc\\n'); sys.stderr.flush(); os.abort()"
    limited = await run(script(source), Limits(120.0, memory_mb=500))
    assert (Ending.memout, signal.SIGABRT) == (limited.ending, limited.signal)
    assert Ending.signal == (await run(script(source), AMPLE)).ending


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE])
async def test_a_crash_is_a_crash_also_under_a_limit_of_memory(script: Script, number: signal.Signals) -> None:
    argv = script("import os, sys; os.kill(os.getpid(), int(sys.argv[1]))", str(int(number)))
    result = await run(argv, Limits(120.0, memory_mb=500))
    assert (Ending.signal, number, None) == (result.ending, result.signal, result.exit_code)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
async def test_a_flood_is_bounded_and_stopped(script: Script, stream: str) -> None:
    argv = script(f"import sys\nwhile True: sys.{stream}.write('x' * 100000)")
    result = await run(argv, Limits(120.0, output_bytes=1_000_000))
    assert Ending.flood == result.ending
    assert b"x" * 1_000_000 == result.stdout + result.stderr


async def test_output_up_to_the_limit_is_no_flood(script: Script) -> None:
    argv = script("import sys; sys.stdout.write('x' * 600000); sys.stderr.write('y' * 400000)")
    result = await run(argv, Limits(120.0, output_bytes=1_000_000))
    assert (Ending.exited, 600_000, 400_000) == (result.ending, len(result.stdout), len(result.stderr))


async def test_a_tree_that_ignores_signals_is_dead_afterwards(script: Script) -> None:
    result = await run(script(FORK_AND_IGNORE), Limits(120.0, output_bytes=10_000))
    assert (Ending.flood, 4) == (result.ending, len(pids_in(result.stdout)))
    assert [] == [pid for pid in pids_in(result.stdout) if exists(pid)]


@pytest.mark.parametrize("how", [[], ["leave"], ["bare"], ["leave", "bare"]])
async def test_escapees_are_dead_when_the_run_returns(script: Script, how: list[str]) -> None:
    result = await run(script(ESCAPE, *how), AMPLE)
    assert Ending.exited == result.ending
    assert [] == [pid for pid in pids_in(result.stdout) if exists(pid)]


async def test_escapees_of_a_killed_run_are_dead_when_it_returns(script: Script) -> None:
    result = await run(script(ESCAPE, "flood", "leave"), Limits(120.0, output_bytes=10_000))
    assert (Ending.flood, 2) == (result.ending, len(pids_in(result.stdout)))
    assert [] == [pid for pid in pids_in(result.stdout) if exists(pid)]


async def test_the_end_of_a_run_spares_what_another_run_has_shed(
    script: Script, tmp_path: Path, appears: Appears
) -> None:
    ready, go = tmp_path / "ready", tmp_path / "go"
    argv = script(
        ESCAPE + "import pathlib\nready, go = map(pathlib.Path, sys.argv[-2:])\nready.touch()\n"
        "while not go.exists(): time.sleep(0.01)\nos.kill(int(said.split()[-1]), 0)\nprint('spared')",
        "leave",
        ready,
        go,
    )
    outputs: list[bytes] = []

    async def first() -> None:
        outputs.append((await run(argv, AMPLE)).stdout)

    async with anyio.create_task_group() as group:
        group.start_soon(first)
        await appears(ready)
        await run(script("pass"), AMPLE)
        go.touch()
    assert outputs[0].endswith(b"spared\n")


async def test_the_end_of_a_run_spares_processes_of_our_own(script: Script) -> None:
    with start_in_our_session() as own:
        await run(script("pass"), AMPLE)
        assert own.poll() is None
        own.kill()


async def test_a_missing_program_could_not_start() -> None:
    result = await run(["/nowhere/solver", "x"], AMPLE)
    assert (Ending.could_not_start, None, None) == (result.ending, result.exit_code, result.signal)
    assert "cannot start /nowhere/solver" in result.message


async def test_what_cannot_be_executed_could_not_start(tmp_path: Path) -> None:
    plain, garbage = tmp_path / "plain", tmp_path / "garbage"
    plain.write_text("#!/bin/sh\n")
    garbage.write_bytes(b"\x7fELF rubbish")
    garbage.chmod(0o755)
    for argv in ([str(plain)], [str(garbage)], ["/bin/true", "nul\0byte"], []):
        assert Ending.could_not_start == (await run(argv, AMPLE)).ending
    assert Ending.could_not_start == (await run(["/bin/true"], AMPLE, cwd=tmp_path / "missing")).ending


BIG = b"0123456789abcdef" * 500_000


async def test_stdin_that_nobody_reads_does_not_block(script: Script) -> None:
    assert Ending.timeout == (await run(script(SLEEP), BRIEF, stdin=BIG)).ending
    assert (Ending.exited, 0) == (
        (done := await run(script("pass"), AMPLE, stdin=BIG)).ending,
        done.exit_code,
    )


async def test_stdin_is_written_while_output_is_read() -> None:
    result = await run(["/bin/cat"], AMPLE, stdin=BIG)
    assert Ending.exited == result.ending
    assert BIG == result.stdout


@pytest.mark.parametrize("detach", ["", "setsid "])
async def test_a_grandchild_that_keeps_the_pipe_does_not_hold_the_run(detach: str, gone: Gone) -> None:
    result = await run(["/bin/sh", "-c", f"{detach}sleep 1000 & echo $! done"], AMPLE)
    assert Ending.exited == result.ending
    pid, word = result.stdout.split()
    assert b"done" == word
    await gone(int(pid))


async def test_cancellation_kills_the_tree(script: Script, tmp_path: Path, appears: Appears) -> None:
    told = tmp_path / "told"
    async with anyio.create_task_group() as group:
        group.start_soon(run, script(ESCAPE, "tell", told), AMPLE)
        await appears(told)
        group.cancel_scope.cancel()
    assert 3 == len(pids := pids_in(told.read_bytes()))
    assert [] == [pid for pid in pids if exists(pid)]


async def test_cancellation_goes_on(script: Script) -> None:
    with anyio.move_on_after(0.1) as scope:
        await run(script(SLEEP), AMPLE)
    assert scope.cancelled_caught


async def test_nothing_is_left_open_after_many_runs(script: Script) -> None:
    await run(["/bin/true"], AMPLE)
    before = sorted(os.listdir("/proc/self/fd"))
    for number in range(200):
        argv = ["/bin/sh", "-c", "echo; echo >&2"] if number % 10 else ["/nowhere/solver"]
        await run(argv, AMPLE, stdin=b"x" * (number % 2))
    assert before == sorted(os.listdir("/proc/self/fd"))


async def test_runs_go_on_side_by_side(script: Script) -> None:
    argv = script("import sys; print(sys.stdin.read())")
    answers: dict[int, bytes] = {}

    async def one(number: int) -> None:
        answers[number] = (await run(argv, AMPLE, stdin=str(number).encode())).stdout

    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(one, number)
    assert {number: f"{number}\n".encode() for number in range(8)} == answers
