"""Kinds of arguments that several commands take."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)")
_UNITS: Final = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def positive(kind: Callable[[str], float]) -> Callable[[str], float]:
    """A number above zero, read by `kind`."""

    def convert(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = 0
        if not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError(f"{text} is not a positive number; write for instance 10")
        return value

    return convert


def between(least: int, most: int | None, why: str) -> Callable[[str], int]:
    """A whole number that makes sense; `why` says what goes wrong beyond the bounds."""

    def convert(text: str) -> int:
        value = int(positive(int)(text))
        if value < least or (most is not None and value > most):
            bound = f"at least {least}" if value < least else f"at most {most}"
            raise argparse.ArgumentTypeError(f"{text}: {why}; {bound}")
        return value

    return convert


def place(text: str) -> Path:
    """A directory; what an empty variable of a shell gives does not mean the present one."""
    if not text:
        raise argparse.ArgumentTypeError("an empty name of a directory; take . for this one")
    return Path(text)


MEMORY: Final = between(64, None, "no solver can start in so few MB")
SLOTS: Final = between(1, 16 * (os.cpu_count() or 1), "more solvers at the same time than this machine can serve")


def duration(text: str) -> float:
    """Seconds, from a number with a unit."""
    match = _DURATION.fullmatch(text)
    if match is None or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"{text} is no duration; write for instance 90s, 10m or 2h")
    return float(match[1]) * _UNITS[match[2]]
