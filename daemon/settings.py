"""What a hunt is told to do: whom to ask, how, for how long, and what to leave out for comparison."""

from __future__ import annotations

import msgspec

from backends.answer import Configuration


class Switches(msgspec.Struct, frozen=True):
    """Parts of the method that can be switched off, to measure what they are worth."""

    knowledge_base: bool = True
    """Off: every trick is made from the last child, as earlier tools do it."""
    witnesses: bool = True
    """Off: no transformation looks at a witness."""
    options: bool = True
    """Off: suspects are asked with the options that they were named with, and no others."""
    only: str | None = None
    """The one transformation that is used, where there is to be only one."""

    def words(self) -> dict[str, str]:
        """As they are stored with the run."""
        return {
            "knowledge_base": "on" if self.knowledge_base else "off",
            "witnesses": "on" if self.witnesses else "off",
            "options": "on" if self.options else "off",
            "only": self.only or "",
        }


class Settings(msgspec.Struct, frozen=True):
    """A hunt. `ceiling_seconds` bounds each query, however slow its relatives were."""

    configurations: tuple[Configuration, ...]
    slots: int
    seed: int
    schedule: str
    memory_mb: int = 2048
    ceiling_seconds: float = 10.0
    budget_bytes: int = 2 * 1024**3
    switches: Switches = Switches()
