"""Whether the event loop keeps up: a beat that comes late was held up by something that should not block."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import anyio

INTERVAL: Final = 0.01
STALL: Final = 0.05
"""A beat this late counts as a stall."""


class Heartbeat:
    """Beats a hundred times a second and remembers how late the latest beat was, and how often one was too late."""

    def __init__(
        self, sleep: Callable[[float], Awaitable[None]] = anyio.sleep, clock: Callable[[], float] | None = None
    ) -> None:
        self._sleep, self._clock = sleep, clock or anyio.current_time
        self.longest = 0.0
        self._latest = 0.0
        self.stalls = 0

    def forget(self) -> None:
        """Begin anew."""
        self.longest, self._latest, self.stalls = 0.0, 0.0, 0

    def take(self) -> float:
        """The longest since this was last asked."""
        latest, self._latest = self._latest, 0.0
        return latest

    async def run(self) -> None:
        while True:
            due = self._clock() + INTERVAL
            await self._sleep(INTERVAL)
            late = self._clock() - due
            self.longest, self._latest = max(self.longest, late), max(self._latest, late)
            self.stalls += late > STALL
