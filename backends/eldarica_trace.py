"""What Eldarica logs with `-log`, as states: passes of preprocessing, how far it explores, and each refinement.

Times, names and formulas are dropped. So is the search for abstractions, which goes as far as the clock lets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from backends.trace import Trace, capped, trace_of

ARGUMENT: Final = "-log"
_STEP: Final = re.compile(
    r"^After (?P<rewriting>[^(:]+?)(?: \(\d+ms\))?: +(?P<clauses>\d+) +\d+$"
    r"|^Initially: +(?P<initially>\d+) +\d+$"
    r"|^(?P<explored>\.+)$"
    r"|^Found counterexample #\d+, refining"
    r"|(?P<refined>\d+) -> \d+ \.\.\. adding predicates:$"
    r"|(?P<genuine>counterexample is genuine)$",
    re.MULTILINE,
)


def trace_in(log: str) -> Trace | None:
    """None where nothing was logged."""
    return trace_of(_states(log))


def _states(log: str) -> Iterator[str]:
    before = 0
    for step in _STEP.finditer(log):
        if clauses := step["initially"] or step["clauses"]:
            change = int(clauses) - before
            before = int(clauses)
            yield f"{step['rewriting'] or 'initially'} {'-' if change < 0 else '+'}{capped(abs(change))}"
        elif step["explored"]:
            yield f"explore {len(step['explored']).bit_length()}"
        elif step["refined"]:
            yield f"refine {int(step['refined']).bit_length()}"
        else:
            yield step["genuine"] or "counterexample"
