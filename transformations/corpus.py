"""The instances that come with Hornblower, written for it, each with a witness of its truth.

They lie in `corpus/`: `NAME.smt2` holds an instance, `NAME.json` its truth and a witness of it. The truth is also
the last part of the name, so that a listing tells it. Nothing is read before it is asked for.
"""

from __future__ import annotations

from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from chc.instance import Instance
from chc.lexer import ReadError
from chc.script import read_instance
from chc.witness import Truth, Witness, witness_from_json
from transformations.known import Known


class _Certified(msgspec.Struct, frozen=True):
    """A truth with its witness, as stored."""

    truth: Truth
    witness: object


class Embedded(msgspec.Struct, frozen=True, dict=True):
    """One instance of the corpus, by the name of its file without the ending."""

    name: str
    directory: Traversable

    @property
    def truth(self) -> Truth:
        """What the name says."""
        return Truth(self.name.rsplit("-", 1)[-1])

    @cached_property
    def text(self) -> str:
        return (self.directory / f"{self.name}.smt2").read_text(encoding="utf-8")

    @cached_property
    def instance(self) -> Instance:
        return read_instance(self.text, f"{self.name}.smt2")

    @cached_property
    def witness(self) -> Witness:
        """The stored witness; whether it is a right one is for a checker to say."""
        data = (self.directory / f"{self.name}.json").read_bytes()
        stored = msgspec.json.decode(data, type=_Certified)
        if stored.truth is not self.truth:
            raise ReadError(f"{self.name}.json claims {stored.truth}, against the name")
        return witness_from_json(stored.witness, stored.truth, self.instance)

    @property
    def known(self) -> Known:
        """The instance as a parent of trick instances."""
        return Known(self.instance, self.witness)


def corpus() -> list[Embedded]:
    """Every embedded instance, in alphabetical order."""
    directory = resources.files("transformations") / "corpus"
    names = sorted(file.name for file in directory.iterdir() if file.name.endswith(".smt2"))
    return [Embedded(name.removesuffix(".smt2"), directory) for name in names]
