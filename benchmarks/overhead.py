"""What a query costs beyond the solver's process: the house's way of asking against a plain run of the same command."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import anyio

from backends import process, spacer
from backends.answer import Configuration
from backends.examination import Examiner
from backends.limits import Limits
from backends.store import own_spacer
from benchmarks.figures import Aim, Figure, Report, Row
from benchmarks.inputs import Inputs, Scale
from chc.instance import Instance
from chc.script import read_instance
from daemon.bench import Bench
from transformations.corpus import corpus

_AIM: Final = Aim(5)
_LIMITS: Final = Limits(wall_seconds=30, cpu_seconds=30, memory_mb=4096)
_SMALL: Final = "lia-water-jugs-unsat"
_QUICK_ENOUGH_SECONDS: Final = 0.5
"""A file of the collection is asked many times only if its solver needs less than this."""


def measure(inputs: Inputs, scale: Scale) -> Report:
    """A small instance, and the largest of the collection that is solved quickly."""
    rows = anyio.run(_rows, inputs, scale)
    note = (
        f"medians of {scale.queries} runs of each kind, alternating; wall time; printing the instance counts as asking"
    )
    return Report("overhead of a query", tuple(rows), (note, *inputs.notes))


async def _rows(inputs: Inputs, scale: Scale) -> list[Row]:
    small = next(each for each in corpus() if each.name == _SMALL)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="hornblower-benchmarks-") as folder:
        async with Bench(Examiner(())) as bench:
            comparison = Comparison(own_spacer(), bench, Path(folder))
            rows.extend(await comparison.rows(small.name, small.instance, scale.queries))
            for seed in inputs.seeds:
                instance = read_instance(seed.text)
                if await comparison.is_quick(instance):
                    rows.extend(await comparison.rows(seed.name, instance, scale.queries))
                    break
    return rows


class Comparison:
    """Asks the same of the same solver in three ways."""

    def __init__(self, configuration: Configuration, bench: Bench, folder: Path) -> None:
        self._configuration, self._bench = configuration, bench
        self._path = folder / "instance.smt2"

    async def is_quick(self, instance: Instance) -> bool:
        answer = await self._bench.ask(self._configuration, instance, Limits(wall_seconds=_QUICK_ENOUGH_SECONDS))
        return not answer.detail

    async def rows(self, name: str, instance: Instance, runs: int) -> list[Row]:
        """The rows for one instance: the runner alone, and all of asking."""
        self._path.write_text(instance.text, encoding="utf-8")
        command = spacer.command(self._configuration, self._path, _LIMITS)

        async def plain() -> None:
            # What the daemon must never do, blocking its loop, is the yardstick here.
            subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)  # noqa: ASYNC221

        async def runner() -> None:
            await process.run(command, _LIMITS)

        async def asking() -> None:
            # A copy has no text yet, so that it is printed again.
            await self._bench.ask(self._configuration, instance.replace(), _LIMITS)

        bare, run, ask = await _medians(runs, plain, runner, asking)
        return [_row(f"process.run, {name}", bare, run), _row(f"Bench.ask, {name}", bare, ask)]


async def _medians(runs: int, *actions: Callable[[], Awaitable[None]]) -> list[float]:
    """The median milliseconds of each action; the first round, in which helpers start, does not count."""
    taken: list[list[float]] = [[] for _ in actions]
    for number in range(runs + 1):
        for action, times in zip(actions, taken, strict=True):
            started = perf_counter()
            await action()
            if number:
                times.append((perf_counter() - started) * 1000)
    return [median(times) for times in taken]


def _row(subject: str, bare: float, ours: float) -> Row:
    return Row(
        subject,
        (
            Figure("bare process", bare, "ms"),
            Figure("query", ours, "ms"),
            Figure("overhead", ours - bare, "ms", _AIM),
        ),
    )
