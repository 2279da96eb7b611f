"""Warm processes: z3 as it is, and a server that dies, hangs, floods and hoards on request."""

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from backends.limits import Limits
from backends.process import Ending, run
from backends.warm import Upkeep, WarmPool, WarmProcess

pytestmark = pytest.mark.anyio

Script = Callable[..., list[str]]
Gone = Callable[..., Awaitable[None]]
Appears = Callable[[Path], Awaitable[None]]

AMPLE = Limits(wall_seconds=120.0)
SERVER = r"""
import os, sys, time
kept = []
def escape():
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(writing, b"%d" % os.getpid())
            time.sleep(1000)
        os._exit(0)
    print(os.read(reading, 100).decode(), flush=True)
for line in sys.stdin:
    word = line.strip()
    if word.startswith("(echo"): print(word[7:-2] if "plain" in sys.argv else word[6:-1], flush=True)
    elif word == "pid": print(os.getpid(), flush=True)
    elif word == "warn": print("careful", file=sys.stderr, flush=True)
    elif word == "die": print("last words", flush=True); os._exit(3)
    elif word == "crash": os.abort()
    elif word == "hang": time.sleep(1000)
    elif word == "spin":
        while True: pass
    elif word == "flood":
        while True: sys.stdout.write("x" * 100000)
    elif word == "hoard": kept.append(b"x" * (200 << 20))
    elif word == "escape": escape()
    elif word == "touch": open(sys.argv[1], "w").close()
    else: print("heard", word, flush=True)
"""


