"""Is the hunt well? Decided from snapshots, without input or output or a clock.

What is wrong is an episode: it begins once, says what to do, and ends once when it is over. A check looks at the oldest
and at the newest snapshot of the last minutes. To begin is harder than to go on, so that nothing flickers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta

_EASE: Final = 0.8
"""An episode goes on until its figure is better than this share of what it takes to begin."""
_ENOUGH_QUERIES: Final = 50
_ENOUGH_TRIES: Final = 300
_MANY_LOSSES: Final = 3
_DESCRIPTORS_SHARE: Final = 0.8
Share = Annotated[float, Meta(gt=0, le=1)]
Minutes = Annotated[float, Meta(gt=0)]


class HealthRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When to raise the alarm."""

    window_minutes: Minutes = 10.0
    """What is looked at: the last minutes of hunting."""
    timeouts: Share = 0.5
    """Too many timeouts: this share of the queries ran into their limit of time."""
    barren_minutes: Minutes = 60.0
    """No new truth for so long."""
    undecided: Share = 0.5
    """The checkers left this share of the witnesses undecided."""
    slots_busy: Share = 0.4
    """Slots starve: solvers ran in less than this share of the time."""
    memory_mb: Annotated[int, Meta(ge=64)] = 2048
    """The daemon without its workers takes more memory than this."""
    stall_seconds: Annotated[float, Meta(gt=0)] = 1.0
    """The loop of the daemon was held up for so long."""


class Snapshot(msgspec.Struct, frozen=True):
    """How far things had come at a moment. Numbers count from the beginning of the hunt, unless told otherwise."""

    at: float
    is_hunting: bool = True
    queries: int = 0
    timeouts: int = 0
    truths: int = 0
    checked: int = 0
    """Witnesses that were shown to a checker."""
    undecided: int = 0
    """Those of them that it could not decide."""
    lost: int = 0
    """Workers that have died."""
    busy_seconds: float = 0.0
    slot_seconds: float = 0.0
    tried: Mapping[str, tuple[int, int]] = {}
    """For each transformation how often it was tried, and how often it could be applied; of all runs."""
    missing: tuple[str, ...] = ()
    """Suspects whose program is not there at the moment."""
    stall: float = 0.0
    """The longest since the last snapshot."""
    disk_free_mb: float = 0.0
    disk_reserve_mb: float = 0.0
    memory_mb: float = 0.0
    descriptors: int = 0
    most_descriptors: int = 1


class Symptom(msgspec.Struct, frozen=True):
    """Something that is wrong now. Of one check there may be several, with different subjects."""

    check: str
    problem: str
    remedy: str
    subject: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.check, self.subject


class Episode(msgspec.Struct, frozen=True):
    """Something that is wrong, from when on."""

    check: str
    subject: str
    """What it is about, where one check looks at several things."""
    problem: str
    remedy: str
    since: float
    """Seconds since 1970."""


class Change(msgspec.Struct, frozen=True):
    """What an observation has changed."""

    begun: tuple[Episode, ...] = ()
    ended: tuple[Episode, ...] = ()


Check = Callable[[Snapshot, Snapshot, HealthRules, float], Iterator[Symptom]]


class Health:
    """The snapshots of the last minutes, and the episodes that go on."""

    def __init__(self, rules: HealthRules) -> None:
        self.rules = rules
        self._snapshots: deque[Snapshot] = deque()
        self._last_truths = 0
        self._last_new = Snapshot(0.0)
        self._episodes: dict[tuple[str, str], Episode] = {}

    @property
    def episodes(self) -> tuple[Episode, ...]:
        return tuple(self._episodes.values())

    def observe(self, snapshot: Snapshot) -> Change:
        """Take in one more snapshot; what began and what ended with it."""
        self._remember(snapshot)
        found = {symptom.key: symptom for symptom in self._symptoms(snapshot)}
        ended = [self._episodes.pop(key) for key in list(self._episodes) if key not in found]
        begun = [
            Episode(each.check, each.subject, each.problem, each.remedy, snapshot.at)
            for key, each in found.items()
            if key not in self._episodes
        ]
        self._episodes.update({(each.check, each.subject): each for each in begun})
        return Change(tuple(begun), tuple(ended))

    def _remember(self, snapshot: Snapshot) -> None:
        """A pause starts the window anew: nothing can be said of a hunt that did not go on."""
        if self._snapshots and not (snapshot.is_hunting and self._snapshots[-1].is_hunting):
            self._snapshots.clear()
        if not self._snapshots or snapshot.truths > self._last_truths:
            self._last_truths, self._last_new = snapshot.truths, snapshot
        self._snapshots.append(snapshot)
        while snapshot.at - self._snapshots[1 if len(self._snapshots) > 1 else 0].at >= 60 * self.rules.window_minutes:
            self._snapshots.popleft()

    def _symptoms(self, new: Snapshot) -> Iterator[Symptom]:
        old = self._snapshots[0]
        if new.is_hunting:
            for check in _OF_THE_HUNT:
                yield from check(old, new, self.rules, self._ease(check))
            yield from self._barren(new)
        for check in _OF_THE_HOUSE:
            yield from check(old, new, self.rules, self._ease(check))

    def _ease(self, check: Check) -> float:
        return _EASE if any(name == _name_of(check) for name, _ in self._episodes) else 1.0

    def _barren(self, new: Snapshot) -> Iterator[Symptom]:
        minutes = (new.at - self._last_new.at) / 60
        if minutes >= self.rules.barren_minutes and new.queries - self._last_new.queries >= _ENOUGH_QUERIES:
            yield Symptom(
                "barren",
                f"no new truth for {minutes:.0f} minutes, in {new.queries - self._last_new.queries} queries",
                "give it new seeds: put files into a directory of [seeds] directories, or choose another schedule",
            )


