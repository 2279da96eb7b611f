"""What happens to a job, told as it happens: for people line by line, for programs as JSON."""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from daemon.client import Client
from daemon.protocol import (
    Accepted,
    Attach,
    Ended,
    Event,
    Happened,
    Interrogated,
    Judged,
    Over,
    Read,
    Trust,
    Unjudged,
    Unreadable,
)
from knowledge_base.errands import State

RIGHT: Final = 0
UNDECIDED: Final = 1
WRONG: Final = 3
REFUSED: Final = 4
_TOLD_EACH: Final = 50
"""So many queries without a finding go by between two lines."""


class Following(msgspec.Struct, frozen=True):
    """How to tell it."""

    name: str
    as_json: bool


def follow(client: Client, job: str, following: Following) -> int:
    """Tell everything to the end; the exit code that follows from it."""
    codes = {RIGHT}
    try:
        for reply in client.stream(Attach(client.next_id(), job)):
            if isinstance(reply, Happened):
                codes.add(code_of(reply.event))
                _tell(reply, following)
            elif isinstance(reply, Ended):
                codes.add(RIGHT if reply.state is State.done else REFUSED)
    except KeyboardInterrupt:
        print(f"job {job} goes on; hear more of it: hornblower jobs attach {job}", file=sys.stderr)
        raise
    return next(code for code in (WRONG, REFUSED, UNDECIDED, RIGHT) if code in codes)


def code_of(event: Event) -> int:
    """What an event means for the exit code."""
    match event:
        case Judged(trust=Trust.wrong):
            return WRONG
        case Judged(trust=Trust.undecided) | Unjudged():
            return UNDECIDED
        case Over(findings=findings) if findings:
            return WRONG
        case Unreadable():
            return REFUSED
    return RIGHT


def _tell(happened: Happened, following: Following) -> None:
    if following.as_json:
        line = {"file": following.name, "job": happened.job, "number": happened.number, "at": happened.at}
        event = msgspec.convert(msgspec.to_builtins(happened.event), dict[str, object])
        print(msgspec.json.encode({**line, **event}).decode(), flush=True)
    elif words := in_words(happened.event, happened.job):
        print(f"{following.name}: {words}", flush=True)


def in_words(event: Event, job: str) -> str:
    """An event for people; nothing where it is not worth a line."""
    match event:
        case Accepted():
            return f"job {job}: asking {', '.join(event.solvers)}"
        case Read():
            return f"read: {event.fragment}, {event.clauses} clauses, {event.predicates} predicates"
        case Unreadable():
            return f"refused: {event.reason}"
        case Over(state=State.refused):
            return ""
        case Judged():
            return _judged(event)
        case Unjudged():
            return f"{event.solver} could not be judged: {event.reason}"
        case Interrogated():
            return _interrogated(event)
        case Over():
            return _over(event)


def _judged(event: Judged) -> str:
    said = f"{event.solver} says {event.verdict} after {event.seconds:.2f} s"
    evidence = f": {event.evidence}" if event.evidence else ""
    if event.trust is Trust.wrong:
        keys = f" (finding {', '.join(key[:12] for key in event.findings)})" if event.findings else ""
        return f"{said}: WRONG, severity {event.severity}{keys}{evidence}"
    if event.trust is Trust.undecided:
        truth = f", though it is certified {event.truth}" if event.truth else ""
        return f"{said}: undecided{truth}{evidence}"
    known = f", but known trouble of severity {event.severity}: {event.known}" if event.known else ""
    return f"{said}: right, certified by {', '.join(event.certified_by)}{known}"


def _interrogated(event: Interrogated) -> str:
    if event.severities:
        keys = ", ".join(key[:12] for key in event.findings) or "counted"
        severities = ", ".join(event.severities)
        chain = " > ".join(event.chain) or "no transformation"
        return f"FINDING {keys}: severity {severities}, {event.solver} says {event.verdict} [{chain}]"
    return f"{event.queries} queries about its neighbourhood" if event.queries % _TOLD_EACH == 0 else ""


def _over(event: Over) -> str:
    why = f": {event.reason}" if event.reason else ""
    asked = f", {event.queries} queries in {event.seconds:.0f} s of interrogation" if event.queries else ""
    found = f"{event.findings} findings; see: hornblower findings" if event.findings else "nothing wrong was found"
    return f"{event.state}{why}{asked}" + (f", {found}" if event.state is State.done else "")
