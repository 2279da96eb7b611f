"""Truth and what proves it: a model proves sat, a refutation proves unsat."""

from __future__ import annotations

from enum import StrEnum

from chc.instance import Instance
from chc.model import Model, model_from_json, model_to_json
from chc.refutation import Refutation, refutation_from_json, refutation_to_json

Witness = Model | Refutation


class Truth(StrEnum):
    """Whether an instance has a model or a refutation."""

    sat = "sat"
    unsat = "unsat"

    @property
    def opposite(self) -> Truth:
        return Truth.unsat if self is Truth.sat else Truth.sat


def proved_by(witness: Witness) -> Truth:
    """What the witness proves, if it is a right one."""
    return Truth.sat if isinstance(witness, Model) else Truth.unsat


def witness_to_json(witness: Witness) -> dict[str, object]:
    """The witness as plain data, the same for the same witness."""
    return model_to_json(witness) if isinstance(witness, Model) else refutation_to_json(witness)


def witness_from_json(data: object, truth: Truth, instance: Instance) -> Witness:
    """What `witness_to_json` wrote of a witness of this truth; `ReadError` where it does not fit the instance."""
    return model_from_json(data, instance) if truth is Truth.sat else refutation_from_json(data, instance)