def kill_and_wait(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


async def test_warm_answers_are_those_of_cold_runs(z3: str, horn_sat: str, horn_unsat: str, tmp_path: Path) -> None:
    async with WarmProcess([z3, "-in"]) as process:
        for number, text in enumerate([horn_sat, horn_unsat, horn_sat, horn_unsat]):
            file = tmp_path / "instance.smt2"
            file.write_text(text)
            cold = await run([z3, str(file)], AMPLE)
            warm = await process.ask(text, AMPLE)
            assert (Ending.answered, number == 0) == (warm.ending, warm.cold_start)
            assert cold.stdout.decode() == warm.output


async def test_an_error_in_one_query_does_not_reach_the_next(z3: str, horn_sat: str) -> None:
    async with WarmProcess([z3, "-in"]) as process:
        assert "(error" in (await process.ask("(assert (undeclared 1))", AMPLE)).output
        reply = await process.ask(horn_sat, AMPLE)
        assert reply.output.startswith("sat\n")
        assert "(error" not in reply.output


async def test_a_solvers_own_time_limit_is_an_answer(z3: str) -> None:
    hard = "(declare-fun x () Int)(declare-fun y () Int)(assert (= (* x x x) (+ (* y y y) 3 (* x y 7) 2)))"
    async with WarmProcess([z3, "-in"]) as process:
        text = f"(set-option :timeout 1)(set-option :rlimit 1000){hard}(assert (> x 1000))(check-sat)"
        assert "unknown\n" == (await process.ask(text, AMPLE)).output


@pytest.mark.parametrize("style", ["plain", "quoted"])
async def test_what_is_said_before_the_marker_is_the_answer(script: Script, style: str) -> None:
    async with WarmProcess(script(SERVER, style), Upkeep(reset="again")) as process:
        assert "heard a\nheard b\n" == (await process.ask("a\nb", AMPLE)).output
        assert "heard again\nheard c\n" == (await process.ask("c", AMPLE)).output


async def test_a_marker_within_a_line_ends_nothing(script: Script) -> None:
    """An error message may quote the rest of the query."""
    argv = script(
        "import sys\nfor line in sys.stdin:\n"
        "  if 'echo' in line: print('unknown', line[7:-3], flush=True); print(line[7:-3], flush=True)"
    )
    async with WarmProcess(argv) as process:
        reply = await process.ask("", AMPLE)
        assert Ending.answered == reply.ending
        assert reply.output.startswith("unknown end-")


async def test_stderr_is_told_apart(script: Script) -> None:
    async with WarmProcess(script(SERVER)) as process:
        reply = await process.ask("warn\na", AMPLE)
        assert ("careful\n", "heard a\n") == (reply.stderr, reply.output)
        assert "" == (await process.ask("a", AMPLE)).stderr


@pytest.mark.parametrize(
    ("word", "limits", "ending"),
    [
        ("hang", Limits(0.5), Ending.timeout),
        ("spin", Limits(120.0, cpu_seconds=0.3), Ending.cpu_timeout),
        ("flood", Limits(120.0, output_bytes=1_000_000), Ending.flood),
        ("hoard", Limits(120.0, memory_mb=100), Ending.memout),
        ("hoard\nhang", Limits(120.0, memory_mb=100, address_space=False), Ending.memout),
        ("die", AMPLE, Ending.exited),
        ("crash", AMPLE, Ending.signal),
    ],
)
async def test_a_process_that_misbehaves_is_replaced(
    script: Script, gone: Gone, word: str, limits: Limits, ending: Ending
) -> None:
    async with WarmProcess(script(SERVER)) as process:
        first = int((await process.ask("pid", AMPLE)).output)
        assert ending == (await process.ask(word, limits)).ending
        await gone(first)
        reply = await process.ask("pid", AMPLE)
        assert (Ending.answered, True) == (reply.ending, reply.cold_start)
        assert first != int(reply.output)


async def test_last_words_and_exit_code_are_kept(script: Script) -> None:
    async with WarmProcess(script(SERVER)) as process:
        reply = await process.ask("die", AMPLE)
        assert ("last words\n", 3) == (reply.output, reply.exit_code)


async def test_a_flood_is_bounded(script: Script) -> None:
    async with WarmProcess(script(SERVER)) as process:
        reply = await process.ask("flood", Limits(120.0, output_bytes=1_000_000))
        assert (Ending.flood, 1_000_000) == (reply.ending, len(reply.output))


async def test_a_limit_of_memory_holds_for_its_query_only(script: Script) -> None:
    async with WarmProcess(script(SERVER)) as process:
        await process.ask("a", Limits(120.0, memory_mb=100))
        assert Ending.answered == (await process.ask("hoard", AMPLE)).ending


async def test_one_that_died_between_queries_is_replaced(script: Script) -> None:
    async with WarmProcess(script(SERVER)) as process:
        await process.ask("a", AMPLE)
        assert process.pid is not None
        kill_and_wait(process.pid)
        reply = await process.ask("a", AMPLE)
        assert (Ending.answered, True) == (reply.ending, reply.cold_start)


async def test_it_is_recycled_after_so_many_queries(script: Script) -> None:
    async with WarmProcess(script(SERVER), Upkeep(reset="", max_queries=3)) as process:
        replies = [await process.ask("a", AMPLE) for _ in range(7)]
    assert [True, False, False, True, False, False, True] == [reply.cold_start for reply in replies]
    assert {Ending.answered} == {reply.ending for reply in replies}


async def test_it_is_recycled_when_it_has_grown(script: Script) -> None:
    async with WarmProcess(script(SERVER), Upkeep(max_memory_mb=100)) as process:
        asked = [await process.ask(word, AMPLE) for word in ("a", "a", "hoard", "a")]
    assert [True, False, False, True] == [reply.cold_start for reply in asked]


async def test_escapees_die_with_the_process(script: Script) -> None:
    async with WarmProcess(script(SERVER)) as process:
        reply = await process.ask("escape\ndie", AMPLE)
        assert Ending.exited == reply.ending
        assert not Path(f"/proc/{int(reply.output.split()[0])}").exists()


async def test_what_cannot_be_started_is_said_so() -> None:
    async with WarmProcess(["/nowhere/solver"]) as process:
        reply = await process.ask("a", AMPLE)
        assert Ending.could_not_start == reply.ending
        assert "/nowhere/solver" in reply.message


async def test_a_long_query_and_a_long_answer_do_not_block_one_another(script: Script) -> None:
    async with WarmProcess(script(SERVER)) as process:
        lines = [f"word{number}" for number in range(100_000)]
        reply = await process.ask("\n".join(lines), AMPLE)
        assert "".join(f"heard {line}\n" for line in lines) == reply.output


async def test_queries_to_one_process_wait_for_their_turn(script: Script) -> None:
    outputs: dict[int, str] = {}
    async with WarmProcess(script(SERVER), Upkeep(reset="")) as process:

        async def ask(number: int) -> None:
            outputs[number] = (await process.ask(f"n{number}", AMPLE)).output

        async with anyio.create_task_group() as group:
            for number in range(10):
                group.start_soon(ask, number)
    assert all(output.endswith(f"heard n{number}\n") for number, output in outputs.items())
    assert 10 == len(outputs)


async def test_cancellation_kills_the_process_and_leaves_the_pool_usable(
    script: Script, tmp_path: Path, appears: Appears
) -> None:
    ready = tmp_path / "ready"
    argv = script(SERVER, ready)
    async with WarmPool(lambda: argv, 1) as pool:
        first = int((await pool.ask("pid", AMPLE)).output)
        async with anyio.create_task_group() as group:
            group.start_soon(pool.ask, "touch\nhang", AMPLE)
            await appears(ready)
            group.cancel_scope.cancel()
        assert not Path(f"/proc/{first}").exists()
        reply = await pool.ask("pid", AMPLE)
        assert (Ending.answered, True) == (reply.ending, reply.cold_start)


async def test_a_pool_has_no_more_processes_than_its_size(script: Script) -> None:
    argv = script(SERVER)
    pids: set[int] = set()
    async with WarmPool(lambda: argv, 2, Upkeep(reset="")) as pool:

        async def ask() -> None:
            pids.add(int((await pool.ask("pid", AMPLE)).output))

        async with anyio.create_task_group() as group:
            for _ in range(12):
                group.start_soon(ask)
        async with pool.lease() as one, pool.lease() as other:
            assert one is not other
    assert 1 <= len(pids) <= 2
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


async def test_closing_ends_a_query_in_progress(script: Script, tmp_path: Path, appears: Appears) -> None:
    ready = tmp_path / "ready"
    process = WarmProcess(script(SERVER, ready))
    endings: list[Ending] = []

    async def ask() -> None:
        endings.append((await process.ask("touch\nhang", AMPLE)).ending)

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        await appears(ready)
        await process.aclose()
    assert [Ending.signal] == endings
    with pytest.raises(RuntimeError, match="closed"):
        await process.ask("a", AMPLE)


async def test_nothing_is_left_open_after_many_processes(script: Script) -> None:
    argv = script(SERVER)
    await run(argv, AMPLE)
    before = sorted(os.listdir("/proc/self/fd"))
    async with WarmPool(lambda: argv, 2, Upkeep(max_queries=2)) as pool:
        for _ in range(40):
            await pool.ask("a", AMPLE)
    assert before == sorted(os.listdir("/proc/self/fd"))