def _timeouts(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    queries, timeouts = new.queries - old.queries, new.timeouts - old.timeouts
    if queries >= _ENOUGH_QUERIES and timeouts >= rules.timeouts * ease * queries:
        yield Symptom(
            "timeouts",
            f"{timeouts} of the last {queries} queries ran into their time limit",
            "raise [limits] query_seconds, or take away the seeds that are too hard",
        )


def _undecided(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    checked, undecided = new.checked - old.checked, new.undecided - old.undecided
    if checked >= _ENOUGH_QUERIES and undecided >= rules.undecided * ease * checked:
        yield Symptom(
            "undecided",
            f"the checkers left {undecided} of the last {checked} witnesses undecided",
            "see which instances they are: query events with transported or witness undecided; take away such seeds",
        )


def _starved(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    offered, busy = new.slot_seconds - old.slot_seconds, new.busy_seconds - old.busy_seconds
    if new.at - old.at >= 30 * rules.window_minutes and busy < rules.slots_busy / ease * offered:
        yield Symptom(
            "starved",
            f"solvers ran in {busy / offered:.0%} of the time that their slots offered",
            "look for something else that keeps the processors busy: top; or set [hunt] slots to the number of cores",
        )


def _idle_transformations(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    for name, (tried, applied) in new.tried.items():
        if tried >= _ENOUGH_TRIES and not applied:
            yield Symptom(
                "idle-transformations",
                f"{name} was tried {tried} times and could never be applied",
                f"give it seeds that it is made for, see {name} in docs/transformations.md",
                name,
            )


def _losses(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    if new.lost - old.lost >= _MANY_LOSSES:
        yield Symptom(
            "losses",
            f"{new.lost - old.lost} workers have died within {rules.window_minutes:g} minutes",
            "see their last words in the worker_lost events; if they speak of memory, set fewer [hunt] slots",
        )


def _missing(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    for label in new.missing:
        remedy = "install it again: hornblower solvers install; or take it out of [hunt] solvers and reload"
        yield Symptom("missing", f"the program of {label} is not there any more", remedy, label)


def _disk(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    if new.disk_free_mb < new.disk_reserve_mb / ease:
        yield Symptom(
            "disk",
            f"only {new.disk_free_mb:.0f} MB are free where the state directory lies",
            "make room, or lower [knowledge] budget_mb; the hunt stops when it cannot write",
        )


def _memory(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    if new.memory_mb > rules.memory_mb * ease:
        yield Symptom(
            "memory",
            f"the daemon takes {new.memory_mb:.0f} MB",
            "lower [knowledge] budget_mb, which bounds what it holds in memory; a restart loses nothing",
        )


def _descriptors(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    if new.descriptors > _DESCRIPTORS_SHARE * ease * new.most_descriptors:
        yield Symptom(
            "descriptors",
            f"{new.descriptors} of {new.most_descriptors} descriptors are open",
            "raise LimitNOFILE in the unit; see what they are: ls -l /proc/PID/fd",
        )


def _stall(old: Snapshot, new: Snapshot, rules: HealthRules, ease: float) -> Iterator[Symptom]:
    if new.stall > rules.stall_seconds:
        yield Symptom(
            "stall",
            f"the loop of the daemon was held up for {new.stall:.1f} s",
            "if the machine is not overloaded, this is a mistake of ours: please report it with the log of that minute",
        )


_OF_THE_HUNT: Final[tuple[Check, ...]] = (_timeouts, _undecided, _starved, _idle_transformations, _losses)
_OF_THE_HOUSE: Final[tuple[Check, ...]] = (_missing, _disk, _memory, _descriptors, _stall)


def _name_of(check: Check) -> str:
    return check.__name__.strip("_").replace("_", "-")


CHECKS: Final = ("barren", *map(_name_of, (*_OF_THE_HUNT, *_OF_THE_HOUSE)))
"""The names of all checks."""
