"""What can be set about a solver, as data: the values of each option, and what a finding under it is worth."""

from __future__ import annotations

from enum import StrEnum

import msgspec


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
