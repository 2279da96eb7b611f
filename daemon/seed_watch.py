"""Directories of seeds: what was put there since the last look, as soon as nobody writes to it any more."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

_SUFFIX: Final = ".smt2"
_KB: Final = 1024


class Print(msgspec.Struct, frozen=True):
    size: int
    changed: int


class Text(msgspec.Struct, frozen=True):
    """A file: its text, or why there is none."""

    name: str
    text: str = ""
    problem: str = ""


def scan(directories: Sequence[str]) -> dict[str, Print]:
    """Every file that may be a seed. Blocks."""
    found: dict[str, Print] = {}
    for directory in directories:
        for place, _, names in os.walk(directory):
            for name in sorted(names):
                if name.endswith(_SUFFIX):
                    _note(os.path.join(place, name), found)
    return found


def _note(path: str, found: dict[str, Print]) -> None:
    try:
        status = os.stat(path)
    except OSError:
        return  # it has gone again
    found[path] = Print(status.st_size, status.st_mtime_ns)


def read(path: str, largest_kb: int) -> Text:
    """Blocks for as long as the disk takes."""
    name = os.fsencode(path).decode("utf-8", "replace")
    try:
        if (size := os.path.getsize(path)) > largest_kb * _KB:
            return Text(name, problem=f"{name}: {size // _KB} kB are more than [seeds] largest_kb allows")
        return Text(name, Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        return Text(name, problem=f"{name} cannot be read: {problem.strerror}")
    except UnicodeDecodeError:
        return Text(name, problem=f"{name}: not text in UTF-8; see: file {name}")


class SeedWatch:
    """What was seen before. A file is taken when two looks in a row have found it the same."""

    def __init__(self) -> None:
        self._last: Mapping[str, Print] = {}
        self._taken: dict[str, Print] = {}

    def new(self, seen: Mapping[str, Print]) -> list[str]:
        """The files to be taken now."""
        last, self._last = self._last, dict(seen)
        self._taken = {path: each for path, each in self._taken.items() if path in seen}
        ripe = [path for path, each in seen.items() if last.get(path) == each and self._taken.get(path) != each]
        self._taken.update((path, seen[path]) for path in ripe)
        return ripe
