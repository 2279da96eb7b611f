"""Whom the daemon asks, while the programs come, go and are replaced.

A program that has other content than when the knowledge base first met it is another version: its label gets the
beginning of its digest, as in `spacer@4.15.5+1f0c3a9e`. So what the old one said is never taken for what the new one
says.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from backends.answer import Configuration
from backends.places import BadSolver, InstallError, SolverMissing
from backends.store import parse_solver
from knowledge_base import programs
from knowledge_base.store import KnowledgeBase

_SHOWN: Final = 8
_PIECE: Final = 1024 * 1024


class Print(msgspec.Struct, frozen=True):
    """What changes when a file does, as the file system knows it."""

    inode: int
    size: int
    changed: int


class Sighting(msgspec.Struct, frozen=True):
    """What became of the name of a suspect: a configuration, or the reason why there is none."""

    text: str
    configuration: Configuration | None
    print: Print | None
    problem: str = ""


def look(texts: Sequence[str]) -> tuple[Sighting, ...]:
    """Blocks: looks at files, and may start programs to ask for their version."""
    return tuple(map(_sighted, texts))


def _sighted(text: str) -> Sighting:
    try:
        configuration = parse_solver(text)
        status = os.stat(configuration.program)
    except (SolverMissing, BadSolver, InstallError, OSError) as problem:
        return Sighting(text, None, None, str(problem))
    return Sighting(text, configuration, Print(status.st_ino, status.st_size, status.st_mtime_ns))


def digest_of(program: str) -> str:
    """Of the content of a program. Blocks."""
    digest = hashlib.sha256()
    with open(program, "rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


class Suspects:
    """The latest sightings, the digests of the programs, and what they are called because of these."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge = knowledge
        self._digests: dict[tuple[str, Print], str] = {}
        self._last: dict[str, Sighting] = {}

    def settled(self, sightings: Sequence[Sighting]) -> bool:
        """Whether they are the same as the last time: nobody is still writing a program."""
        before, self._last = self._last, {each.text: each for each in sightings}
        return self._last == before

    def recognise(self, sightings: Sequence[Sighting]) -> tuple[Configuration, ...]:
        """Those that are there, under labels of their own where they are not what they were. Blocks."""
        found = [self._labelled(each.configuration, each.print) for each in sightings if each.configuration]
        return tuple(dict.fromkeys(found))

    def _labelled(self, configuration: Configuration, print: Print | None) -> Configuration:
        assert print is not None
        digest = self._digest(configuration.program, print)
        name = f"{configuration.solver}@{configuration.version} {configuration.program}"
        first = self._knowledge.read(programs.first_digest, name)
        if first is None:
            self._knowledge.write_now(programs.meet, name, digest)
        if first in (None, digest):
            return configuration
        return msgspec.structs.replace(configuration, version=f"{configuration.version}+{digest[:_SHOWN]}")

    def _digest(self, program: str, print: Print) -> str:
        if (program, print) not in self._digests:
            self._digests = {key: value for key, value in self._digests.items() if key[0] != program}
            self._digests[program, print] = digest_of(program)
        return self._digests[program, print]


class Turnover(msgspec.Struct, frozen=True):
    """How the suspects have changed."""

    come: tuple[Configuration, ...] = ()
    gone: tuple[Configuration, ...] = ()

    def heir_of(self, configuration: Configuration) -> Configuration | None:
        """Who has taken the place of one that is gone: the same solver with the same options."""
        same = (configuration.solver, configuration.options)
        return next((each for each in self.come if (each.solver, each.options) == same), None)


def turnover(old: Sequence[Configuration], new: Sequence[Configuration]) -> Turnover:
    return Turnover(
        tuple(each for each in new if each not in old),
        tuple(each for each in old if each not in new),
    )


def missing(sightings: Sequence[Sighting]) -> Mapping[str, str]:
    """The suspects that are not there, with the reason."""
    return {each.text: each.problem for each in sightings if each.configuration is None}
