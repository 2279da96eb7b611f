"""What a hunt and the daemon say while they go on, as one struct for each kind of thing that happens.

docs/events.md is made from this file: the class is the event, its docstring says when it happens, and the line below
a field says what it means. A change that breaks those who read the log raises `VERSION`; new events and fields do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from typing import ClassVar, Final

import msgspec

from backends.answer import Verdict
from backends.examination import Standing
from chc.witness import Truth
from daemon.hygiene import Hygiene
from daemon.jobs import Kind
from knowledge_base.records import Severity, Status

VERSION: Final = 1


class Level(IntEnum):
    """How loud an event is; a log hears its own level and what is louder."""

    debug = 10
    info = 20
    warning = 30
    error = 40


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=_tag):
    """One thing that happened."""

    level: ClassVar[Level] = Level.info

    @property
    def name(self) -> str:
        return str(self.__struct_config__.tag)

    @property
    def fields(self) -> dict[str, object]:
        return {field: getattr(self, field) for field in self.__struct_fields__}

    @property
    def loudness(self) -> Level:
        """The level of this one, where it depends on what it says."""
        return self.level


Listener = Callable[[Event], None]


# The hunt -----------------------------------------------------------------------------------------------------


class Start(Event, frozen=True):
    """A hunt begins."""

    run: str
    """Its name, by which the knowledge base knows it."""
    seed: int
    configurations: tuple[str, ...]
    """The suspects."""
    schedule: str
    slots: int
    state: str
    """The state directory."""


class Seeds(Event, frozen=True):
    """New seeds are brought in."""

    new: int
    """How many."""


class UnreadableSeed(Event, frozen=True):
    """A file in a directory of seeds is left out."""

    level = Level.warning
    seed: str
    """The file."""
    reason: str
    """With line and column where there are any."""


class DoubtfulSeed(Event, frozen=True):
    """The witness of an embedded instance is not called valid."""

    level = Level.warning
    seed: str
    reason: str


class Query(Event, frozen=True):
    """A solver was asked: the canonical line of a query."""

    run: str
    """The name of the hunt, with which `id` is unique."""
    id: int
    """The number of the job in this run."""
    kind: Kind
    """`trick` (a child of known truth), `ask` (an instance itself), `enrich` (a child of whatever truth), `generate` (a
    seed made with its truth), `certify` (what a user has submitted)."""
    instance: str
    """Its [content address](language.md)."""
    parents: tuple[str, ...]
    """The addresses of those that it was made from."""
    chain: tuple[str, ...]
    """The transformations, in their order."""
    configuration: str
    """Who was asked."""
    warm: bool
    """Whether by a process that may have answered other queries before."""
    verdict: Verdict
    trace: str | None
    """A short name of what the solver did, as far as it logged that; the same for equal runs."""
    seconds: float
    cpu_seconds: float
    memory_mb: float
    """At most, of the solver with all its processes; 0 where nobody could see."""
    limit: float
    """Seconds that it was given."""
    detail: str
    """Why there is no answer."""
    expected: Truth | None
    """The truth promised by its making, or null."""
    truth: Truth | None
    """The certified truth, or null."""
    transported: Standing
    """What the checker says of the carried witness: `valid`, `invalid`, `undecided`, `disputed` or `absent`."""
    witness: Standing
    """The same of the solver's own witness; `absent` also where it was not looked at."""
    findings: tuple[Severity, ...]
    """The severities of what was found."""
    preparation: float
    """Seconds that it took to make the instance."""


class Truths(Event, frozen=True, tag="truth"):
    """The truth of an instance is certified, and it will be a parent of others."""

    level = Level.debug
    instance: str
    truth: Truth
    certified_by: tuple[str, ...]
    """The checkers."""
    source: str
    """Who gave the witness: `transported`, `constructed`, or a solver."""
    run: str
    query: int
    """The `id` of the query."""


class Finding(Event, frozen=True):
    """A finding has been stored."""

    finding: str
    """Its key: `hornblower findings show KEY` tells everything."""
    severity: Severity
    known: str | None
    """Why it is known trouble, or null."""
    flaky: bool
    """It happened only once."""
    needs: tuple[str, ...]
    """Options that were drawn and without which it does not happen."""
    instance: str
    configuration: str
    verdict: Verdict
    truth: Truth | None
    evidence: str
    """What is wrong, in words."""
    chain: tuple[str, ...]
    run: str
    query: int
    """The `id` of the query."""

    @property
    def loudness(self) -> Level:
        return Level.info if self.known is not None or self.flaky else Level.error


class Suspicion(Event, frozen=True):
    """A suspicion has been stored."""

    finding: str
    """Its key."""
    severity: Severity
    instance: str
    configuration: str
    score: float
    """How strange, in doublings."""
    evidence: str


class OwnFault(Event, frozen=True):
    """A mistake of ours, not of a solver's: a carried witness that does not check, or a broken promise."""

    level = Level.error
    instance: str
    reason: str
    chain: tuple[str, ...]


class Resolved(Event, frozen=True):
    """An unresolved finding has been settled."""

    level = Level.warning
    finding: str
    status: Status
    severity: Severity


class ContradictoryTruth(Event, frozen=True):
    """Two certificates contradict each other: a checker is wrong, or we are."""

    level = Level.error
    reason: str


class Trouble(Event, frozen=True):
    """Something of ours went wrong with one job."""

    level = Level.error
    job: int
    traceback: str


class WorkerLost(Event, frozen=True):
    """A worker process has died; another takes its place."""

    level = Level.warning
    worker: int
    jobs: tuple[str, ...]
    """What it was at."""
    last_words: str


