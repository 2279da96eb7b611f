"""What z3 logs with `-v:1`, as states: passes of preprocessing, levels, and what became of each obligation.

Names, numbers of terms and times are dropped, so that equal runs have equal traces. What the SMT core of older releases
says in the middle of a line goes as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from backends.trace import Trace, capped, trace_of

ARGUMENTS: Final = ("-v:1",)
_STATISTICS: Final = re.compile(r"\(smt\.stats[^)\n]*\)\n?")
_SECONDS: Final = r" \d+\.\d+$"
_STEP: Final = re.compile(
    r"^\(transform N7datalog\d+mk_(?P<rewriting>\w+?)E\.\.\.(?:no-op|(?P<rules>\d+) rules) .*$"
    r"|^Entering level (?P<level>\d+)$"
    r"|^Propagating: (?P<levels>(?:\d+ )*)(?: ?!.*)?$"
    r"|^\t?(?P<action>expand|create_child|is-reachable): .* \((?P<at>\d+), (?P<depth>\d+)\) (?P<kind>FAR|SUB)"
    r"(?P<obligation>(?: CONJ| SUBS)*) .*?(?: (?P<outcome>[A-Z]+)" + _SECONDS + r")?$"
    r"|^\(spacer::context::\w+ :time .*$|^(?:dup|Deleting closed node): .*$",
    re.MULTILINE,
)


class Logged(msgspec.Struct, frozen=True):
    trace: Trace | None
    rest: str
    """What else was said."""


def read_log(said: str) -> Logged:
    """What z3 wrote to stderr, taken apart."""
    text = _STATISTICS.sub("", said)
    return Logged(trace_of(_states(text)), _STEP.sub("", text))


def _states(text: str) -> Iterator[str]:
    before = 0
    for step in _STEP.finditer(text):
        if step["rules"]:
            rules = int(step["rules"])
            yield f"{step['rewriting']} {_change(rules - before)}"
            before = rules
        elif step["level"]:
            yield f"level {capped(step['level'])}"
        elif step["levels"] is not None:
            yield f"propagate {capped(len(step['levels'].split()))}"
        elif step["action"]:
            kind = f"{step['kind']}{step['obligation']} {step['outcome'] or '-'}"
            yield f"{step['action']} {capped(step['at'])} {capped(step['depth'])} {kind}"


def _change(rules: int) -> str:
    return f"{'-' if rules < 0 else '+'}{capped(abs(rules))}"
