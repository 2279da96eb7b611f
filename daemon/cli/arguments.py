"""Kinds of arguments that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable


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
