"""Witnesses come back under the names that the instance has."""

from backends.renaming import rename_model, rename_proof
from chc.instance import Atom
from chc.model import Interpretation, Model
from chc.refutation import Derivation, DerivedFact
from chc.terms import FALSE, TRUE, integer

NAMES = {"user_query!0": "query!0", "P": "P"}


def test_model() -> None:
    """Only the names change."""
    yes, no = Interpretation((), TRUE), Interpretation((), FALSE)
    assert Model({"query!0": yes, "P": no}) == rename_model(Model({"user_query!0": yes, "P": no}), NAMES)


def test_derivation() -> None:
    """False has no name."""
    found = Derivation((DerivedFact(Atom("user_query!0", (integer(1),)), ()), DerivedFact(None, (0,))))
    expected = Derivation((DerivedFact(Atom("query!0", (integer(1),)), ()), DerivedFact(None, (0,))))
    assert expected == rename_proof(found, NAMES)
