"""All transformations by name."""

from __future__ import annotations

from typing import Final

from transformations.fusion import FUSIONS
from transformations.preserving import PRESERVING
from transformations.sat_to_sat import SAT_TO_SAT
from transformations.transformation import Entry
from transformations.unsat_to_unsat import UNSAT_TO_UNSAT

ENTRIES: Final[tuple[Entry, ...]] = (*SAT_TO_SAT, *UNSAT_TO_UNSAT, *PRESERVING, *FUSIONS)
CATALOGUE: Final[dict[str, Entry]] = {entry.name: entry for entry in ENTRIES}
