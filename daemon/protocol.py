"""What clients and the daemon say to each other: one JSON object per line, typed, bounded and versioned.

The daemon speaks first (`Hello`). A client sends requests, each with an id of its own choice; whatever the daemon says
about a request carries that id. `Happened` may come many times before the `Ended` that closes a stream; every other
reply is the only one to its request. docs/protocol.md is made from this file.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from backends.answer import Verdict
from chc.witness import Truth
from knowledge_base.errands import Budget, Priority, State
from knowledge_base.records import Severity, Status

VERSION: Final = 1
"""Grows with every change that an older client would not understand."""

Id = Annotated[str, Meta(min_length=1, max_length=100)] | int
Prefix = Annotated[str, Meta(pattern="^[0-9a-f]{2,64}$")]
"""The beginning of an address or of a key."""
Name = Annotated[str, Meta(max_length=200)]
JobId = Annotated[str, Meta(max_length=64)]
"""The id of a job, or the beginning of one."""


class Trust(StrEnum):
    """Whether an answer can be trusted, in one word."""

    certified = "certified"
    """The answer is right: a checked certificate says so."""
    wrong = "wrong"
    """Something is wrong with it that is not known trouble."""
    undecided = "undecided"
    """No verdict, or nobody could prove it."""


# Requests -----------------------------------------------------------------------------------------------------


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="request", omit_defaults=True):
    """What all requests have."""

    id: Id


class Submit(Asked, frozen=True, tag="submit"):
    """Certify what solvers say of an instance, and then, if asked, interrogate its neighbourhood."""

    text: str
    name: Name = ""
    """For people; the name of the file, for instance."""
    solvers: Annotated[tuple[Name, ...], Meta(max_length=16)] = ()
    """As on the command line; those of the hunt where none are named."""
    seconds: Annotated[float, Meta(gt=0, le=3600)] = 10.0
    """For each query."""
    interrogate: Budget | None = None
    priority: Priority = Priority.normal


class Attach(Asked, frozen=True, tag="attach"):
    """Hear what happens to a job, from the beginning or after the event of this number, until it is over."""

    job: JobId
    after: Annotated[int, Meta(ge=0)] = 0


class Cancel(Asked, frozen=True, tag="cancel"):
    """End a job; what is under way for it is finished."""

    job: JobId


class Jobs(Asked, frozen=True, tag="jobs"):
    """The jobs that are not over yet, or all that are remembered."""

    all: bool = False


class AskStatus(Asked, frozen=True, tag="status"):
    """How the hunt is going."""


class AskHealth(Asked, frozen=True, tag="health"):
    """What is not as it should be, with what to do about it."""


class AskSolvers(Asked, frozen=True, tag="solvers"):
    """Whom the hunt asks, and what else is installed."""


class AskFindings(Asked, frozen=True, tag="findings"):
    """The worst first; known trouble and what was dismissed only if asked for."""

    all: bool = False
    most: Annotated[int, Meta(ge=1, le=1000)] = 100


class AskInstance(Asked, frozen=True, tag="instance"):
    """One instance by its address or the beginning of it."""

    address: Prefix


class Explain(Asked, frozen=True, tag="explain"):
    """Why was this asked? `what` is the beginning of a finding's key, of an instance's address, or of a job's id."""

    what: Prefix


class Pause(Asked, frozen=True, tag="pause"):
    """Ask nothing more until `resume`; what is under way is finished."""


class Resume(Asked, frozen=True, tag="resume"):
    """Go on after a pause."""


class Drain(Asked, frozen=True, tag="drain"):
    """Finish what is under way, then stop the daemon. Jobs go on when it is started again."""


class AskMetrics(Asked, frozen=True, tag="metrics"):
    """Numbers in the text format of Prometheus."""


class Tail(Asked, frozen=True, tag="tail"):
    """The events of the log as they happen; of these names only, or of all."""

    names: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()


Request = (
    Submit | Attach | Cancel | Jobs | AskStatus | AskHealth | AskSolvers | AskFindings | AskInstance | Explain
    | Pause | Resume | Drain | AskMetrics | Tail
)  # fmt: skip


# What happens to a job ----------------------------------------------------------------------------------------


class JobEvent(msgspec.Struct, frozen=True, tag_field="event"):
    """What all events of jobs have in common: nothing but that they are told apart by `event`."""


class Accepted(JobEvent, frozen=True, tag="accepted"):
    """It is on the disk, and will be carried out whatever happens to client and daemon."""

    solvers: tuple[str, ...]


class Read(JobEvent, frozen=True, tag="read"):
    """The text is an instance."""

    instance: str
    fragment: str
    clauses: int
    predicates: int


class Unreadable(JobEvent, frozen=True, tag="unreadable"):
    """The text is no instance; the job is over."""

    reason: str


class Judged(JobEvent, frozen=True, tag="judged"):
    """What one solver says of the instance, and what is to be thought of it."""

    solver: str
    verdict: Verdict
    seconds: float
    trust: Trust
    truth: Truth | None
    certified_by: tuple[str, ...]
    severity: Severity | None = None
    known: str | None = None
    evidence: str = ""
    findings: tuple[str, ...] = ()
    """The keys under which it is stored, where something is wrong."""


class Unjudged(JobEvent, frozen=True, tag="unjudged"):
    """A solver could not be asked."""

    solver: str
    reason: str


