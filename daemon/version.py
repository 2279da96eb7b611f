"""Which Hornblower this is."""

from __future__ import annotations

import importlib.metadata


def version() -> str:
    try:
        return importlib.metadata.version("hornblower")
    except importlib.metadata.PackageNotFoundError:
        return "(from sources that are not installed)"
