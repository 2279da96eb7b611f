"""Fair shares: each suspect gets as much slot time as any other, however long it takes for a query."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from backends.answer import Configuration

_LEAST_SECONDS: Final = 0.02
"""What any query costs. Without it, one that fails at once would be asked all the time."""
_MOST_LAG: Final = 60.0
"""Whoever was not asked for long, because nothing suited it, gets no more than this ahead of the others."""
_MEMORY: Final = 0.9


class _Account(msgspec.Struct):
    spent: float
    usual: float = _LEAST_SECONDS


class Shares:
    """The slot time that each suspect has had, what is under way included as far as can be foreseen."""

    def __init__(self) -> None:
        self._accounts: dict[Configuration, _Account] = {}
        self._under_way: dict[int, tuple[Configuration, float]] = {}

    def order(self, suspects: Sequence[Configuration], rng: Random) -> list[Configuration]:
        """All of them, those first that have had least."""
        for each in suspects:
            self._account(each)
        shuffled = rng.sample(suspects, len(suspects))
        return sorted(shuffled, key=lambda each: self._account(each).spent)

    def begin(self, job: int, suspect: Configuration) -> None:
        account = self._account(suspect)
        self._under_way[job] = (suspect, account.usual)
        account.spent += account.usual

    def end(self, job: int, suspect: Configuration, seconds: float | None) -> None:
        """Tell who was asked in the end, and for how long; None where nobody was."""
        foreseen, usual = self._under_way.pop(job)
        self._account(foreseen).spent -= usual
        if seconds is None:
            return
        account, cost = self._account(suspect), max(seconds, _LEAST_SECONDS)
        account.spent += cost
        account.usual = _MEMORY * account.usual + (1.0 - _MEMORY) * cost
        least = max(each.spent for each in self._accounts.values()) - _MOST_LAG
        for each in self._accounts.values():
            each.spent = max(each.spent, least)

    def _account(self, suspect: Configuration) -> _Account:
        if suspect not in self._accounts:
            # A newcomer has no claim to what the others had before.
            least = min((each.spent for each in self._accounts.values()), default=0.0)
            self._accounts[suspect] = _Account(least)
        return self._accounts[suspect]
