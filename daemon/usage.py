"""How busy the slots were, while their number changes and pauses come and go."""

from __future__ import annotations


class Usage:
    """Solver seconds against the seconds in which there were slots for them."""

    def __init__(self) -> None:
        self.busy_seconds = 0.0
        self._slots = 0
        self._since = 0.0
        self._before = 0.0

    def add(self, seconds: float) -> None:
        """Solvers have run for so long."""
        self.busy_seconds += seconds

    def set_slots(self, slots: int, now: float) -> None:
        self._before = self.slot_seconds(now)
        self._slots, self._since = slots, now

    def slot_seconds(self, now: float) -> float:
        """How long all slots together could have been used."""
        return self._before + self._slots * (now - self._since)

    def share(self, now: float) -> float:
        offered = self.slot_seconds(now)
        return self.busy_seconds / offered if offered else 0.0
