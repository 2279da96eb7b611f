"""What a hunt says while it goes on and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from daemon.core import Core


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, by name, with what there is to know of it."""

    name: str
    fields: dict[str, object] = {}


Listener = Callable[[Event], None]


class Yield(msgspec.Struct, frozen=True):
    """What one transformation has brought in this run."""

    applied: int
    decided: int
    findings: int


class Summary(msgspec.Struct, frozen=True):
    """The last word of a run. `instances` and `truths` are those of the knowledge base, the rest of this run."""

    queries: int
    seconds: float
    slots: int
    slots_busy: float
    instances: int
    truths: int
    own_faults: int
    findings: dict[str, int]
    known: dict[str, int]
    flaky: dict[str, int]
    suspicions: int
    verdicts: dict[str, int]
    transported: dict[str, int]
    inapplicable: int
    repeated: int
    lost: int
    troubles: int
    transformations: dict[str, Yield]


def summary_of(core: Core, sizes: Mapping[str, int], seconds: float, busy: float, slots: int) -> Summary:
    counts = core.counts
    return Summary(
        queries=counts["queries"],
        seconds=round(seconds, 1),
        slots=slots,
        slots_busy=round(busy / (seconds * slots), 3) if seconds else 0.0,
        instances=sizes.get("instances", 0),
        truths=sizes.get("truths", 0),
        own_faults=counts["own faults"],
        findings=_part(counts, "finding "),
        known=_part(counts, "known "),
        flaky=_part(counts, "flaky "),
        suspicions=len(core.suspicions),
        verdicts=_part(counts, "verdict "),
        transported=_part(counts, "transported "),
        inapplicable=counts["inapplicable"],
        repeated=counts["repeated"],
        lost=counts["lost"],
        troubles=counts["troubles"],
        transformations={
            name: Yield(applied, counts[f"decided {name}"], counts[f"found {name}"])
            for name, applied in sorted(_part(counts, "applied ").items())
        },
    )


def _part(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    return {name.removeprefix(prefix): counts[name] for name in sorted(counts) if name.startswith(prefix)}