class Evicted(Event, frozen=True):
    """The knowledge base had outgrown its budget."""

    instances: int
    """How many were dropped."""
    problem: str | None
    """What to do where that was not enough."""


class Ending(Event, frozen=True):
    """No more is asked; what is under way is finished."""

    open: int
    """How many jobs that are."""


class Paused(Event, frozen=True):
    """Nothing more is asked until it is resumed."""

    level = Level.warning
    open: int
    """How many jobs are still under way."""


class Resumed(Event, frozen=True):
    """The hunt goes on after a pause."""


# The life of the daemon ---------------------------------------------------------------------------------------


class Starting(Event, frozen=True):
    """The daemon has passed its gate and begins."""

    version: str
    pid: int
    config: str
    """The file."""
    socket: str
    """Where clients reach it."""
    activated: bool
    """Whether systemd has opened the socket."""


class Ready(Event, frozen=True):
    """Clients can come, and the hunt begins."""


class Reloaded(Event, frozen=True):
    """The configuration was read again."""

    changed: tuple[str, ...]
    """The options that differ and take effect from now on."""
    at_restart: tuple[str, ...]
    """Those that will take effect when the daemon is started again."""


class ReloadRefused(Event, frozen=True):
    """The new configuration cannot be used; the old one goes on."""

    level = Level.error
    reason: str


class SuspectChanged(Event, frozen=True):
    """The program of a suspect was replaced, or a newer release was installed."""

    level = Level.warning
    old: str
    """The label until now."""
    new: str
    program: str
    asked_again: int
    """How many instances of findings the new one is asked about."""


class SuspectCame(Event, frozen=True):
    """There is a suspect that was not there before."""

    level = Level.warning
    configuration: str
    program: str


class SuspectGone(Event, frozen=True):
    """The program of a suspect is not there any more; it is not asked until it is back."""

    level = Level.error
    configuration: str
    program: str
    reason: str


class Unwell(Event, frozen=True):
    """Something is not as it should be; it is told once, when it begins."""

    level = Level.warning
    check: str
    subject: str
    """What it is about, where one check looks at several things."""
    problem: str
    remedy: str
    """What to do."""


class Well(Event, frozen=True):
    """It is over."""

    level = Level.warning
    check: str
    subject: str
    seconds: float
    """How long it has lasted."""


class Vitals(Event, frozen=True):
    """How things stand, from time to time."""

    stage: str
    uptime: float
    queries: int
    """In this run."""
    findings: dict[str, int]
    """News, by severity."""
    slots_busy: float
    longest_stall: float
    """Of the loop, so far."""
    hygiene: Hygiene
    """What the daemon takes, see below."""


class Stopping(Event, frozen=True):
    """The daemon was told to stop; it finishes what is under way."""

    reason: str
    """The signal."""
    open: int
    """How many jobs are under way."""
    patience: float
    """So many seconds they have."""


class Stopped(Event, frozen=True):
    """The last line of the daemon."""

    uptime: float
    lost: int
    """Jobs that were under way and not finished."""


# Clients ------------------------------------------------------------------------------------------------------


class Client(Event, frozen=True):
    """Somebody has connected to the socket."""

    pid: int
    uid: int
    gid: int


class ClientRefused(Event, frozen=True):
    """Somebody was turned away. Of many in a row only the 1st, 2nd, 4th, 8th… is told."""

    level = Level.warning
    pid: int
    uid: int
    reason: str
    turned_away: int
    """How many there were by now."""


class ClientTrouble(Event, frozen=True):
    """Something of ours went wrong with a client, whose connection was closed."""

    level = Level.error
    pid: int
    uid: int
    traceback: str


class Control(Event, frozen=True):
    """A client has told the hunt what to do."""

    request: str
    """`pause`, `resume` or `drain`."""
    pid: int
    uid: int


class Happening(Event, frozen=True, tag="errand"):
    """Something has happened to the job of a user; it is stored under the same number."""

    errand: str
    """The id of the job."""
    number: int
    happening: str
    """Which event of [the protocol](protocol.md) it is."""
    details: dict[str, object]
    """Its fields."""


# The end ------------------------------------------------------------------------------------------------------


class Yield(msgspec.Struct, frozen=True):
    """What one transformation has brought in this run."""

    applied: int
    decided: int
    findings: int


class Summary(Event, frozen=True):
    """The last word of a run. `instances` and `truths` are those of the knowledge base, the rest of this run."""

    queries: int
    seconds: float
    """In what time."""
    slots: int
    """How many solvers at a time."""
    slots_busy: float
    """In which share of the time they were running."""
    instances: int
    """How many can be parents."""
    truths: int
    """How many of them are certified."""
    own_faults: int
    findings: dict[str, int]
    """News, by severity."""
    known: dict[str, int]
    """Known trouble, by severity."""
    flaky: dict[str, int]
    """What happened only once, by severity."""
    suspicions: int
    """Those of earlier runs included."""
    verdicts: dict[str, int]
    transported: dict[str, int]
    """By what the checker says of the carried witness."""
    unsupported: int
    """Jobs from which no query came, because no suspect supports what the instance uses."""
    inapplicable: int
    """The same, because no transformation applied."""
    repeated: int
    """The same, because the same text had been asked."""
    lost: int
    """Jobs that died with their worker."""
    troubles: int
    """Jobs in which something of ours went wrong."""
    longest_stall: float
    """How many seconds the loop of the daemon was held up at most."""
    transformations: dict[str, Yield]
    """For each its `applied`, `decided` and `findings`."""
