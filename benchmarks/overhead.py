"""What a query costs beyond the solver's process: the house's way of asking against a plain run of the same command."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Final

import anyio
import msgspec

from backends import process
from backends.answer import Configuration
from backends.examination import Examiner
from backends.limits import Limits
from backends.spacer import SPACER
from backends.spacer_releases import own_spacer
from benchmarks.figures import Aim, Figure, Report, Row
from benchmarks.inputs import Inputs, Scale
from chc.instance import Instance
from chc.script import read_instance
from daemon.bench import Bench
from transformations.corpus import corpus

_AIM: Final = Aim(5)
_LIMITS: Final = Limits(wall_seconds=30, cpu_seconds=30, memory_mb=4096)
_WAYS: Final = ("process.run", "Bench.ask", "Bench.ask and printing")
_SMALL: Final = "lia-false-bodies-sat"
_QUICK_ENOUGH_SECONDS: Final = 0.2
"""A file of the collection is asked many times only if its solver needs less than this."""


def measure(inputs: Inputs, scale: Scale) -> Report:
    """A small instance, and the largest of the collection that is solved quickly."""
    rows = anyio.run(_rows, inputs, scale)
    notes = (
        f"medians of {scale.queries} runs of each, alternating, in wall time; where the spread is larger than the aim,",
        "others use the processors and the overhead says little; own computation does not depend on them",
    )
    return Report("overhead of a query", tuple(rows), (*notes, *inputs.notes))


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
    """Asks the same of the same solver in several ways."""

    def __init__(self, configuration: Configuration, bench: Bench, folder: Path) -> None:
        self._configuration, self._bench = configuration, bench
        self._path = folder / "instance.smt2"

    async def is_quick(self, instance: Instance) -> bool:
        answer = await self._bench.ask(self._configuration, instance, Limits(wall_seconds=_QUICK_ENOUGH_SECONDS))
        return not answer.detail

    async def rows(self, name: str, instance: Instance, runs: int) -> list[Row]:
        """The rows for one instance, one for each way."""
        self._path.write_text(instance.text, encoding="utf-8")
        command = SPACER.command(self._configuration, self._path, _LIMITS)

        async def plain() -> None:
            # Blocking the loop, which the daemon must never do, is the yardstick. In a session of its own, as ours are,
            # because the kernel may share out the processors by sessions.
            nothing = subprocess.DEVNULL
            subprocess.run(command, capture_output=True, stdin=nothing, start_new_session=True, check=False)  # noqa: ASYNC221

        async def runner() -> None:
            await process.run(command, _LIMITS)

        async def asking() -> None:
            await self._bench.ask(self._configuration, instance, _LIMITS)

        async def printing() -> None:
            # A copy has no text yet, so that it is printed again.
            await self._bench.ask(self._configuration, instance.replace(), _LIMITS)

        bare, *ours = await _spent(runs, plain, runner, asking, printing)
        return [_row(f"{way}, {name}", bare, spent) for way, spent in zip(_WAYS, ours, strict=True)]


class Spent(msgspec.Struct, frozen=True):
    """Milliseconds of one way of asking, over many runs: wall time, and this process's own time of the processor."""

    middle: float
    spread: float
    """Between the first and the third quarter of the runs."""
    first_decile: float
    own: float


async def _spent(runs: int, *actions: Callable[[], Awaitable[None]]) -> list[Spent]:
    """What each action took, in turns; the first round, in which helpers start, does not count."""
    taken: list[list[tuple[float, float]]] = [[] for _ in actions]
    for number in range(runs + 1):
        for action, times in zip(actions, taken, strict=True):
            wall, own = perf_counter(), process_time()
            await action()
            if number:
                times.append((1000 * (perf_counter() - wall), 1000 * (process_time() - own)))
    return [_summary(times) for times in taken]


def _summary(times: list[tuple[float, float]]) -> Spent:
    walls, owns = zip(*times, strict=True)
    first, _, third = quantiles(walls, n=4, method="inclusive")
    return Spent(median(walls), third - first, quantiles(walls, n=10, method="inclusive")[0], median(owns))


def _row(subject: str, bare: Spent, ours: Spent) -> Row:
    return Row(
        subject,
        (
            Figure("bare process", bare.middle, "ms"),
            Figure("its spread", bare.spread, "ms"),
            Figure("query", ours.middle, "ms"),
            Figure("overhead", ours.middle - bare.middle, "ms", _AIM),
            Figure("of the fastest tenth", ours.first_decile - bare.first_decile, "ms"),
            Figure("own computation", ours.own - bare.own, "ms"),
        ),
    )
