"""What can be set about a solver, as data: the values of each option, and what a finding under it is worth."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from random import Random
from typing import Final

import msgspec

Setting = tuple[str, str]
"""The name of an option, and its value."""
_MOST_DRAWN: Final = 3
_KNOWN_SHARE: Final = 0.03
_SEED_SHARE: Final = 0.5
_MOST_SEED: Final = 1000


class Fairness(StrEnum):
    """How the developers of the solver see answers under an option."""

    fair = "fair"
    """A wrong answer is a bug."""
    known = "known"
    """Wrong answers are known trouble, and counted as such."""
    forbidden = "forbidden"
    """Unsound by design, not deterministic, or in need of what is not there: never drawn."""


class Option(msgspec.Struct, frozen=True):
    """One option. Where a value differs from the others, it has an entry of its own with the same name."""

    name: str
    values: tuple[str, ...]
    default: str
    fairness: Fairness = Fairness.fair
    reason: str = ""
    """Why it is not fair, with the public issue where there is one."""


def draw(space: Sequence[Option], taken: Collection[str], seed: str | None, rng: Random) -> tuple[Setting, ...]:
    """A few settings that differ from the defaults, and perhaps a random seed; now and then one of known trouble.

    What is `taken` is set already, and what is forbidden is never drawn.
    """
    drawn: dict[str, str] = {}
    if seed is not None and seed not in taken and rng.random() < _SEED_SHARE:
        drawn[seed] = str(rng.randint(1, _MOST_SEED))
    if rng.random() < _KNOWN_SHARE:
        drawn.update(_some(_settings(space, Fairness.known, taken), 1, rng))
    drawn.update(_some(_settings(space, Fairness.fair, {*taken, *drawn}), rng.randint(1, _MOST_DRAWN), rng))
    return tuple(drawn.items())


def _settings(space: Iterable[Option], fairness: Fairness, taken: Collection[str]) -> dict[str, list[str]]:
    """The values other than the default, for each option that has any."""
    found: dict[str, list[str]] = {}
    for each in space:
        values = [value for value in each.values if value != each.default]
        if each.fairness is fairness and each.name not in taken and values:
            found.setdefault(each.name, []).extend(values)
    return found


def _some(settings: dict[str, list[str]], count: int, rng: Random) -> dict[str, str]:
    names = rng.sample(sorted(settings), min(count, len(settings)))
    return {name: rng.choice(settings[name]) for name in names}


def trouble_of(space: Iterable[Option], settings: Iterable[Setting]) -> str | None:
    """Why findings under these settings are no news; None where they would be."""
    given = dict(settings)
    for each in space:
        if each.fairness is Fairness.known and given.get(each.name) in each.values:
            return f"{each.name}={given[each.name]}: {each.reason}"
    return None
