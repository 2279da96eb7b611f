"""A model proves sat, a refutation unsat; both are stored by what they prove."""

from __future__ import annotations

import pytest

from chc.lexer import ReadError
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.script import read_instance
from chc.terms import TRUE
from chc.witness import Truth, Witness, proved_by, witness_from_json, witness_to_json

INSTANCE = read_instance("(declare-fun Q () Bool)(assert false)")
MODEL = Model({"Q": Interpretation((), TRUE)})
REFUTATION = Refutation((Step(None, 0, (), ()),))


@pytest.mark.parametrize(("witness", "truth"), [(MODEL, Truth.sat), (REFUTATION, Truth.unsat)])
def test_witnesses(witness: Witness, truth: Truth) -> None:
    """What it proves, and that it survives storage as that and as nothing else."""
    assert truth is proved_by(witness)
    assert witness == witness_from_json(witness_to_json(witness), truth, INSTANCE)
    with pytest.raises(ReadError):
        witness_from_json(witness_to_json(witness), truth.opposite, INSTANCE)


def test_opposites() -> None:
    assert [Truth.unsat, Truth.sat] == [truth.opposite for truth in (Truth.sat, Truth.unsat)]
    assert "sat" == Truth.sat
