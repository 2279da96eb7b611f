"""The daemon: the hunt with everything around it that makes it a service.

Beside the hunt it serves clients, heeds signals, and looks every few seconds whether all is well, whether somebody has
replaced a solver, and whether there are new seeds. What follows from what it sees is decided elsewhere, without input
or output: `daemon.health`, `daemon.suspects`, `daemon.seed_watch`, `daemon.notify`.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from typing import Final

import anyio
import msgspec
from anyio import to_thread
from anyio.abc import TaskStatus

from backends.answer import Configuration
from daemon import events, gate, seed_watch, suspects
from daemon.config import Config, difference
from daemon.events import Level
from daemon.health import Health, Snapshot
from daemon.hub import Hub
from daemon.hunt import Goal, Hunt, HuntFailed, Stage
from daemon.hygiene import Hygiene, measure
from daemon.lines import SocketRules
from daemon.log import Log
from daemon.notify import Notifier, Watchdog
from daemon.office import Office
from daemon.seed_watch import SeedWatch
from daemon.seeding import embedded_seeds
from daemon.server import Server
from daemon.settings import Settings
from daemon.status_report import Status
from daemon.suspects import Sighting, Suspects, turnover
from daemon.version import version
from knowledge_base import findings
from knowledge_base.records import Status as FindingStatus
from knowledge_base.store import KnowledgeBase

_TICK_SECONDS: Final = 5.0
_MOST_UNREAD: Final = 20
"""So many texts of seeds wait in memory to be read."""
_MB: Final = 1024 * 1024
_REASKED: Final = (FindingStatus.confirmed, FindingStatus.unresolved)


class House(msgspec.Struct, frozen=True):
    """What the gate has let in: everything that the service works with."""

    path: Path
    config: Config
    knowledge: KnowledgeBase
    listening: socket.socket
    is_activated: bool
    sightings: tuple[Sighting, ...]


class Service:
    """One life of the daemon."""

    def __init__(self, house: House, log: Log, notifier: Notifier, watchdog_seconds: float | None) -> None:
        self._house, self._config = house, house.config
        self._log, self._notifier = log, notifier
        self._watchdog_seconds = watchdog_seconds
        self._watchdog = Watchdog(notifier.progress)
        self._began = time.time()
        self._seed = house.config.hunt.seed or SystemRandom().getrandbits(31)
        self._hub = Hub(log)
        self._health = Health(house.config.health)
        self._suspects = Suspects(house.knowledge)
        self._suspects.settled(house.sightings)
        self._missing: tuple[str, ...] = ()
        self._is_paused_for_want = False
        self._seeds = SeedWatch()
        self._reloading = anyio.Lock()
        settings = settings_of(self._config, self._suspects.recognise(house.sightings), self._seed)
        self._hunt = Hunt(settings, Goal(), house.knowledge, self._hub, secrets.token_hex(8))
        self._measured = (0.0, self._measure())

    # Living -----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Until somebody says stop; `HuntFailed` where it cannot go on."""
        problem: HuntFailed | None = None
        office = Office(self._hunt, self._house.knowledge, self._hub, self.status, lambda: self._health.episodes)
        async with anyio.create_task_group() as group:
            await group.start(self._heed_signals)
            self._say_starting()
            await group.start(Server(office, SocketRules()).serve, self._house.listening)
            group.start_soon(self._tick)
            group.start_soon(self._watch_seeds)
            group.start_soon(self._tell_vitals)
            group.start_soon(self._prove_progress)
            self._notifier.ready()
            self._hub(events.Ready())
            try:
                await self._hunt.run(embedded_seeds() if self._config.seeds.corpus else [])
            except HuntFailed as failure:
                problem = failure  # outside, so that no group of exceptions is made of it
            self._notifier.stopping()
            group.cancel_scope.cancel()
        office.close()
        self._hub(events.Stopped(round(time.time() - self._began, 1), self._hunt.open))
        if problem is not None:
            raise problem

    def _say_starting(self) -> None:
        name = str(self._house.listening.getsockname())
        self._hub(events.Starting(version(), os.getpid(), str(self._house.path), name, self._house.is_activated))

    async def _heed_signals(self, *, task_status: TaskStatus[None]) -> None:
        """To stop: the first one finishes what is under way, within its time; the second one stops at once."""
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as received:
            task_status.started()
            async with anyio.create_task_group() as group:
                async for each in received:
                    if each == signal.SIGHUP:
                        group.start_soon(self._reload)
                    elif self._hunt.is_ending:
                        self._hunt.stop()
                    else:
                        self._notifier.stopping()
                        patience = self._config.limits.stop_seconds
                        self._hub(events.Stopping(signal.Signals(each).name, self._hunt.open, patience))
                        self._hunt.drain()
                        group.start_soon(self._lose_patience, patience)

    async def _lose_patience(self, seconds: float) -> None:
        await anyio.sleep(seconds)
        self._hunt.stop()

    async def _begun(self) -> None:
        while self._hunt.stage is Stage.starting:  # noqa: ASYNC110 - a few times in a life
            await anyio.sleep(0.1)

    # Looking around ---------------------------------------------------------------------------------------

    async def _tick(self) -> None:
        await self._begun()
        while True:
            await self._look_at_suspects()
            self._look_at_health()
            self._notifier.status(self._words())
            await anyio.sleep(_TICK_SECONDS)

    async def _prove_progress(self) -> None:
        if self._watchdog_seconds is None:
            return
        while True:
            idle = self._hunt.stage is Stage.paused and not self._hunt.open
            self._watchdog.look(self._hunt.reports, is_idle=idle)
            await anyio.sleep(min(self._watchdog_seconds / 4, _TICK_SECONDS))

    def _look_at_health(self) -> None:
        change = self._health.observe(self._snapshot())
        for each in change.begun:
            self._hub(events.Unwell(each.check, each.subject, each.problem, each.remedy))
        for each in change.ended:
            self._hub(events.Well(each.check, each.subject, round(time.time() - each.since, 1)))

    def _snapshot(self) -> Snapshot:
        core, usage, hygiene = self._hunt.core, self._hunt.usage, self.hygiene()
        counts = core.counts
        undecided = sum(counts[f"{whose} undecided"] for whose in ("transported", "witness"))
        return Snapshot(
            at=time.time(),
            is_hunting=self._hunt.stage is Stage.hunting,
            queries=counts["queries"],
            timeouts=counts["verdict timeout"],
            truths=counts["new truths"],
            checked=undecided
            + sum(counts[f"{whose} {word}"] for whose in ("transported", "witness") for word in _DONE),
            undecided=undecided,
            lost=counts["workers lost"],
            busy_seconds=usage.busy_seconds,
            slot_seconds=usage.slot_seconds(time.monotonic()),
            tried={name: (arm.tried, arm.applied) for name, arm in core.view.arms.items()},
            missing=self._missing,
            stall=self._hunt.heartbeat.take(),
            disk_free_mb=hygiene.disk_free_mb,
            disk_reserve_mb=self._config.knowledge.disk_reserve_mb,
            memory_mb=hygiene.memory_mb,
            descriptors=hygiene.descriptors,
            most_descriptors=hygiene.most_descriptors,
        )

    async def _watch_seeds(self) -> None:
        await self._begun()
        while True:
            seen = await to_thread.run_sync(seed_watch.scan, self._config.seeds.directories)
            for path in self._seeds.new(seen):
                await self._take_seed(path)
            # A file is taken at the second look, so the first two follow each other quickly.
            await anyio.sleep(self._config.seeds.look_seconds if seen else min(1.0, self._config.seeds.look_seconds))

    async def _take_seed(self, path: str) -> None:
        while len(self._hunt.core.unread) >= _MOST_UNREAD:  # noqa: ASYNC110 - the workers take them, nobody tells
            await anyio.sleep(0.1)
        found = await to_thread.run_sync(seed_watch.read, path, self._config.seeds.largest_kb)
        if found.problem:
            self._hub(events.UnreadableSeed(found.name, found.problem))
        else:
            self._hunt.read_seed(found.name, found.text)

    async def _tell_vitals(self) -> None:
        while True:
            await anyio.sleep(self._config.log.vitals_seconds)
            status = self.status()
            summary = status.summary
            self._hub(
                events.Vitals(
                    stage=status.stage,
                    uptime=status.uptime,
                    queries=summary.queries,
                    findings=summary.findings,
                    slots_busy=summary.slots_busy,
                    longest_stall=summary.longest_stall,
                    hygiene=status.hygiene,
                )
            )

    # Suspects ---------------------------------------------------------------------------------------------

    async def _look_at_suspects(self) -> None:
        sightings = await to_thread.run_sync(suspects.look, self._config.hunt.solvers)
        if not self._suspects.settled(sightings) or self._hunt.is_ending:
            return
        async with self._reloading:
            if self._config.hunt.solvers == tuple(each.text for each in sightings):
                await self._welcome(sightings)

    async def _welcome(self, sightings: Sequence[Sighting]) -> None:
        """Ask those that are there. Where nobody is, the hunt pauses until somebody comes."""
        reasons = suspects.missing(sightings)
        self._missing = tuple(reasons)
        found = await to_thread.run_sync(self._suspects.recognise, sightings)
        change = turnover(self._hunt.suspects, found)
        if found and (change.come or change.gone):
            await self._hunt.reconfigure(settings_of(self._config, found, self._seed))
        if change.come or (change.gone and not self._is_paused_for_want):
            self._tell_turnover(change, "; ".join(reasons.values()))
        self._pause_for_want(not found)

    def _tell_turnover(self, change: suspects.Turnover, reason: str) -> None:
        heirs = {each: change.heir_of(each) for each in change.gone}
        for old, new in heirs.items():
            if new is None:
                self._hub(events.SuspectGone(old.label, old.program, reason))
            else:
                asked = self._ask_again(old, new)
                self._hub(events.SuspectChanged(old.label, new.label, new.program, asked))
        for each in change.come:
            if each not in heirs.values():
                self._hub(events.SuspectCame(each.label, each.program))

    def _ask_again(self, old: Configuration, new: Configuration) -> int:
        """Whether what was wrong with the old one is wrong with the new one too."""
        questions = {
            (each.finding.instance, _heir(each.finding.configuration, new)): None
            for each in self._house.knowledge.read(findings.select)
            if each.finding.status in _REASKED and _is_of(each.finding.configuration, old)
        }
        self._hunt.core.ask_again(questions)
        return len(questions)

    def _pause_for_want(self, nobody: bool) -> None:
        if nobody and not self._hunt.is_paused:
            self._is_paused_for_want = True
            self._hunt.pause()
        elif not nobody and self._is_paused_for_want:
            self._is_paused_for_want = False
            self._hunt.resume()

    # Reloading --------------------------------------------------------------------------------------------

    async def _reload(self) -> None:
        """Read the configuration again; one that cannot be used is refused, and the old one goes on."""
        self._notifier.reloading()
        await self._begun()
        async with self._reloading:
            try:
                await self._take_over(await to_thread.run_sync(gate.admit, self._house.path))
            except gate.Refused as refusal:
                self._hub(events.ReloadRefused(str(refusal)))
        self._notifier.ready()

    async def _take_over(self, admitted: gate.Admitted) -> None:
        old, self._config = self._config, admitted.config
        change = difference(old, self._config)
        self._health.rules = self._config.health
        self._log.level = Level[self._config.log.level]
        self._log.sink.reopen()
        self._suspects.settled(admitted.sightings)
        found = await to_thread.run_sync(self._suspects.recognise, admitted.sightings)
        self._missing = ()
        turned = turnover(self._hunt.suspects, found)
        await self._hunt.reconfigure(settings_of(self._config, found, self._seed))
        self._tell_turnover(turned, "it is not in the configuration any more")
        self._hub(events.Reloaded(change.at_once, change.at_restart))

    # Telling ----------------------------------------------------------------------------------------------

    def status(self) -> Status:
        hunt = self._hunt
        return Status(
            version=version(),
            pid=os.getpid(),
            stage=hunt.stage,
            started=round(self._began, 3),
            uptime=round(time.time() - self._began, 1),
            run=hunt.core.run,
            config=str(self._house.path),
            state=str(self._house.knowledge.directory),
            configurations=tuple(each.label for each in hunt.suspects),
            open=hunt.open,
            log_lost=self._log.sink.lost,
            summary=hunt.summary(),
            hygiene=self.hygiene(),
            health=self._health.episodes,
        )

    def hygiene(self) -> Hygiene:
        """Measured at most once in a second, however many ask."""
        if time.monotonic() - self._measured[0] > 1.0:
            self._measured = (time.monotonic(), self._measure())
        return self._measured[1]

    def _measure(self) -> Hygiene:
        return measure(self._house.knowledge.directory, self._hunt.workers)

    def _words(self) -> str:
        """For `systemctl status`."""
        summary, unwell = self._hunt.summary(), len(self._health.episodes)
        words = f"{self._hunt.stage}: {summary.queries} queries, {sum(summary.findings.values())} findings"
        return f"{words}; {unwell} things are not well: hornblower status" if unwell else words


_DONE: Final = ("valid", "invalid", "disputed")


def settings_of(config: Config, configurations: Sequence[Configuration], seed: int) -> Settings:
    return Settings(
        configurations=tuple(configurations),
        slots=config.hunt.slots or os.cpu_count() or 1,
        seed=seed,
        schedule=config.hunt.schedule,
        memory_mb=config.limits.query_memory_mb,
        ceiling_seconds=config.limits.query_seconds,
        budget_bytes=config.knowledge.budget_mb * _MB,
    )


def _is_of(configuration: Configuration, suspect: Configuration) -> bool:
    return (configuration.solver, configuration.version) == (suspect.solver, suspect.version)


def _heir(configuration: Configuration, suspect: Configuration) -> Configuration:
    """The same options for the program that has taken the place."""
    return msgspec.structs.replace(configuration, version=suspect.version, program=suspect.program)
