"""The shell of the hunt: carries out what the core decides.

Workers prepare, ask and judge; the core chooses and learns; the knowledge base remembers. A worker gets its next job
when it has answered one, and a report is stored before the job that it makes room for is chosen: nothing queues up.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Final

import anyio
import msgspec
from anyio.abc import TaskGroup

from backends.answer import Configuration
from backends.workers import Workers
from daemon.choosing import Request
from daemon.core import Core, Told
from daemon.desk import Desk
from daemon.events import ContradictoryTruth as Contradiction
from daemon.events import Ending, Listener, Paused, Resumed, Start, Summary, Trouble, UnreadableSeed, WorkerLost
from daemon.heartbeat import Heartbeat
from daemon.jobs import Kind, Parent, Report
from daemon.parents import Parents
from daemon.seeding import Seed, bring_in
from daemon.settings import Settings
from daemon.telling import fault_event, finding_event, query_event, summary_of, suspicion_event, truth_event
from daemon.upkeep import Upkeep
from daemon.usage import Usage
from knowledge_base import counters, standings
from knowledge_base.entries import store
from knowledge_base.records import Run
from knowledge_base.store import KnowledgeBase
from knowledge_base.truths import ContradictoryTruth
from transformations.catalogue import CATALOGUE

_JOBS_PER_WORKER: Final = 3
"""One is with the solver, one before it, one behind it."""
_MOST_DEATHS: Final = 5
"""A worker that dies so many times without a single report will not do better the next time."""
_SILENT_SECONDS: Final = 120.0
"""A worker that has jobs and says nothing for so long, and for fifty times the limit of a query, hangs."""
_PATIENCE: Final = 50.0
_DECODER: Final = msgspec.msgpack.Decoder(Report)


class HuntFailed(Exception):
    """The hunt cannot go on; the message says why and what to do."""


class Stage(StrEnum):
    """How far a hunt has come."""

    starting = "starting"
    """Seeds are brought in."""
    hunting = "hunting"
    paused = "paused"
    """Nothing more is asked until it is resumed."""
    draining = "draining"
    """What is under way is finished."""
    over = "over"


class Goal(msgspec.Struct, frozen=True):
    """When to stop: whichever comes first. Without any, only an interrupt ends the hunt."""

    seconds: float | None = None
    queries: int | None = None
    until_bug: bool = False


class Hunt:
    """One run on one knowledge base."""

    def __init__(self, settings: Settings, goal: Goal, knowledge: KnowledgeBase, listener: Listener, run: str) -> None:
        done = int(knowledge.read(counters.totals).get("queries", 0))
        # Each run from the same seed on what earlier ones have learnt draws other numbers.
        rng = Random(f"{settings.seed}/{done}")
        self._settings, self._goal, self._knowledge, self._listener = settings, goal, knowledge, listener
        self.core = Core(settings, CATALOGUE, rng, run, done)
        self._parents = Parents(knowledge)
        self._upkeep = Upkeep(knowledge, self.core, listener)
        self.desk = Desk(knowledge, self.core.errands, listener)
        self._jobs: dict[int, dict[int, Request]] = {worker: {} for worker in range(settings.slots)}
        self._heard = dict.fromkeys(range(settings.slots), 0.0)
        self._deaths: Counter[int] = Counter()
        self.usage = Usage()
        self.heartbeat = Heartbeat()
        self.reports = 0
        """How many jobs have come back: what the hunt has done, whatever came of it."""
        self.stage = Stage.starting
        self._is_paused = self._is_ending = False
        self._scope = anyio.CancelScope()
        self._group: TaskGroup | None = None
        self._problem: str | None = None
        self._started = time.monotonic()
        self._folder = knowledge.directory / "scratch"
        self._workers = Workers(self._worker_command, settings.slots, self._on_report, self._on_lost)

    async def run(self, seeds: list[Seed]) -> Summary:
        """Hunt until the goal is reached or somebody interrupts."""
        try:
            async with anyio.create_task_group() as group:
                self._scope = group.cancel_scope
                group.start_soon(self.heartbeat.run)
                await self._begin(seeds)
                self._group = group
                self._set_stage()
                group.start_soon(self._workers.serve, self._fill)
                group.start_soon(self._keep_time)
                group.start_soon(self._keep_watch)
                group.start_soon(self._upkeep.run)
        finally:
            self.stage = Stage.over
            shutil.rmtree(self._folder, ignore_errors=True)  # the workers are gone, and so is what wrote into it
        if self._problem is not None:
            raise HuntFailed(self._problem)
        await self._knowledge.write(counters.end_run, self.core.run, time.time())
        return self.summary()

    def summary(self) -> Summary:
        seconds = time.monotonic() - self._started
        busy = self.usage.share(time.monotonic())
        return summary_of(self.core, seconds, self._settings.slots, busy, self.heartbeat.longest)

    async def _begin(self, seeds: list[Seed]) -> None:
        settings = self._settings
        versions = {each.label: each.program for each in settings.configurations}
        run = Run(self.core.run, settings.seed, settings.schedule, time.time(), settings.switches.words(), versions)
        await self._knowledge.write(counters.start_run, run)
        labels = tuple(versions)
        directory = str(self._knowledge.directory)
        self._listener(Start(run.id, settings.seed, labels, settings.schedule, settings.slots, directory))
        self._make_room()
        await bring_in(self._knowledge, seeds, settings.slots, self._listener)
        self._knowledge.read(standings.fill, self.core.view)
        self.core.ask_new_ones()
        await self.desk.restore()
        self._upkeep.recall()
        self._started = time.monotonic()
        self.heartbeat.forget()

    def _make_room(self) -> None:
        """What a run that was killed has left behind goes first."""
        shutil.rmtree(self._folder, ignore_errors=True)
        for worker in range(self._settings.slots):
            (self._folder / str(worker)).mkdir(parents=True)

    # Working ----------------------------------------------------------------------------------------------

    async def _fill(self, worker: int) -> None:
        """Give a worker as much as it should have under way."""
        self._heard[worker] = time.monotonic()
        while self._has_room(worker):
            async with self._upkeep.stable:
                request = self.core.next_request()
                self._jobs[worker][request.job.id] = request
                parents = self._parents_of(request)
            job = msgspec.structs.replace(request.job, parents=parents)
            if not await self._workers.send(worker, msgspec.msgpack.encode(job)):
                return  # it is dying; `_on_lost` will clear its jobs away

    def _parents_of(self, request: Request) -> tuple[Parent, ...]:
        if request.step is not None and request.job.kind is Kind.read:
            return (self.desk.parent(request.step),)
        if request.job.parents:
            return request.job.parents
        return tuple(self._parents.get(address) for address in request.parents)

    def _has_room(self, worker: int) -> bool:
        if self.stage is not Stage.hunting or worker >= self._settings.slots:
            return False
        if len(self._jobs[worker]) >= _JOBS_PER_WORKER:
            return False
        return self._goal.queries is None or self.core.counts["queries"] + self.open < self._goal.queries

    async def _on_report(self, worker: int, message: bytes) -> None:
        report = _DECODER.decode(message)
        request = self._jobs[worker].pop(report.id).as_asked(report)
        self._deaths[worker] = 0
        self.reports += 1
        self.usage.add(report.solver_seconds)
        try:
            await self._learn(request, report)
        except Exception:  # the supervisor of reports: a mistake of ours with one of them must not end the hunt
            self.core.forget(report.address)
            self._listener(Trouble(report.id, traceback.format_exc(limit=-8)))
            await self.desk.lose(request.step)
        await self._fill(worker)
        self._dismiss_if_spare(worker)
        self._stop_if_idle()

    async def _learn(self, request: Request, report: Report) -> None:
        view = self.core.view
        # What was certified before starts from the certificate that it had: a replay will find no other.
        was_certified = report.address in view and view.truth(report.address) is not None
        told = self.core.absorb(report, time.time())
        keys: list[str] = []
        if told.entry is not None:
            if report.address in view and not was_certified:
                self._parents.hold(report)
            keys = await self._store(report, told)
        if self._problem is not None:
            return  # what is not stored is not told
        self._tell(request, report, told, keys)
        if (told.news and self._goal.until_bug) or self._has_asked_enough():
            self._end()

    async def _store(self, report: Report, told: Told) -> list[str]:
        assert told.entry is not None
        try:
            keys = await self._knowledge.write(store, told.entry)
        except ContradictoryTruth as alarm:
            self.core.forget(report.address)
            self._listener(Contradiction(str(alarm)))
            await self.desk.keep(*told.entry.notes)
            return []
        except sqlite3.OperationalError as problem:
            self._give_up(
                f"the knowledge base in {self._knowledge.directory} cannot be written ({problem}); "
                "make room or give yourself the right to write there, then start again to continue"
            )
            return []
        self.desk.tell(told.entry.notes)
        if told.suspicion is not None:
            await self._upkeep.exchange(told.suspicion, keys[-1], told.weaker)
        return keys

    def _tell(self, request: Request, report: Report, told: Told, keys: list[str]) -> None:
        if report.trouble:
            self._listener(Trouble(report.id, report.trouble))
        if report.refusal and request.step is None:
            self._listener(UnreadableSeed(request.job.source, report.refusal))
        if report.answer is None:
            return
        run = self.core.run
        self._listener(query_event(run, request, report))
        if report.fault is not None:
            self._listener(fault_event(report))
        if told.entry is not None and told.entry.witness is not None:
            self.core.counts["new truths"] += 1
            self._listener(truth_event(run, report))
        for draft, key in zip(told.drafts, keys, strict=False):
            self._listener(finding_event(run, key, draft, report))
        if told.suspicion is not None and keys:
            self._listener(suspicion_event(keys[-1], told.suspicion))

    async def _on_lost(self, worker: int, words: str) -> None:
        """A worker has died with its jobs."""
        lost = tuple(request.job.first or request.job.kind.value for request in self._jobs[worker].values())
        for job in self._jobs[worker]:
            self.core.lose(job)
        steps = [request.step for request in self._jobs[worker].values()]
        self._jobs[worker].clear()
        self.core.counts["workers lost"] += 1
        self._listener(WorkerLost(worker, lost, words[-2000:]))
        if not any(steps):  # what a user has submitted may be more than a worker can bear
            self._deaths[worker] += 1
        if self._deaths[worker] >= _MOST_DEATHS:
            self._give_up(f"a worker died {_MOST_DEATHS} times before it could do anything; its last words: {words}")
        for step in steps:
            await self.desk.lose(step)
        self._stop_if_idle()

    def _worker_command(self, worker: int) -> list[str]:
        return [sys.executable, "-m", "daemon.worker", str(self._folder / str(worker))]

    # Being told what to do --------------------------------------------------------------------------------

    def pause(self) -> None:
        """Ask nothing more until `resume`; what is under way is finished."""
        if not self._is_paused:
            self._is_paused = True
            self._set_stage()
            self._listener(Paused(self.open))

    def resume(self) -> None:
        """Go on after a pause."""
        if self._is_paused:
            self._is_paused = False
            self.core.errands.go_on(time.time())
            self._set_stage()
            self._listener(Resumed())
            self._fill_all()

    def drain(self) -> None:
        """Take no more jobs, and end when what is under way is finished."""
        if not self._is_ending:
            self._listener(Ending(self.open))
            self._end()

    def stop(self) -> None:
        """End at once; what is under way is lost."""
        self._is_ending = True
        self._scope.cancel()

    async def reconfigure(self, settings: Settings) -> None:
        """Go on with other settings; what is under way is finished as it was begun."""
        versions = {each.label: each.program for each in settings.configurations}
        await self._knowledge.write(counters.add_versions, self.core.run, versions)
        self._resize(settings.slots)
        self._settings = settings
        self.core.reconfigure(settings)
        self._set_stage()
        self._fill_all()

    def read_seed(self, name: str, text: str) -> None:
        """Have a worker read a text, and ask the instance if it is one that is new."""
        self.core.unread.append((name, text))

    @property
    def suspects(self) -> Sequence[Configuration]:
        return self._settings.configurations

    @property
    def is_paused(self) -> bool:
        return self._is_paused

    @property
    def is_ending(self) -> bool:
        return self._is_ending

    @property
    def open(self) -> int:
        """How many jobs are under way."""
        return sum(map(len, self._jobs.values()))

    @property
    def workers(self) -> list[int]:
        """The processes of the workers that run."""
        return self._workers.pids()

    def _set_stage(self) -> None:
        """What follows from what was asked for, in whatever order it came."""
        if self._is_ending:
            self.stage = Stage.draining
        elif self._group is not None:
            self.stage = Stage.paused if self._is_paused else Stage.hunting
        slots = self._settings.slots if self.stage is Stage.hunting else 0
        self.usage.set_slots(slots, time.monotonic())

    def _fill_all(self) -> None:
        if self._group is not None:
            for worker in range(self._settings.slots):
                self._group.start_soon(self._fill, worker)

    def _resize(self, slots: int) -> None:
        """More workers at once; those that are too many leave when they have finished what they are at."""
        for worker in range(slots):
            self._jobs.setdefault(worker, {})
            self._heard.setdefault(worker, time.monotonic())
            (self._folder / str(worker)).mkdir(parents=True, exist_ok=True)
            self._workers.add(worker)
        for worker in range(slots, len(self._jobs)):
            if not self._jobs[worker]:
                self._workers.dismiss(worker)

    def _dismiss_if_spare(self, worker: int) -> None:
        if worker >= self._settings.slots and not self._jobs[worker]:
            self._workers.dismiss(worker)

    # Ending -----------------------------------------------------------------------------------------------

    def _has_asked_enough(self) -> bool:
        return self._goal.queries is not None and self.core.counts["queries"] >= self._goal.queries

    def _end(self) -> None:
        """Take no more jobs; what is under way is finished."""
        self._is_ending = True
        self._set_stage()
        self._stop_if_idle()

    def _give_up(self, problem: str) -> None:
        self._problem = self._problem or problem
        self._is_ending = True
        self._scope.cancel()

    def _stop_if_idle(self) -> None:
        if self._is_ending and not any(self._jobs.values()):
            self._scope.cancel()

    async def _keep_time(self) -> None:
        if self._goal.seconds is not None:
            await anyio.sleep(self._goal.seconds)
            self._end()

    async def _keep_watch(self) -> None:
        """End workers that hang."""
        while True:
            await anyio.sleep(_SILENT_SECONDS / 20)
            for worker, jobs in self._jobs.items():
                longest = max((request.job.limit_seconds for request in jobs.values()), default=0.0)
                if jobs and time.monotonic() - self._heard[worker] > _SILENT_SECONDS + _PATIENCE * longest:
                    self._workers.end(worker)
