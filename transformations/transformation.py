"""What every transformation is: where it applies, what it draws, what it makes, how witnesses travel.

The way of a trick: `sites` lists where the transformation applies, `draw` adds the random rest and so completes a
choice, `apply` makes the child from the choice, `transport` carries the witness over. Only `draw` is random; a
stored choice therefore gives the same child again, and on changed parents either a child or `Inapplicable`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import ClassVar, Generic, TypeVar

import msgspec

from chc.instance import Instance
from chc.witness import Truth, Witness
from transformations.known import Inapplicable, Known

Parents = Sequence[Known]
Site = tuple[int, ...]
"""Where a transformation applies: for most the number of a clause, then of something in it."""

C = TypeVar("C", bound=msgspec.Struct)


class Made(msgspec.Struct, frozen=True):
    """A child, with the choice that makes it again from the same parents, as plain data."""

    choice: object
    child: Known


class Entry(ABC):
    """An entry of the catalogue as those see it who do not care what its choices are made of."""

    name: ClassVar[str]
    section: ClassVar[str]
    """A: sat to sat. B: unsat to unsat. C: preserving. D: fusion."""
    takes: ClassVar[frozenset[Truth]]
    """The truths of parents for which something is promised."""
    arity: ClassVar[int] = 1
    needs_witness: ClassVar[bool] = False
    """Whether it looks at the parent's witness; if not, it can be applied to parents of open truth too."""

    @abstractmethod
    def sites(self, parents: Parents) -> Sequence[Site]:
        """Where it applies; empty where it does not."""

    @abstractmethod
    def attempt(self, parents: Parents, site: Site, rng: Random) -> Made | None:
        """A child by a random choice at the site; None where the dice find none."""

    @abstractmethod
    def repeat(self, parents: Parents, choice: object) -> Made:
        """The child by a choice that was recorded; `Inapplicable` where it does not fit the parents."""

    def promise(self, parents: Parents) -> Truth | None:
        """The truth of the child; None where nothing is promised."""
        truth = parents[0].truth
        return truth if truth in self.takes else None


class Transformation(Entry, Generic[C]):
    """One entry of the catalogue. Its docstring says why the promise holds."""

    choice: type[C]
    """A frozen struct of plain data: everything that has to be known to make the child again."""

    @abstractmethod
    def draw(self, parents: Parents, site: Site, rng: Random) -> C | None:
        """A complete choice at the site; None where the dice find none."""

    @abstractmethod
    def apply(self, parents: Parents, choice: C) -> Instance:
        """The child; `Inapplicable` where the choice does not fit the parents."""

    @abstractmethod
    def transport(self, parents: Parents, choice: C, child: Instance) -> Witness | None:
        """The witness of the child from those of the parents; None where it cannot be had without a solver."""

    def attempt(self, parents: Parents, site: Site, rng: Random) -> Made | None:
        choice = self.draw(parents, site, rng)
        return None if choice is None else self._make(parents, choice)

    def repeat(self, parents: Parents, choice: object) -> Made:
        try:
            converted = msgspec.convert(choice, self.choice)
        except msgspec.ValidationError as problem:
            raise Inapplicable(f"no choice of {self.name}: {problem}") from None
        return self._make(parents, converted)

    def _make(self, parents: Parents, choice: C) -> Made:
        child = self.apply(parents, choice)
        return Made(msgspec.to_builtins(choice), Known(child, self.transport(parents, choice, child)))
