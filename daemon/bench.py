"""Where answers are judged: solvers to ask, checkers for their witnesses, and a folder for the files between."""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import anyio

from backends.adapter import WarmSolver
from backends.adapters import adapter_of
from backends.answer import Answer, Configuration
from backends.examination import Examiner
from backends.limits import Limits
from chc.instance import Instance

_MOST_WARM: Final = 6
"""So many configurations keep a warm process at the same time; the one not asked for longest is let go."""


class Bench:
    """`thorough` are all checkers, whose word counts in a finding; `quick` is the one that looks at everything.

    No more than `slots` solvers run at the same time. `folder` is where instances are written to be asked; without one
    there is a temporary one, which is gone afterwards unless this process is killed. `helpers` are those who may know
    what a suspect cannot prove, in the order in which they are asked.
    """

    def __init__(
        self,
        thorough: Examiner,
        quick: Examiner | None = None,
        slots: int | None = None,
        folder: Path | None = None,
        helpers: Sequence[Configuration] = (),
    ) -> None:
        self.thorough = thorough
        self.quick = quick or thorough
        self.helpers = tuple(helpers)
        self._solver_seconds = 0.0
        self._slots = None if slots is None else anyio.Semaphore(slots)
        self._warm: OrderedDict[Configuration, WarmSolver] = OrderedDict()
        self._stack = AsyncExitStack()
        self._folder = folder
        self._count = 0

    async def __aenter__(self) -> Self:
        if self._folder is None:
            self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="hornblower-")))
        await self._stack.enter_async_context(self.thorough)
        if self.quick is not self.thorough:
            await self._stack.enter_async_context(self.quick)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for solver in self._warm.values():
            await solver.aclose()
        await self._stack.aclose()

    async def ask(
        self, configuration: Configuration, instance: Instance, limits: Limits, *, has_trace: bool = False
    ) -> Answer:
        """A cold run on the instance as printed; its file is gone afterwards."""
        assert self._folder is not None, "the bench has to be entered first"
        self._count += 1
        path = self._folder / f"{self._count}.smt2"
        adapter = adapter_of(configuration)
        path.write_text(adapter.text_of(instance), encoding="utf-8")
        try:
            async with self._slot():
                return self._timed(await adapter.ask(configuration, path, limits, has_trace=has_trace))
        finally:
            path.unlink(missing_ok=True)  # it is the solver's to read, and who knows what it does

    async def ask_warm(self, configuration: Configuration, instance: Instance, limits: Limits) -> Answer:
        """The same by a process that has answered others before: quick, and suspect by nature."""
        async with self._slot():
            solver = await self._warm_solver(configuration)
            text = adapter_of(configuration).text_of(instance)
            return self._timed(await solver.ask(text, limits))

    def take_solver_seconds(self) -> float:
        """How long solvers have run since this was last asked, whoever asked them."""
        seconds, self._solver_seconds = self._solver_seconds, 0.0
        return seconds

    def _slot(self) -> AsyncExitStack | anyio.Semaphore:
        return AsyncExitStack() if self._slots is None else self._slots

    def _timed(self, answer: Answer) -> Answer:
        self._solver_seconds += answer.seconds
        return answer

    async def _warm_solver(self, configuration: Configuration) -> WarmSolver:
        if configuration not in self._warm:
            fresh = adapter_of(configuration).warm(configuration)
            assert fresh is not None, "nobody asks a solver warm that cannot be"
            while len(self._warm) >= _MOST_WARM:
                _, oldest = self._warm.popitem(last=False)
                await oldest.aclose()
            self._warm[configuration] = fresh
        self._warm.move_to_end(configuration)
        return self._warm[configuration]
