"""The solvers that Hornblower knows, by name, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from backends.adapter import Adapter
from backends.answer import Configuration
from backends.cvc5 import CVC5_SOLVER
from backends.described import described
from backends.description import BadDescription
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
OWN: Final[dict[str, Adapter]] = {adapter.name: adapter for adapter in _ALL}
"""Those that come with Hornblower."""


class _Adapters(Mapping[str, Adapter]):
    """All that there are at this moment: first our own, then those of the user's tables."""

    def __getitem__(self, name: str) -> Adapter:
        return OWN[name] if name in OWN else described()[name]

    def __iter__(self) -> Iterator[str]:
        yield from OWN
        for name in described():
            if name in OWN:
                raise BadDescription(f"{name} is a solver that hornblower knows; rename its table {name}.toml")
            yield name

    def __len__(self) -> int:
        return len(list(iter(self)))


ADAPTERS: Final[Mapping[str, Adapter]] = _Adapters()


def adapter_of(configuration: Configuration) -> Adapter:
    return ADAPTERS[configuration.solver]