class Interrogated(JobEvent, frozen=True, tag="interrogated"):
    """One query about a descendant of the instance. `queries` is how many there have been by now."""

    queries: int
    instance: str
    chain: tuple[str, ...]
    solver: str
    verdict: Verdict
    seconds: float
    expected: Truth | None
    truth: Truth | None
    severities: tuple[Severity, ...] = ()
    findings: tuple[str, ...] = ()


class Over(JobEvent, frozen=True, tag="over"):
    """The last event. `reason` says why, where it did not simply come to its end."""

    state: State
    queries: int
    seconds: float
    findings: int
    reason: str = ""


Event = Accepted | Read | Unreadable | Judged | Unjudged | Interrogated | Over


class JobLine(msgspec.Struct, frozen=True):
    """A job in a list."""

    job: str
    name: str
    state: State
    priority: Priority
    submitted: float
    instance: str | None
    solvers: tuple[str, ...]
    judged: int
    queries: int
    seconds: float
    findings: int
    budget: Budget | None
    uid: int


# Replies ------------------------------------------------------------------------------------------------------


class Code(StrEnum):
    """Why a request was refused, for programs."""

    malformed = "malformed"
    """It is not JSON, not a request, or has a field that does not belong there."""
    too_large = "too-large"
    too_slow = "too-slow"
    too_many = "too-many"
    not_allowed = "not-allowed"
    unknown = "unknown"
    """What it names does not exist."""
    bad_solver = "bad-solver"
    ending = "ending"
    """The daemon is about to stop."""
    failed = "failed"
    """Something of ours went wrong; the log has more."""


class Said(msgspec.Struct, frozen=True, tag_field="reply"):
    """What all replies have."""

    id: Id


class Hello(msgspec.Struct, frozen=True, tag_field="reply", tag="hello"):
    """The first line on every connection."""

    protocol: int
    version: str
    pid: int
    largest_line: int
    """So many bytes may a request have."""


class Refused(msgspec.Struct, frozen=True, tag_field="reply", tag="refused"):
    """Without an id where none could be read. `remedy` says what to do."""

    id: Id | None
    code: Code
    reason: str
    remedy: str = ""


class Taken(Said, frozen=True, tag="taken"):
    """The job is on the disk."""

    job: str
    is_paused: bool = False
    """Whether it has to wait for somebody to resume the hunt."""


class Happened(Said, frozen=True, tag="happened"):
    """Events of a job are numbered from 1."""

    job: str
    number: int
    at: float
    event: Event


class Ended(Said, frozen=True, tag="ended"):
    """Nothing more will happen to the job."""

    job: str
    state: State


class Done(Said, frozen=True, tag="done"):
    """It was done; `words` say what."""

    words: str


class JobList(Said, frozen=True, tag="jobs"):
    jobs: tuple[JobLine, ...]


class StatusReply(Said, frozen=True, tag="status"):
    """What `hornblower status` shows, field by field; its `summary` is the event of that name."""

    status: dict[str, object]


class HealthReply(Said, frozen=True, tag="health"):
    episodes: tuple[dict[str, object], ...]


class Solver(msgspec.Struct, frozen=True):
    label: str
    program: str
    is_suspect: bool
    """Whether the hunt asks it."""


class SolverList(Said, frozen=True, tag="solvers"):
    solvers: tuple[Solver, ...]


class FindingLine(msgspec.Struct, frozen=True):
    finding: str
    severity: Severity
    status: Status
    solver: str
    instance: str
    at: float
    evidence: str


class FindingList(Said, frozen=True, tag="findings"):
    """`left_out` says how many more there are."""

    findings: tuple[FindingLine, ...]
    left_out: int


class InstanceReply(Said, frozen=True, tag="instance"):
    address: str
    text: str
    origin: str
    source: str
    truth: Truth | None
    certified_by: tuple[str, ...]


class Explanation(Said, frozen=True, tag="explanation"):
    """In words, line by line."""

    kind: str
    subject: str
    lines: tuple[str, ...]


class Metrics(Said, frozen=True, tag="metrics"):
    text: str


class Logged(Said, frozen=True, tag="logged"):
    """`missed` events before this one were dropped, because the client reads too slowly."""

    name: str
    fields: dict[str, object]
    missed: int = 0


Reply = (
    Hello | Refused | Taken | Happened | Ended | Done | JobList | StatusReply | HealthReply | SolverList
    | FindingList | InstanceReply | Explanation | Metrics | Logged
)  # fmt: skip

_REQUESTS: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_REPLIES: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)
_EVENTS: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class _OnlyId(msgspec.Struct):
    id: Id | None = None


class Malformed(Exception):
    """A line that is no message; the message says why, and `id` is the id where one could be read."""

    def __init__(self, reason: str, id: Id | None = None) -> None:
        super().__init__(reason)
        self.id = id


def read_request(line: bytes) -> Request:
    try:
        return _REQUESTS.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Malformed(str(problem), _id_of(line)) from problem


def read_reply(line: bytes) -> Reply:
    return _REPLIES.decode(line)


def read_event(data: str, findings: tuple[str, ...] = ()) -> Event:
    """An event as it was stored, with the keys of what was found with it."""
    event = _EVENTS.decode(data)
    if findings and isinstance(event, Judged | Interrogated):
        return msgspec.structs.replace(event, findings=findings)
    return event


def written(message: msgspec.Struct) -> bytes:
    """A message as it goes over the wire, with the end of its line."""
    return msgspec.json.encode(message) + b"\n"


def _id_of(line: bytes) -> Id | None:
    """So that whoever asked knows which of its requests was malformed."""
    try:
        return msgspec.json.decode(line, type=_OnlyId).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
