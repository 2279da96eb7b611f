"""The options of Golem, as data and as words of its command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backends.options import Fairness, Option

ENGINES: Final = ("spacer", "pa", "lawi", "imc", "dar", "pdkind", "tpa", "split-tpa", "kind", "bmc", "se", "trl")
_FLAGS: Final = frozenset(("print-witness", "validate", "force-ts", "simplify-nested", "tpa.use-qe", "forced-covering"))
_ON: Final = "true"
_OFF: Final = "false"

SPACE: Final = (
    Option("engine", ENGINES, "spacer"),
    Option("proof-format", ("legacy", "intermediate"), "legacy"),
    Option(
        "proof-format", ("alethe",), "legacy", Fairness.forbidden, "no derivation is read from it; it aborts on reals"
    ),
    Option("force-ts", (_OFF, _ON), _OFF),
    Option("simplify-nested", (_OFF, _ON), _OFF),
    Option("tpa.use-qe", (_OFF, _ON), _OFF),
    Option("lra-itp-algorithm", ("0", "1", "2"), "0"),
    Option(
        "forced-covering",
        (_OFF, _ON),
        _OFF,
        Fairness.forbidden,
        "golem's help does not offer it, and golem's own validation rejects models of the engine lawi under it",
    ),
)


def arguments(options: Mapping[str, str]) -> list[str]:
    """The command line for these options; what golem does not know it complains about itself."""
    words: list[str] = []
    for name, value in options.items():
        if name in _FLAGS:
            words += [f"--{name}"] if value == _ON else []
        elif name == "verbose":
            words += ["-v"] * int(value) if value.isdigit() else [f"--verbose={value}"]
        else:
            words += [f"--{name}", value]
    return words
