"""What a transformation starts from and what it makes: instances with, where there is one, a witness."""

from __future__ import annotations

import msgspec

from chc.instance import Instance
from chc.model import Model
from chc.refutation import Refutation
from chc.witness import Truth, Witness, proved_by


class Known(msgspec.Struct, frozen=True):
    """An instance with a witness of its truth; without one its truth is open."""

    instance: Instance
    witness: Witness | None = None

    @property
    def truth(self) -> Truth | None:
        return None if self.witness is None else proved_by(self.witness)

    @property
    def model(self) -> Model:
        """The model of a parent known to be sat."""
        assert isinstance(self.witness, Model)
        return self.witness

    @property
    def refutation(self) -> Refutation:
        """The refutation of a parent known to be unsat."""
        assert isinstance(self.witness, Refutation)
        return self.witness


class Inapplicable(Exception):
    """A recorded choice that does not fit the parents, because they are not the ones it was drawn for."""
