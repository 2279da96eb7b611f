"""Which instances a solver takes, as data: what it reads, and what it can say something about."""

from __future__ import annotations

from typing import Final

import msgspec

from chc.fragment import Theory
from chc.instance import Instance

EVERYTHING: Final = frozenset(Theory)


def all_but(*theories: Theory) -> frozenset[Theory]:
    return EVERYTHING - set(theories)


class Support(msgspec.Struct, frozen=True):
    """The theories that may occur in an instance, and whether a body may have more than one atom."""

    theories: frozenset[Theory] = EVERYTHING
    nonlinear_clauses: bool = True

    def refusal(self, instance: Instance, name: str) -> str | None:
        """Why the instance is outside, in words; None if it is not."""
        fragment = instance.fragment
        if strange := sorted(fragment.theories - self.theories):
            return f"{name} does not support {', '.join(strange)}"
        if not (fragment.linear or self.nonlinear_clauses):
            return f"{name} supports no clauses with several atoms in the body"
        return None
