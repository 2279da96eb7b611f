"""What to ask next, and what follows from a report: decided without input or output.

The core knows the view of the knowledge base, the jobs under way and a random generator. `next_request` gives the
next job, `absorb` takes what came of one and says what is to be stored and told. The shell (`daemon.hunt`) does both.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Mapping
from random import Random
from typing import Final

import msgspec

from backends import spacer
from backends.answer import Configuration, Verdict
from chc.witness import Truth
from daemon.jobs import Draft, Job, Kind, Report
from daemon.settings import Settings
from daemon.suspicion import Suspicion, Suspicions, suspicion_of
from knowledge_base.energy import Lesson, Standing
from knowledge_base.entries import Entry
from knowledge_base.records import (
    AnswerRecord,
    Choice,
    Finding,
    InstanceRecord,
    Lineage,
    Link,
    OwnFault,
    Severity,
    Status,
    WitnessOrigin,
    WitnessRecord,
)
from knowledge_base.schedules import schedule_named
from knowledge_base.view import View
from transformations.transformation import Entry as Transformation

_DECIDED: Final = (Verdict.sat, Verdict.unsat)
_CERTIFIED: Final = (Truth.sat, Truth.unsat)
_GENERATE_SHARE: Final = 0.06
_ENRICH_SHARE: Final = 0.05
_WITNESS_SHARE: Final = 0.5
"""How many queries use the options under which every witness can be checked."""
_WARM_SHARE: Final = 0.9
_WARM_SECONDS: Final = 0.5
"""Instances slower than this are asked cold: a warm process gains nothing there."""
_KNOWN_TROUBLE_SHARE: Final = 0.05
_FUSION_SHARE: Final = 0.25
_DEEPEST: Final = 6
_DEPTH_QUERIES: Final = 400
"""The stack may grow by one each time the number of queries doubles beyond this."""
_SAME_SHAPE: Final = 4
"""So many instances of one shape are kept as parents."""
_MOST_KNOWN: Final = 20
"""So many findings of known trouble are stored for a configuration; the rest are counted."""
_MOST_ALIKE: Final = 3
"""So many crashes or rejections that say the same are findings; the rest are counted."""
_NUMBERS: Final = re.compile(r"\d+")
_LARGEST_PARENT: Final = 4000
_STEPS_BEFORE_RESTART: Final = 100


class Request(msgspec.Struct, frozen=True):
    """A job, and the addresses of the parents that have to be put into it."""

    job: Job
    parents: tuple[str, ...]
    choice: Choice | None = None


class Told(msgspec.Struct, frozen=True):
    """What follows from a report: one entry for the knowledge base, and what is to be said."""

    entry: Entry | None
    news: tuple[Draft, ...] = ()
    weaker: tuple[Suspicion, ...] = ()
    """Suspicions that stronger ones have displaced."""


class Core:
    """The state of a hunt."""

    def __init__(
        self, settings: Settings, catalogue: Mapping[str, Transformation], rng: Random, run: str, done: int = 0
    ) -> None:
        self.settings, self.run = settings, run
        self._rng = rng
        self._schedule = schedule_named(settings.schedule)
        self._entries = _permitted(settings, catalogue)
        self.view: View = self._schedule.view({name: _takes(entry) for name, entry in self._entries.items()})
        self.suspicions = Suspicions()
        self.counts: Counter[str] = Counter()
        self._done = done
        self._next_id = 0
        self._open: dict[int, Request] = {}
        self._to_ask: deque[str] = deque()
        self._shapes: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._last_child: tuple[str, int] | None = None

    # What to ask ------------------------------------------------------------------------------------------

    def ask_open_ones(self) -> None:
        """Put every instance of open truth that nobody has asked yet on the list."""
        self._to_ask.extend(address for address in self.view.of_truth(None) if not self.view.standing(address).queries)

    def forget(self, address: str) -> None:
        """The knowledge base has dropped the instance."""
        if address in self.view:
            self.view.drop(address)

    def next_request(self) -> Request:
        """The next job; there always is one, because seeds can be generated."""
        request = self._choose()
        self._open[request.job.id] = request
        return request

    def _choose(self) -> Request:
        if self._to_ask and self._rng.random() < 0.5:
            return self._ask(self._to_ask.popleft())
        kind = self._rng.random()
        if not len(self.view) or kind < _GENERATE_SHARE:
            return self._request(Kind.generate, (), None, self._schedule.limits.first)
        if kind < _GENERATE_SHARE + _ENRICH_SHARE:
            choice = self._schedule(self.view, self._rng)
            return self._from_choice(Kind.enrich, choice) or self._choose()
        choice = self._continue_chain() or self._schedule(self.view, self._rng, _CERTIFIED)
        request = self._from_choice(Kind.trick, choice)
        return request or self._request(Kind.generate, (), None, self._schedule.limits.first)

    def _ask(self, address: str) -> Request:
        if address not in self.view:
            return self._choose()
        return self._request(Kind.ask, (address,), None, self._schedule.limits.first)

    def _continue_chain(self) -> Choice | None:
        """Without the knowledge base: the last child, until it is time to begin again from a seed."""
        if self.settings.switches.knowledge_base or self._last_child is None:
            return None
        address, steps = self._last_child
        if address not in self.view or steps >= _STEPS_BEFORE_RESTART:
            self._last_child = None
            return None
        truth = self.view.truth(address)
        name, share = self._schedule.draw_transformation(self.view, self._rng, self.view.transformations(truth))
        limit = self._schedule.limits.of([self.view.standing(address)])
        return Choice("last-child", address, truth, 1.0, name, share, limit)

    def _from_choice(self, kind: Kind, choice: Choice | None) -> Request | None:
        if choice is None or choice.transformation is None:
            return None
        self.view.note_pick(choice.instance)
        parents = [choice.instance]
        if self._rng.random() < _FUSION_SHARE or self._entries[choice.transformation].arity == 2:
            partner = self._schedule.draw_instance(self.view, self._rng, _CERTIFIED)
            if partner is not None:
                parents.append(partner[0])
        return self._request(kind, tuple(parents), choice, choice.limit_seconds)

    def _request(self, kind: Kind, parents: tuple[str, ...], choice: Choice | None, limit: float) -> Request:
        self._next_id += 1
        configuration = self._rng.choice(self.settings.configurations)
        is_for_witnesses = kind is Kind.ask or self._rng.random() < _WITNESS_SHARE
        job = Job(
            self._next_id,
            kind,
            seed=self._rng.getrandbits(48),
            configuration=spacer.with_witness_options(configuration) if is_for_witnesses else configuration,
            limit_seconds=min(limit, self.settings.ceiling_seconds),
            memory_mb=self.settings.memory_mb,
            depth=self._depth(),
            first=None if choice is None else choice.transformation,
            weights=self._weights(),
            is_warm=self._is_warm(configuration, parents),
            examines_known_trouble=self._rng.random() < _KNOWN_TROUBLE_SHARE,
        )
        return Request(job, parents, choice)

    def _depth(self) -> int:
        """From one upwards, as the hunt goes on."""
        most = min(_DEEPEST, 1 + (self._done // _DEPTH_QUERIES).bit_length())
        return self._rng.randint(1, most)

    def _weights(self) -> dict[str, float]:
        names = list(self._entries)
        return dict(zip(names, self._schedule.weigh_arms([self.view.arms[name] for name in names]), strict=True))

    def _is_warm(self, configuration: Configuration, parents: tuple[str, ...]) -> bool:
        if configuration.version.startswith("path:"):
            return False  # nobody knows whether it serves more than one query
        is_slow = any(self.view.standing(parent).median_seconds > _WARM_SECONDS for parent in parents)
        return not is_slow and self._rng.random() < _WARM_SHARE

    # What follows -----------------------------------------------------------------------------------------

    def lose(self, job: int) -> None:
        """The worker that had the job is gone."""
        self._open.pop(job, None)
        self.counts["lost"] += 1

    def absorb(self, report: Report, at: float) -> Told:
        """What is to be stored and said of a report."""
        request = self._open.pop(report.id)
        if report.trouble:
            self.counts["troubles"] += 1
            return Told(Entry(counts={"troubles": 1}))
        if report.text is None or report.is_repeated or report.answer is None:
            self._note_miss(request)
            self.counts["repeated" if report.is_repeated else "inapplicable"] += 1
            return Told(None)
        self._done += 1
        return self._learn(request, report, at)

    def _note_miss(self, request: Request) -> None:
        if request.job.first is not None:
            self.view.note_application(request.job.first, None)

    def _learn(self, request: Request, report: Report, at: float) -> Told:
        report = self._without_repetitions(report)
        assert report.answer is not None
        news = tuple(draft for draft in report.findings if draft.known is None and not draft.is_flaky)
        suspicion = suspicion_of(report, self._relatives(request), request.job.limit_seconds)
        weaker = () if suspicion is None else self.suspicions.offer(suspicion)
        is_suspicious = suspicion is not None and suspicion not in weaker
        is_kept = self._is_kept(request, report, is_suspicious=is_suspicious)
        lesson = Lesson(
            seconds=report.answer.seconds,
            is_decided=report.answer.verdict in _DECIDED,
            new_truths=int(is_kept and report.proof is not None),
            findings=len(news),
        )
        counts = self._count(report, news)
        entry = self._entry(request, report, at, counts, lesson, is_kept=is_kept)
        if is_suspicious and suspicion is not None:
            findings = (*entry.findings, _suspected(suspicion, report, request, self.run, at))
            entry = msgspec.structs.replace(entry, findings=findings)
        return Told(entry, news, tuple(each for each in weaker if each is not suspicion))

    def _without_repetitions(self, report: Report) -> Report:
        """A crash or a rejection in the same words is news only a few times; after that it is counted."""
        fresh = []
        for draft in report.findings:
            if draft.severity is Severity.failure:
                signature = _signature(draft)
                self._failures[signature] += 1
                if self._failures[signature] > _MOST_ALIKE:
                    self.counts["repeated failures"] += 1
                    continue
            fresh.append(draft)
        return msgspec.structs.replace(report, findings=tuple(fresh))

    def _relatives(self, request: Request) -> list[Standing]:
        return [self.view.standing(parent) for parent in request.parents[:1] if parent in self.view]

    def _is_kept(self, request: Request, report: Report, *, is_suspicious: bool) -> bool:
        """What a finding needs, what was there before, and what is of a shape that is still rare."""
        if report.findings or report.fault is not None or is_suspicious or request.job.kind is Kind.ask:
            return True
        if report.features.nodes > _LARGEST_PARENT or report.proof is None:
            return False
        if not self.settings.switches.knowledge_base:
            return True
        self._shapes[report.features.shape] += 1
        return self._shapes[report.features.shape] <= _SAME_SHAPE

    def _count(self, report: Report, news: tuple[Draft, ...]) -> dict[str, int | float]:
        assert report.answer is not None
        counts: Counter[str] = Counter({"queries": 1, f"verdict {report.answer.verdict}": 1})
        counts[f"transported {report.transported}"] += 1
        if report.fault is not None:
            counts["own faults"] += 1
        if report.proof is not None:
            counts["truths"] += 1
        for draft in report.findings:
            kind = "known" if draft.known else "flaky" if draft.is_flaky else "finding"
            counts[f"{kind} {draft.severity}"] += 1
        for name in {link.transformation for link in report.links}:
            counts[f"applied {name}"] += 1
            counts[f"decided {name}"] += report.answer.verdict in _DECIDED
            counts[f"found {name}"] += len(news)
        self.counts.update(counts)
        return dict(counts)

    def _entry(
        self,
        request: Request,
        report: Report,
        at: float,
        counts: dict[str, int | float],
        lesson: Lesson,
        *,
        is_kept: bool,
    ) -> Entry:
        standings = self._teach(request, report, lesson)
        arms = {
            name: self.view.note_application(name, lesson)
            for name in sorted({link.transformation for link in report.links})
            if name in self.view.arms
        }
        if not is_kept:
            return Entry(counts=counts, standings=standings, arms=arms, at=at)
        standings[report.address] = self._adopt(request, report, lesson)
        lineage = _lineage(request, report)
        return Entry(
            instance=_instance(report, lineage, at),
            answer=_answer(request, report, self.run, at),
            witness=_witness(report, at),
            checkers=() if report.proof is None else report.proof.certified_by,
            findings=self._findings(report, lineage, at),
            fault=_fault(report, lineage, self.run, at),
            counts=counts,
            standings=standings,
            arms=arms,
            at=at,
        )

    def _teach(self, request: Request, report: Report, lesson: Lesson) -> dict[str, Standing]:
        parents = [parent for parent in request.parents[:1] if parent in self.view and parent != report.address]
        return {parent: self.view.note_lesson(parent, lesson) for parent in parents}

    def _adopt(self, request: Request, report: Report, lesson: Lesson) -> Standing:
        """Let the child be a parent, or the parent itself that was asked have its truth."""
        truth = report.proof.truth if report.proof is not None else None
        if report.address in self.view:
            truth = truth or self.view.truth(report.address)
            standing = self.view.note_lesson(report.address, lesson)
        else:
            seconds = (lesson.seconds,) if lesson.is_decided else ()
            standing = Standing(size=max(1, report.features.nodes), recent=(lesson.seconds,), decided=seconds)
        self.view.put(report.address, standing, truth)
        if request.job.kind is not Kind.ask:
            steps = 0 if self._last_child is None else self._last_child[1]
            self._last_child = (report.address, steps + 1) if truth is not None else None
        return standing

    def _findings(self, report: Report, lineage: Lineage | None, at: float) -> tuple[Finding, ...]:
        kept = []
        for draft in report.findings:
            if draft.known is not None:
                self._known[draft.answer.configuration.label] += 1
                if self._known[draft.answer.configuration.label] > _MOST_KNOWN:
                    continue
            kept.append(_finding(draft, report, lineage, self.run, at))
        return tuple(kept)


def _signature(draft: Draft) -> str:
    """The same for failures of one solver that say the same apart from numbers."""
    configuration = draft.answer.configuration
    return f"{configuration.solver}@{configuration.version}: {_NUMBERS.sub('N', draft.answer.detail)[:300]}"


def _permitted(settings: Settings, catalogue: Mapping[str, Transformation]) -> dict[str, Transformation]:
    switches = settings.switches
    return {
        name: entry
        for name, entry in catalogue.items()
        if switches.only in (None, name) and (switches.witnesses or not entry.needs_witness)
    }


def _takes(entry: Transformation) -> frozenset[Truth | None]:
    takes: set[Truth | None] = set(entry.takes)
    if not entry.needs_witness and entry.arity == 1:
        takes.add(None)
    return frozenset(takes)


def _lineage(request: Request, report: Report) -> Lineage | None:
    if not report.links:
        return None
    partners = [link.partner for link in report.links if link.partner is not None]
    chain = tuple(Link(link.transformation, msgspec.Raw(link.choice.encode()), link.partner) for link in report.links)
    return Lineage((request.parents[0], *dict.fromkeys(partners)), chain)


def _instance(report: Report, lineage: Lineage | None, at: float) -> InstanceRecord:
    assert report.text is not None
    return InstanceRecord(report.text, report.origin, features=report.features, lineage=lineage, added=at)


def _answer(request: Request, report: Report, run: str, at: float) -> AnswerRecord:
    assert report.answer is not None
    answer = report.findings[0].answer if report.findings else report.answer
    is_warm = request.job.is_warm and not report.findings
    return AnswerRecord(report.address, answer, at, is_warm, request.job.limit_seconds, run, request.choice)


def _witness(report: Report, at: float) -> WitnessRecord | None:
    if report.proof is None:
        return None
    origins = {"transported": WitnessOrigin.transported, "constructed": WitnessOrigin.constructed}
    origin = origins.get(report.proof.source, WitnessOrigin.solver)
    return WitnessRecord(report.address, report.proof.truth, report.proof.witness, origin, at, report.proof.source)


def _status(draft: Draft) -> Status:
    if draft.known is not None:
        return Status.known
    if draft.is_flaky:
        return Status.flaky
    return Status.unresolved if draft.severity is Severity.unresolved else Status.confirmed


def _finding(draft: Draft, report: Report, lineage: Lineage | None, run: str, at: float) -> Finding:
    return Finding(
        severity=draft.severity,
        status=_status(draft),
        instance=report.address,
        configuration=draft.answer.configuration,
        command=draft.answer.command,
        evidence=draft.evidence,
        at=at,
        expected=report.proof.truth if report.proof is not None else report.promise,
        lineage=lineage,
        run=run,
        reason=draft.known or "",
    )


def _suspected(suspicion: Suspicion, report: Report, request: Request, run: str, at: float) -> Finding:
    assert report.answer is not None
    return Finding(
        severity=suspicion.severity,
        status=Status.open,
        instance=report.address,
        configuration=request.job.configuration,
        command=report.answer.command,
        evidence=suspicion.words,
        at=at,
        expected=report.promise,
        lineage=_lineage(request, report),
        run=run,
    )


def _fault(report: Report, lineage: Lineage | None, run: str, at: float) -> OwnFault | None:
    if report.fault is None:
        return None
    return OwnFault(
        instance=report.address,
        lineage=lineage or Lineage(()),
        truth=report.fault.truth,
        witness=report.fault.witness,
        checker="z3",
        reason=report.fault.reason,
        at=at,
        run=run,
    )


def resolved(finding: Finding, verdict: Verdict, truth: Truth) -> Finding:
    """An unresolved finding in the light of a truth that has turned up."""
    if verdict not in _DECIDED or verdict.value == truth.value:
        reason = f"the instance is {truth}, as a certificate shows, so the answer {verdict} was not wrong"
        return msgspec.structs.replace(finding, status=Status.dismissed, reason=reason, expected=truth)
    severity = Severity.unsound if truth is Truth.unsat else Severity.false_refutation
    evidence = f"{finding.evidence}; a certificate for {truth} has turned up"
    return msgspec.structs.replace(
        finding, severity=severity, status=Status.confirmed, expected=truth, evidence=evidence
    )
