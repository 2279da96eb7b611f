"""What an instance or a transformation has cost and taught so far, and what that makes it worth.

Everything here is a pure function of small records, so that a schedule can be explained and repeated.
"""

from __future__ import annotations

import math
from statistics import median

import msgspec

_MEMORY = 0.9
"""The share of old evidence that remains after one more query: what counts is what was learnt lately."""
_WINDOW = 9
"""How many of the latest times are kept."""
_START_UP_SECONDS = 0.05
"""What any query costs beside solving; keeps instances that take no time from being worth everything."""
_FINDING_IS_WORTH = 10.0
_CURIOSITY = 0.5
"""How much the little-tried are preferred to the proven ones."""


class Lesson(msgspec.Struct, frozen=True):
    """What came of one query that was made from an instance. `seconds` is solver time."""

    seconds: float
    is_decided: bool = False
    new_truths: int = 0
    new_shapes: int = 0
    findings: int = 0

    @property
    def worth(self) -> float:
        return self.new_truths + self.new_shapes + _FINDING_IS_WORTH * self.findings


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """One instance's history. `recent` and `decided` are the latest times of all and of decided queries from it."""

    size: int = 1
    picks: int = 0
    queries: int = 0
    weight: float = 0.0
    """The number of queries, old ones discounted."""
    worth: float = 0.0
    """What they taught, old lessons discounted likewise."""
    recent: tuple[float, ...] = ()
    decided: tuple[float, ...] = ()

    @property
    def median_seconds(self) -> float:
        return median(self.recent) if self.recent else 0.0

    @property
    def slowest_decided(self) -> float | None:
        return max(self.decided, default=None)


class Arm(msgspec.Struct, frozen=True, omit_defaults=True):
    """One transformation's history. `tried` counts also the attempts at places where it did not apply."""

    tried: int = 0
    applied: int = 0
    decided: int = 0
    findings: int = 0
    seconds: float = 0.0


def picked(standing: Standing) -> Standing:
    """The standing after a schedule has chosen the instance."""
    return msgspec.structs.replace(standing, picks=standing.picks + 1)


def taught(standing: Standing, lesson: Lesson) -> Standing:
    """The standing after one more query from the instance."""
    decided = (*standing.decided, lesson.seconds) if lesson.is_decided else standing.decided
    return msgspec.structs.replace(
        standing,
        queries=standing.queries + 1,
        weight=_MEMORY * standing.weight + 1.0,
        worth=_MEMORY * standing.worth + lesson.worth,
        recent=(*standing.recent, lesson.seconds)[-_WINDOW:],
        decided=decided[-_WINDOW:],
    )


def missed(arm: Arm) -> Arm:
    """The arm after the transformation did not apply."""
    return msgspec.structs.replace(arm, tried=arm.tried + 1)


def rewarded(arm: Arm, lesson: Lesson) -> Arm:
    """The arm after a query to which the transformation led."""
    return Arm(
        tried=arm.tried + 1,
        applied=arm.applied + 1,
        decided=arm.decided + lesson.is_decided,
        findings=arm.findings + lesson.findings,
        seconds=arm.seconds + lesson.seconds,
    )


def energy(standing: Standing) -> float:
    """What the next query from this instance is worth: lessons per second, less for the worn and for the large.

    Before any query it counts as one lesson per query, so that every instance gets its chance.
    """
    novelty = (standing.worth + 1.0) / (standing.weight + 1.0)
    cost = _START_UP_SECONDS + standing.median_seconds
    wear = math.sqrt(1.0 + standing.picks)
    return novelty / (cost * wear * math.log2(2.0 + standing.size))


def rate(arm: Arm) -> float:
    """Decided answers and findings per attempt and second of solver time; optimistic before there are any."""
    gain = 1.0 + arm.decided + _FINDING_IS_WORTH * arm.findings
    share = (1.0 + arm.applied) / (1.0 + arm.tried)
    return share * gain / (1.0 + arm.seconds + _START_UP_SECONDS * arm.applied)


def arm_weights(arms: list[Arm]) -> list[float]:
    """For each arm its rate against the best one, plus a bonus that shrinks the oftener it was tried."""
    rates = [rate(arm) for arm in arms]
    best = max(rates, default=1.0)
    spread = math.log1p(sum(arm.tried for arm in arms))
    return [
        value / best + _CURIOSITY * math.sqrt(spread / (1.0 + arm.tried))
        for value, arm in zip(rates, arms, strict=True)
    ]
