"""Eldarica's server: how long small queries take, and whether any is lost when the server is killed meanwhile."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from random import Random
from statistics import median, quantiles
from typing import Final

import anyio

from backends.answer import Answer, Configuration, Verdict
from backends.eldarica import ELDARICA, WarmEldarica
from backends.limits import Limits
from backends.places import SolverMissing
from backends.store import find
from benchmarks.figures import Aim, Figure, Report, Row
from benchmarks.inputs import Inputs, Scale
from chc.instance import Instance
from transformations.corpus import corpus

_LIMITS: Final = Limits(wall_seconds=60.0, memory_mb=2048)
_MOST_CLAUSES: Final = 6
_INSTANCES: Final = 12
_KILLED_EACH: Final = 100
"""Once in so many queries the server is killed, every other time while it is at a query."""
_AT_IT_SECONDS: Final = 0.02


def measure(inputs: Inputs, scale: Scale) -> Report:
    """The small instances of the corpus, in turns."""
    try:
        configuration = find("eldarica")
    except SolverMissing as problem:
        return Report("eldarica's server", (), (f"skipped: {problem}",))
    if ELDARICA.warm(configuration) is None:
        return Report("eldarica's server", (), (f"skipped: {configuration.program} has no server in it",))
    return anyio.run(_report, configuration, scale.warm_queries)


async def _report(configuration: Configuration, queries: int) -> Report:
    instances = await _decided(configuration)
    series = _Series(configuration, instances)
    await series.run(queries)
    seconds = [answer.seconds for answer in series.warm]
    row = Row(
        configuration.label,
        (
            Figure("median", 1000 * median(seconds), "ms", Aim(150)),
            Figure("nine of ten", 1000 * quantiles(seconds, n=10)[-1], "ms"),
            Figure("queries", queries, ""),
            Figure("kills", series.kills, ""),
            Figure("asked again, cold", series.asked_cold, ""),
            Figure("lost", series.lost, "", Aim(0)),
        ),
    )
    return Report("eldarica's server", (row,), (f"{len(instances)} small instances of the corpus, in turns",))


async def _decided(configuration: Configuration) -> list[Instance]:
    """A few small ones that it decides, so that whatever else comes back later has been lost."""
    decided: list[Instance] = []
    warm = WarmEldarica(configuration)
    for each in corpus():
        instance = each.instance
        if len(instance.clauses) <= _MOST_CLAUSES and ELDARICA.refusal(instance) is None and len(decided) < _INSTANCES:
            if _is_decided(await warm.ask(instance.text, _LIMITS)):
                decided.append(instance)
    await warm.aclose()
    return decided


def _is_decided(answer: Answer) -> bool:
    return answer.verdict in (Verdict.sat, Verdict.unsat)


class _Series:
    """Many queries in a row, with kills in between."""

    def __init__(self, configuration: Configuration, instances: Sequence[Instance]) -> None:
        self._warm_solver = WarmEldarica(configuration)
        self._instances = instances
        self._random = Random(1)
        self.warm: list[Answer] = []
        self.kills = self.lost = 0

    @property
    def asked_cold(self) -> int:
        return self._warm_solver.asked_cold

    async def run(self, queries: int) -> None:
        for number in range(queries):
            instance = self._instances[number % len(self._instances)]
            before = self._warm_solver.pid
            answer = await self._ask(instance, at_it=self._random.randrange(_KILLED_EACH) == 0)
            self.lost += not _is_decided(answer)
            if self._warm_solver.pid == before:
                self.warm.append(answer)
            if self._random.randrange(_KILLED_EACH) == 0:
                self._kill()
        await self._warm_solver.aclose()

    async def _ask(self, instance: Instance, *, at_it: bool) -> Answer:
        async with anyio.create_task_group() as group:
            if at_it:
                group.start_soon(self._kill_soon)
            answer = await self._warm_solver.ask(instance.text, _LIMITS)
        return answer

    async def _kill_soon(self) -> None:
        await anyio.sleep(_AT_IT_SECONDS)
        self._kill()

    def _kill(self) -> None:
        if self._warm_solver.pid is not None:
            os.kill(self._warm_solver.pid, signal.SIGKILL)
            self.kills += 1
