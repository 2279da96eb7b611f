"""How the daemon is: what `hornblower status` shows and the metrics count."""

from __future__ import annotations

import msgspec

from daemon.events import Summary
from daemon.health import Episode
from daemon.hunt import Stage
from daemon.hygiene import Hygiene


class Status(msgspec.Struct, frozen=True):
    """A moment in the life of the daemon."""

    version: str
    pid: int
    stage: Stage
    started: float
    """Seconds since 1970."""
    uptime: float
    run: str
    """The name of the hunt."""
    config: str
    """The file."""
    state: str
    """The state directory."""
    configurations: tuple[str, ...]
    """The suspects."""
    open: int
    """Jobs under way."""
    log_lost: int
    """Lines of the log that could not be written."""
    summary: Summary
    hygiene: Hygiene
    health: tuple[Episode, ...]
    """What is not as it should be at the moment."""
