"""The options of Eldarica, as data and as words of its command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backends.options import Fairness, Option

_ON: Final = "true"
_OFF: Final = "false"
_FLAGS: Final = ("disj", "noIntervals", "noSlicing", "lbe", "cloneArrays")
_WALL_CLOCK: Final = "which of them wins depends on the clock"

SPACE: Final = (
    Option("abstract", ("relEqs2", "off", "term", "oct", "relEqs", "relIneqs", "relIneqs2"), "relEqs2"),
    Option("abstract", ("manual",), "relEqs2", Fairness.forbidden, "it expects abstractions written by hand"),
    *(Option(name, (_OFF, _ON), _OFF) for name in _FLAGS),
    Option("splitClauses", ("0", "1", "2"), "1"),
    Option("sym", (_OFF, "bfs", "dfs"), _OFF),
    Option("solutionReconstruction", ("wp", "cegar"), "wp"),
    Option("heapSolver", ("native", "array"), "native"),
    Option("arrayQuans", ("1", "off"), "1"),
    Option("symDepth", ("10",), "", Fairness.forbidden, "a bounded search, whose end is reported as sat"),
    Option("stac", (_ON,), _OFF, Fairness.forbidden, "it needs Yices 1"),
    Option("portfolio", (_ON,), _OFF, Fairness.forbidden, _WALL_CLOCK),
    Option("abstractPO", (_ON,), _OFF, Fairness.forbidden, _WALL_CLOCK),
    Option("eogCEX", (_ON,), _OFF, Fairness.forbidden, "it opens a window"),
)


def arguments(options: Mapping[str, str]) -> list[str]:
    """The command line for these options; what Eldarica does not know it complains about itself."""
    words = {_ON: "-{name}", _OFF: ""}
    found = (words.get(value, "-{name}:{value}").format(name=name, value=value) for name, value in options.items())
    return [word for word in found if word]
