"""Answers the requests that come over the socket. It knows the hunt and the knowledge base, and nothing of sockets.

Reading for clients goes through a connection and a thread of its own: however much a client wants to know, neither the
event loop nor the hunt waits for it.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

import anyio
import msgspec
from anyio import to_thread

from backends.answer import Configuration
from backends.places import BadSolver, SolverMissing
from backends.store import installed
from daemon.consent import NotAllowed, allowed
from daemon.desk import Desk
from daemon.events import Control, Event, Happening
from daemon.explanation import Unexplained, explain
from daemon.hub import Hub
from daemon.listening import Peer
from daemon.lookup import UnknownAddress, find_instance, finding_lines
from daemon.metrics import metrics
from daemon.protocol import (
    AskFindings,
    AskHealth,
    AskInstance,
    AskMetrics,
    AskSolvers,
    AskStatus,
    Attach,
    Cancel,
    Code,
    Done,
    Drain,
    Ended,
    Explain,
    Explanation,
    FindingList,
    Happened,
    HealthReply,
    JobLine,
    JobList,
    Jobs,
    Logged,
    Metrics,
    Pause,
    Refused,
    Reply,
    Request,
    Resume,
    Solver,
    SolverList,
    StatusReply,
    Submit,
    Tail,
    Taken,
    read_event,
)
from knowledge_base import errands
from knowledge_base.errands import Errand, Plan, TooManyErrands, UnknownErrand
from knowledge_base.store import KnowledgeBase, connect_to_read

P = ParamSpec("P")
T = TypeVar("T")
Say = Callable[[Reply], Awaitable[None]]
_PAGE: Final = 100
"""So many events are read at once for a client."""


class Hunted(Protocol):
    """The hunt, as far as the office sees it."""

    @property
    def desk(self) -> Desk: ...

    @property
    def suspects(self) -> Sequence[Configuration]: ...

    @property
    def is_ending(self) -> bool: ...

    @property
    def is_paused(self) -> bool: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def drain(self) -> None: ...


class Refusal(Exception):
    """A request that is not carried out: why, and what to do."""

    def __init__(self, code: Code, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.code, self.reason, self.remedy = code, reason, remedy


class Office:
    """`status` and `health` tell how things stand, as structs; `counts` are of clients and refusals."""

    def __init__(
        self,
        hunt: Hunted,
        knowledge: KnowledgeBase,
        hub: Hub,
        status: Callable[[], msgspec.Struct],
        health: Callable[[], Sequence[msgspec.Struct]] = tuple,
    ) -> None:
        self._hunt, self._hub, self._status, self._health = hunt, hub, status, health
        self.counts: Counter[str] = Counter()
        self._reader = connect_to_read(knowledge.path)
        self._turn = anyio.CapacityLimiter(1)

    def close(self) -> None:
        self._reader.close()

    def tell(self, event: Event) -> None:
        self._hub(event)

    async def answer(self, request: Request, peer: Peer, say: Say) -> None:
        """Say everything that there is to be said to a request."""
        self.counts[f"request {_name(request)}"] += 1
        try:
            await self._answer(request, peer, say)
        except Refusal as refusal:
            self.counts[f"refused {refusal.code}"] += 1
            await say(Refused(request.id, refusal.code, refusal.reason, refusal.remedy))
        except (UnknownErrand, UnknownAddress, Unexplained) as problem:
            self.counts[f"refused {Code.unknown}"] += 1
            await say(Refused(request.id, Code.unknown, str(problem), "see which there are: hornblower jobs --all"))
        except sqlite3.Error as problem:
            self.counts[f"refused {Code.failed}"] += 1
            words = f"the knowledge base does not answer: {problem}"
            await say(Refused(request.id, Code.failed, words, "see the log, and: hornblower doctor"))

    async def _answer(self, request: Request, peer: Peer, say: Say) -> None:
        match request:
            case Submit():
                await say(await self._submit(request, peer))
            case Attach():
                await self._attach(request, say)
            case Cancel():
                await say(await self._cancel(request, peer))
            case Jobs():
                known = await self._read(errands.remembered if request.all else errands.still_open)
                await say(JobList(request.id, tuple(_line(each) for each in known)))
            case AskStatus():
                await say(StatusReply(request.id, fields_of(self._status())))
            case AskHealth():
                await say(HealthReply(request.id, tuple(fields_of(each) for each in self._health())))
            case AskSolvers():
                await say(SolverList(request.id, await to_thread.run_sync(self._solvers)))
            case AskFindings():
                lines = await self._read(finding_lines, everything=request.all)
                most = request.most
                await say(FindingList(request.id, tuple(lines[:most]), max(0, len(lines) - most)))
            case AskInstance():
                await say(await self._read(find_instance, request.id, request.address))
            case Explain():
                found = await self._read(explain, request.what)
                await say(Explanation(request.id, found.kind, found.subject, found.lines))
            case Pause() | Resume() | Drain():
                await say(self._control(request, peer))
            case AskMetrics():
                text = metrics(fields_of(self._status()), self.counts, len(self._health()))
                await say(Metrics(request.id, text))
            case Tail():
                await self._tail(request, say)

    async def _read(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """In a thread, and one after another."""
        return await to_thread.run_sync(partial(work, self._reader, *args, **kwargs), limiter=self._turn)

    # Jobs of users ----------------------------------------------------------------------------------------

    async def _submit(self, request: Submit, peer: Peer) -> Reply:
        if self._hunt.is_ending:
            raise Refusal(Code.ending, "the daemon is about to stop", "submit again when it is back")
        budget = request.interrogate
        if budget is not None and budget.seconds is None and budget.queries is None:
            raise Refusal(Code.malformed, "the budget has neither seconds nor queries", "give one of them")
        configurations = await to_thread.run_sync(self._chosen, request.solvers, peer)
        errand = Errand(
            id=secrets.token_hex(6),
            uid=peer.uid,
            name=printable(request.name),
            plan=Plan(configurations, request.seconds, budget, request.priority),
            submitted=time.time(),
        )
        try:
            await self._hunt.desk.take(errand, request.text)
        except TooManyErrands as problem:
            raise Refusal(Code.too_many, str(problem), "wait for them, or: hornblower jobs cancel ID") from problem
        return Taken(request.id, errand.id, self._hunt.is_paused)

    def _chosen(self, names: Sequence[str], peer: Peer) -> tuple[Configuration, ...]:
        """Looks at programs, which may take a while."""
        suspects = tuple(self._hunt.suspects)
        try:
            chosen = [allowed(name, suspects, peer) for name in names]
        except (BadSolver, SolverMissing) as problem:
            raise Refusal(Code.bad_solver, str(problem), "see which there are: hornblower solvers list") from problem
        except NotAllowed as problem:
            raise Refusal(Code.not_allowed, str(problem), "ask who runs the daemon to make it a suspect") from problem
        return tuple(dict.fromkeys(chosen)) or suspects

    async def _attach(self, request: Attach, say: Say) -> None:
        """What is stored comes from the disk, also to those who listen now: so nobody who is slow takes any room."""
        errand = await self._read(errands.find, request.job)
        after = request.after
        with self._hub.subscription(("errand",)) as news:
            while True:
                errand = await self._read(errands.find, errand.id)
                while page := await self._read(errands.happenings, errand.id, after, _PAGE):
                    for each in page:
                        event = read_event(each.data, each.findings)
                        await say(Happened(request.id, errand.id, each.number, each.at, event))
                    after = page[-1].number
                if errand.state.is_final:
                    await say(Ended(request.id, errand.id, errand.state))
                    return
                while not _is_about(errand, (await news.next()).event):
                    pass

    async def _cancel(self, request: Cancel, peer: Peer) -> Reply:
        errand = await self._read(errands.find, request.job)
        if not peer.is_owner and peer.uid != errand.uid:
            raise Refusal(Code.not_allowed, f"job {errand.id} is another user's", "ask that user, or root")
        if not await self._hunt.desk.cancel(errand.id, f"cancelled by user {peer.uid}"):
            raise Refusal(Code.unknown, f"job {errand.id} is {errand.state} already")
        return Done(request.id, f"job {errand.id} is cancelled")

    # The hunt ---------------------------------------------------------------------------------------------

    def _control(self, request: Pause | Resume | Drain, peer: Peer) -> Reply:
        self.tell(Control(_name(request), peer.pid, peer.uid))
        match request:
            case Pause():
                self._hunt.pause()
                return Done(request.id, "paused; what is under way is finished; go on with: hornblower resume")
            case Resume():
                self._hunt.resume()
                return Done(request.id, "the hunt goes on")
            case Drain():
                self._hunt.drain()
                return Done(request.id, "what is under way is finished, then the daemon stops; jobs go on after that")

    def _solvers(self) -> tuple[Solver, ...]:
        suspects = [Solver(each.label, each.program, is_suspect=True) for each in self._hunt.suspects]
        others = [Configuration(each.solver, each.version, each.program) for each in installed()]
        known = {each.program for each in suspects}
        return (*suspects, *(Solver(each.label, each.program, False) for each in others if each.program not in known))

    async def _tail(self, request: Tail, say: Say) -> None:
        with self._hub.subscription(request.names) as heard:
            while True:
                news = await heard.next()
                await say(Logged(request.id, news.event.name, fields_of(news.event.fields), news.missed))


def fields_of(struct: object) -> dict[str, object]:
    """A struct as it goes over the wire."""
    return msgspec.convert(msgspec.to_builtins(struct), dict[str, object])


def _is_about(errand: Errand, event: Event) -> bool:
    return isinstance(event, Happening) and event.errand == errand.id


def printable(name: str) -> str:
    """A name without what could confuse a terminal or a log."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _name(request: Request) -> str:
    return str(request.__struct_config__.tag)


def _line(errand: Errand) -> JobLine:
    plan, progress = errand.plan, errand.progress
    return JobLine(
        job=errand.id,
        name=errand.name,
        state=errand.state,
        priority=plan.priority,
        submitted=errand.submitted,
        instance=errand.instance,
        solvers=tuple(each.label for each in plan.configurations),
        judged=len(progress.judged),
        queries=progress.queries,
        seconds=round(progress.seconds, 3),
        findings=progress.findings,
        budget=plan.budget,
        uid=errand.uid,
    )
