"""What a solver did on its way to an answer, coarsely: which steps followed upon which, and how often."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import msgspec

_CAP: Final = 8
_BEGINNING: Final = ""


class Trace(msgspec.Struct, frozen=True):
    """Equal for equal runs. A transition names two states by their places in `states`, and how often it was taken."""

    states: tuple[str, ...]
    transitions: tuple[tuple[int, int, int], ...]

    @property
    def id(self) -> str:
        """The same for runs that differ only in how often they went in circles, up to a factor of two."""
        coarse = [(before, after, count.bit_length()) for before, after, count in self.transitions]
        return hashlib.sha256(msgspec.json.encode((self.states, coarse))).hexdigest()[:12]


def trace_of(steps: Iterable[str]) -> Trace | None:
    """The trace of a run that went through these states, from the beginning; None if it is not known to have moved."""
    taken = Counter(pairwise((_BEGINNING, *steps)))
    if not taken:
        return None
    states = sorted({state for pair in taken for state in pair})
    places = {state: place for place, state in enumerate(states)}
    return Trace(
        tuple(states), tuple(sorted((places[before], places[after], n) for (before, after), n in taken.items()))
    )


def capped(number: str | int) -> int:
    """A number as it stands in the name of a state: beyond a few, there is no difference."""
    return min(int(number), _CAP)
