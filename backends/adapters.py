"""The solvers that Hornblower knows, by name, in the order in which they are listed."""

from __future__ import annotations

from typing import Final

from backends.adapter import Adapter
from backends.answer import Configuration
from backends.cvc5 import CVC5_SOLVER
from backends.eldarica import ELDARICA
from backends.golem import GOLEM
from backends.hoice import HOICE
from backends.loat import LOAT
from backends.princess import PRINCESS
from backends.spacer import SPACER
from backends.theta import THETA
from backends.ultimate import TREE_AUTOMIZER, UNIHORN
from backends.z3_engines import BMC, DATALOG

_ALL: Final = (
    *(SPACER, ELDARICA, GOLEM, CVC5_SOLVER, PRINCESS, HOICE, BMC, DATALOG),
    *(THETA, TREE_AUTOMIZER, UNIHORN, LOAT),
)
ADAPTERS: Final[dict[str, Adapter]] = {adapter.name: adapter for adapter in _ALL}


def adapter_of(configuration: Configuration) -> Adapter:
    return ADAPTERS[configuration.solver]
