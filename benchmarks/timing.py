"""How the time of plain computation is taken: that of the processor, so that whatever else runs here matters less."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import thread_time
from typing import TypeVar

T = TypeVar("T")


def timed(action: Callable[[], T]) -> tuple[float, T]:
    """The seconds that the action takes, and what it gives.

    What earlier ones left behind is collected beforehand: terms are interned, and a reader that found those of the
    run before would be measured too fast.
    """
    gc.collect()
    started = thread_time()
    result = action()
    return thread_time() - started, result


def best_seconds(repeats: int, *actions: Callable[[], object]) -> list[float]:
    """The least time of each action, their runs alternating, so that a slow moment of the machine meets all."""
    best = [float("inf")] * len(actions)
    for _ in range(repeats):
        for number, action in enumerate(actions):
            best[number] = min(best[number], timed(action)[0])
    return best
