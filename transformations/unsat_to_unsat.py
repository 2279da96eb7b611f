"""Section B of the catalogue: what keeps a refutation."""

from __future__ import annotations

from typing import Final

from transformations.transformation import Entry
from transformations.unsat_clauses import AddClause, DropRedundantClause, ReplaceClauseWithFact
from transformations.unsat_plug import PlugBottomRhs, PlugTopLhs, PlugTopPredicate

UNSAT_TO_UNSAT: Final[tuple[Entry, ...]] = (
    PlugTopLhs(),
    PlugTopPredicate(),
    PlugBottomRhs(),
    DropRedundantClause(),
    ReplaceClauseWithFact(),
    AddClause(),
)
