"""Where a campaign keeps its state unless told otherwise."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory() -> Path:
    """hornblower below $XDG_STATE_HOME, or below ~/.local/state."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home).absolute() / "hornblower"
