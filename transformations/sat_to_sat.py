"""Section A of the catalogue: what keeps a model."""

from __future__ import annotations

from typing import Final

from transformations.sat_forget import ForgetInterpretation
from transformations.sat_plug import PlugModelLhs, PlugModelRhs
from transformations.sat_strengthen import AddConstraintLhs, DropClause
from transformations.sat_unplug import UnplugLhs, UnplugRhs
from transformations.transformation import Entry

SAT_TO_SAT: Final[tuple[Entry, ...]] = (
    PlugModelLhs(),
    PlugModelRhs(),
    AddConstraintLhs(),
    UnplugLhs(),
    UnplugRhs(),
    DropClause(),
    ForgetInterpretation(),
)
