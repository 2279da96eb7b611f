"""The shell of the hunt: carries out what the core decides.

Workers prepare, ask and judge; the core chooses and learns; the knowledge base remembers. A worker gets its next job
when it has answered one, and a report is stored before the job that it makes room for is chosen: nothing queues up.
"""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections import OrderedDict
from random import Random
from typing import Final

import anyio
import msgspec

from backends.examination import Examiner, Standing
from backends.smt_checker import CHECKERS
from backends.workers import Workers
from daemon.core import Core, Request, resolved
from daemon.events import Event, Listener, Summary, summary_of
from daemon.jobs import Parent, Report
from daemon.seeding import Seed, add_seed, missing
from daemon.settings import Settings
from knowledge_base import answers, counters, findings, instances, standings, truths
from knowledge_base.entries import store
from knowledge_base.eviction import bytes_used, evict
from knowledge_base.records import Run
from knowledge_base.store import KnowledgeBase
from knowledge_base.truths import ContradictoryTruth
from transformations.catalogue import CATALOGUE

_JOBS_PER_WORKER: Final = 3
"""One is with the solver, one before it, one behind it."""
_UPKEEP_SECONDS: Final = 30.0
_PARENTS: Final = 400
_DECODER: Final = msgspec.msgpack.Decoder(Report)


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
        self._parents: OrderedDict[str, Parent] = OrderedDict()
        self._jobs: dict[int, dict[int, Request]] = {worker: {} for worker in range(settings.slots)}
        self._busy: dict[int, float] = {}
        self._scope = anyio.CancelScope()
        self._is_ending = False
        self._started = time.monotonic()
        self._workers = Workers(_worker_command(), settings.slots, self._on_report, self._on_lost)

    async def run(self, seeds: list[Seed]) -> Summary:
        """Hunt until the goal is reached or somebody interrupts."""
        await self._begin(seeds)
        async with anyio.create_task_group() as group:
            self._scope = group.cancel_scope
            group.start_soon(self._workers.serve, self._fill)
            group.start_soon(self._keep_time)
            group.start_soon(self._heed_signals)
            group.start_soon(self._keep_house)
        await self._knowledge.write(counters.end_run, self.core.run, time.time())
        return self.summary()

    def summary(self) -> Summary:
        sizes = self._knowledge.read(counters.sizes)
        seconds = time.monotonic() - self._started
        return summary_of(self.core, sizes, seconds, sum(self._busy.values()), self._settings.slots)

    # Beginning --------------------------------------------------------------------------------------------

    async def _begin(self, seeds: list[Seed]) -> None:
        settings = self._settings
        versions = {each.label: each.program for each in settings.configurations}
        run = Run(self.core.run, settings.seed, settings.schedule, time.time(), settings.switches.words(), versions)
        await self._knowledge.write(counters.start_run, run)
        await self._bring_in(self._knowledge.read(missing, seeds))
        self._knowledge.read(standings.fill, self.core.view)
        self.core.ask_open_ones()
        self._started = time.monotonic()

    async def _bring_in(self, seeds: list[Seed]) -> None:
        """Seeds with a witness are certified on the way in; the others will be asked."""
        if not seeds:
            return
        self._listener(Event("seeds", {"new": len(seeds)}))
        limiter = anyio.CapacityLimiter(self._settings.slots)

        async def bring_in(seed: Seed) -> None:
            async with limiter:
                checkers: tuple[str, ...] = ()
                if seed.known.witness is not None:
                    found = await examiner.examine(seed.known.instance, seed.known.witness)
                    checkers = found.certified_by
                    if found.standing is not Standing.valid:
                        self._listener(Event("doubtful_seed", {"seed": seed.name, "reason": found.reason}))
                await self._knowledge.write(add_seed, seed, checkers, time.time())

        async with Examiner(CHECKERS, self._settings.slots) as examiner, anyio.create_task_group() as group:
            for seed in seeds:
                group.start_soon(bring_in, seed)

    # Working ----------------------------------------------------------------------------------------------

    async def _fill(self, worker: int) -> None:
        """Give a worker as much as it should have under way."""
        while not self._is_ending and len(self._jobs[worker]) < _JOBS_PER_WORKER:
            request = self.core.next_request()
            self._jobs[worker][request.job.id] = request
            parents = tuple(self._parent(address) for address in request.parents)
            job = msgspec.structs.replace(request.job, parents=parents)
            if not await self._workers.send(worker, msgspec.msgpack.encode(job)):
                return  # it is dying; `_on_lost` will clear its jobs away

    def _parent(self, address: str) -> Parent:
        if address not in self._parents:
            record = self._knowledge.read(instances.get, address)
            assert record is not None
            certificate = self._knowledge.read(truths.certificate_of, address)
            self._parents[address] = (
                Parent(address, record.text)
                if certificate is None
                else Parent(address, record.text, certificate.witness.truth, certificate.witness.data)
            )
            if len(self._parents) > _PARENTS:
                self._parents.popitem(last=False)
        self._parents.move_to_end(address)
        return self._parents[address]

    async def _on_report(self, worker: int, message: bytes) -> None:
        report = _DECODER.decode(message)
        request = self._jobs[worker].pop(report.id)
        self._busy[worker] = self._busy.get(worker, 0.0) + report.solver_seconds
        try:
            await self._learn(request, report)
        except Exception:  # the supervisor of reports: a mistake of ours with one of them must not end the hunt
            self._listener(Event("trouble", {"job": report.id, "traceback": traceback.format_exc(limit=-8)}))
        await self._fill(worker)
        self._stop_if_idle()

    async def _learn(self, request: Request, report: Report) -> None:
        told = self.core.absorb(report, time.time())
        keys: list[str] = []
        if told.entry is not None:
            self._hold(report)
            try:
                keys = await self._knowledge.write(store, told.entry)
            except ContradictoryTruth as alarm:
                self.core.forget(report.address)
                self._listener(Event("contradictory_truth", {"reason": str(alarm)}))
        self._tell(request, report, keys)
        if told.news and self._goal.until_bug:
            self._end()

    def _hold(self, report: Report) -> None:
        """The child may be chosen as a parent before it is written."""
        if report.text is not None and report.address in self.core.view:
            proof = report.proof
            known = self._parents.pop(report.address, None)
            if proof is not None:
                self._parents[report.address] = Parent(report.address, report.text, proof.truth, proof.witness)
            elif known is not None:
                self._parents[report.address] = known
            else:
                self._parents[report.address] = Parent(report.address, report.text)

    def _tell(self, request: Request, report: Report, keys: list[str]) -> None:
        if report.trouble:
            self._listener(Event("trouble", {"job": report.id, "traceback": report.trouble}))
        if report.answer is None:
            return
        self._listener(Event("query", _query_line(request, report)))
        if report.fault is not None:
            line = {"instance": report.address, "reason": report.fault.reason}
            self._listener(Event("own_fault", {**line, "chain": [link.transformation for link in report.links]}))
        for draft, key in zip(report.findings, keys, strict=False):
            self._listener(
                Event(
                    "finding",
                    {
                        "finding": key,
                        "severity": draft.severity,
                        "known": draft.known,
                        "flaky": draft.is_flaky,
                        "instance": report.address,
                        "configuration": draft.answer.configuration.label,
                        "verdict": draft.answer.verdict,
                        "truth": None if report.proof is None else report.proof.truth,
                        "evidence": draft.evidence,
                        "chain": [link.transformation for link in report.links],
                    },
                )
            )
        if self._goal.queries is not None and self.core.counts["queries"] >= self._goal.queries:
            self._end()

    async def _on_lost(self, worker: int, words: str) -> None:
        """A worker has died with its jobs."""
        for job in list(self._jobs[worker]):
            self.core.lose(job)
        lost = [job.first or job.kind.value for job in (r.job for r in self._jobs[worker].values())]
        self._jobs[worker].clear()
        self._listener(Event("worker_lost", {"worker": worker, "jobs": lost, "last_words": words[-2000:]}))
        self._stop_if_idle()

    # Ending -----------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """Take no more jobs; what is under way is finished."""
        self._is_ending = True
        self._stop_if_idle()

    def _stop_if_idle(self) -> None:
        if self._is_ending and not any(self._jobs.values()):
            self._scope.cancel()

    async def _keep_time(self) -> None:
        if self._goal.seconds is not None:
            await anyio.sleep(self._goal.seconds)
            self._end()

    async def _heed_signals(self) -> None:
        """The first one ends the hunt, the second one at once."""
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
            async for _ in received:
                if self._is_ending:
                    self._scope.cancel()
                    return
                self._listener(Event("ending", {"open": sum(map(len, self._jobs.values()))}))
                self._end()

    # Upkeep -----------------------------------------------------------------------------------------------

    async def _keep_house(self) -> None:
        """From time to time: unresolved findings whose truth has turned up, and the size of the knowledge base."""
        while True:
            await anyio.sleep(_UPKEEP_SECONDS)
            await self._resolve()
            if self._knowledge.read(bytes_used) > self._settings.budget_bytes:
                gone = await self._knowledge.write(evict, self._settings.budget_bytes, self.core.view.energies())
                for address in gone.dropped:
                    self.core.forget(address)
                self._listener(Event("evicted", {"instances": len(gone.dropped)}))

    async def _resolve(self) -> None:
        for stored in self._knowledge.read(findings.resolvable):
            truth = self._knowledge.read(truths.truth_of, stored.finding.instance)
            given = [
                each.answer.verdict
                for each in self._knowledge.read(answers.answers_of, stored.finding.instance)
                if each.answer.configuration == stored.finding.configuration
            ]
            if truth is not None and given:
                finding = resolved(stored.finding, given[-1], truth)
                await self._knowledge.write(findings.revise, stored.key, finding, time.time())
                self._listener(Event("resolved", {"finding": stored.key, "status": finding.status}))


def _query_line(request: Request, report: Report) -> dict[str, object]:
    """The canonical line of a query."""
    answer = report.answer
    assert answer is not None
    return {
        "id": report.id,
        "kind": request.job.kind,
        "instance": report.address,
        "parents": list(request.parents),
        "chain": [link.transformation for link in report.links],
        "configuration": answer.configuration.label,
        "warm": request.job.is_warm,
        "verdict": answer.verdict,
        "seconds": round(answer.seconds, 4),
        "limit": request.job.limit_seconds,
        "detail": answer.detail,
        "expected": report.promise,
        "truth": None if report.proof is None else report.proof.truth,
        "transported": report.transported,
        "witness": report.own,
        "findings": [draft.severity for draft in report.findings],
        "preparation": round(report.preparation_seconds, 4),
    }


def _worker_command() -> list[str]:
    return [sys.executable, "-m", "daemon.worker"]
