"""Section C of the catalogue: the transformations that keep the truth, whichever it is."""

from __future__ import annotations

from typing import Final

from transformations.preserving_arithmetic import AddInequality, EquivalentComparison
from transformations.preserving_cases import CaseSplit, StrengthenWithInvariant
from transformations.preserving_folding import Inline, Outline
from transformations.preserving_fusion import SemanticFusion
from transformations.preserving_logic import RedundantLogic
from transformations.preserving_order import MixBoundVariables, ReorderClauses
from transformations.preserving_predicates import PadArguments, PermuteArguments
from transformations.preserving_pysmt import Reformulate
from transformations.preserving_rename import Rename
from transformations.preserving_rules import AddLinearRule, AddNonlinearRule
from transformations.preserving_syntax import BreakAnd, DupAnd, SwapAnd, SwapOr
from transformations.preserving_unplug import SharedUnplug, UnplugLhsClause
from transformations.preserving_z3 import Z3Rewrite
from transformations.transformation import Entry

PRESERVING: Final[tuple[Entry, ...]] = (
    UnplugLhsClause(),
    SharedUnplug(),
    SwapAnd(),
    SwapOr(),
    BreakAnd(),
    DupAnd(),
    MixBoundVariables(),
    ReorderClauses(),
    Rename(),
    AddInequality(),
    AddLinearRule(),
    AddNonlinearRule(),
    Z3Rewrite(),
    Reformulate(),
    RedundantLogic(),
    SemanticFusion(),
    EquivalentComparison(),
    Inline(),
    Outline(),
    PadArguments(),
    PermuteArguments(),
    CaseSplit(),
    StrengthenWithInvariant(),
)
