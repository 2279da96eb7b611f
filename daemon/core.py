"""What follows from a report: decided without input or output.

The core knows the view of the knowledge base, the jobs under way and a random generator. `next_request` gives the
next job, `absorb` takes what came of one and says what is to be stored and told. The shell (`daemon.hunt`) does both.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Final

import msgspec

from backends.answer import Configuration, Verdict
from daemon.bookkeeping import (
    answer_of,
    answers_of_others,
    fault_of,
    finding_of,
    instance_of,
    lineage_of,
    suspected,
    witness_of,
)
from daemon.choosing import Chooser, Request
from daemon.errands import Errands
from daemon.jobs import Draft, Kind, Report
from daemon.settings import Settings
from daemon.suspicion import Suspicion, Suspicions, suspicion_of
from knowledge_base.energy import Arm, Lesson, Standing
from knowledge_base.entries import Entry
from knowledge_base.records import InstanceRecord, Origin, Severity
from knowledge_base.view import View
from transformations.transformation import Entry as Transformation

_DECIDED: Final = (Verdict.sat, Verdict.unsat)
_AS_IT_IS: Final = (Kind.ask, Kind.certify)
_SAME_SHAPE: Final = 4
"""So many instances of one shape are kept as parents."""
_MOST_KNOWN: Final = 20
"""So many findings of the same known trouble are stored for a release; the rest are counted."""
_MOST_ALIKE: Final = 3
"""So many crashes or rejections that say the same are findings; the rest are counted."""
_NUMBERS: Final = re.compile(r"\d+")
_LARGEST_PARENT: Final = 4000


class Told(msgspec.Struct, frozen=True):
    """What follows from a report: one entry for the knowledge base, and what is to be said."""

    entry: Entry | None
    drafts: tuple[Draft, ...] = ()
    """Those that are stored, in the order of the first findings of the entry."""
    suspicion: Suspicion | None = None
    """The last finding of the entry, where there is one."""
    weaker: tuple[Suspicion, ...] = ()
    """Suspicions that it has displaced."""

    @property
    def news(self) -> tuple[Draft, ...]:
        return _news(self.drafts)


class Core:
    """The state of a hunt."""

    def __init__(
        self, settings: Settings, catalogue: Mapping[str, Transformation], rng: Random, run: str, done: int = 0
    ) -> None:
        self.settings, self.run, self._rng = settings, run, rng
        self._chooser = Chooser(settings, catalogue, rng, done)
        self.suspicions = Suspicions()
        self.errands = Errands()
        self.unread: deque[tuple[str, str]] = deque()
        """Names and texts of seeds that a worker is to read."""
        self.counts: Counter[str] = Counter()
        self._open: dict[int, Request] = {}
        self._shapes: Counter[str] = Counter()
        self._known: Counter[tuple[str, str]] = Counter()
        self._failures: Counter[str] = Counter()

    @property
    def view(self) -> View:
        return self._chooser.view

    # What to ask ------------------------------------------------------------------------------------------

    def ask_new_ones(self) -> None:
        """Put every instance that nobody has asked yet on the list: seeds, of open truth or certified."""
        self._chooser.ask_new_ones()

    def ask(self, addresses: Iterable[str]) -> None:
        """Put these on the list as well."""
        self._chooser.ask(addresses)

    def ask_again(self, questions: Iterable[tuple[str, Configuration]]) -> None:
        """Put these on the list, each for one suspect."""
        self._chooser.ask_again(questions)

    def reconfigure(self, settings: Settings) -> None:
        """Choose by other settings from now on. New suspects are asked about every seed."""
        self.settings = settings
        self._chooser.reconfigure(settings)

    def next_request(self) -> Request:
        """The next job; there always is one, because seeds can be generated."""
        step = self.errands.next_step(self._rng)
        if self.unread and step is None:
            request = self._chooser.read(*self.unread.popleft())
        elif step is None:
            request = self._chooser.choose()
        else:
            request = self._chooser.serve(step, self.errands.relatives(step.errand.id))
        self._open[request.job.id] = request
        self._chooser.shares.begin(request.job.id, request.suspects[0])
        return request

    def in_use(self) -> set[str]:
        """The parents of all jobs under way."""
        return {parent for request in self._open.values() for parent in request.parents}

    def forget(self, address: str) -> None:
        """The knowledge base does not have the instance, or not any more."""
        if address in self.view:
            self.view.drop(address)

    def lose(self, job: int) -> None:
        """The worker that had the job is gone."""
        request = self._open.pop(job)
        self._chooser.shares.end(job, request.suspects[0], None)
        self.counts["lost"] += 1

    # What follows -----------------------------------------------------------------------------------------

    def absorb(self, report: Report, at: float) -> Told:
        """What is to be stored and said of a report."""
        request = self._open.pop(report.id).as_asked(report)
        seconds = None if report.answer is None else report.answer.seconds
        self._chooser.shares.end(report.id, request.suspects[0], seconds)
        told = self._absorb_for_hunt(request, report, at)
        if request.step is None:
            return told
        is_kept = told.entry is not None and told.entry.instance is not None
        note = self.errands.absorb(request.step, report, is_kept=is_kept, at=at)
        if note is None:
            return told
        return msgspec.structs.replace(told, entry=msgspec.structs.replace(told.entry or Entry(), notes=(note,)))

    def _absorb_for_hunt(self, request: Request, report: Report, at: float) -> Told:
        if report.trouble:
            self.counts["troubles"] += 1
            return Told(Entry(counts={"troubles": 1}))
        if request.job.kind is Kind.read:
            return Told(self._welcome(request, report, at))
        if report.text is None or report.is_repeated or report.answer is None:
            self._note_miss(request, report)
            self.counts[_miss(report)] += 1
            return Told(None)
        self._chooser.done += 1
        return self._learn(request, report, at)

    def _welcome(self, request: Request, report: Report, at: float) -> Entry | None:
        """A user's instance, or one from a watched directory, becomes one of the seeds."""
        if report.text is None:
            return None
        origin = Origin.seed if request.step is None else Origin.user
        if report.address not in self.view:
            self.view.put(report.address, Standing(size=max(1, report.features.nodes)), None)
            self.view.add_root(report.address)
            if request.step is None:
                self._chooser.open_with([report.address])
        record = InstanceRecord(report.text, origin, request.job.source, report.features, added=at)
        return Entry(instance=record, at=at)

    def _note_miss(self, request: Request, report: Report) -> None:
        if request.job.first is not None and not report.is_unsupported:
            self.view.note_application(request.job.first, None)

    def _learn(self, request: Request, report: Report, at: float) -> Told:
        report = self._with(report, self._is_new_failure)
        counts = self._count(report)
        report = self._with(report, self._is_rarely_known)
        suspicion, weaker = self._suspect(request, report)
        is_kept = self._is_kept(request, report, suspicion)
        lesson = _lesson(report, is_kept=is_kept)
        entry = Entry(counts=counts, standings=self._teach(request, report, lesson), arms=self._reward(report, lesson))
        if is_kept:
            entry = self._with_records(entry, request, report, suspicion, at)
            entry.standings[report.address] = self._adopt(request, report, lesson)
        return Told(msgspec.structs.replace(entry, at=at), report.findings, suspicion, weaker)

    def _with(self, report: Report, is_stored: Callable[[Draft], bool]) -> Report:
        """The report with those findings that are worth storing; the others are counted."""
        stored = tuple(draft for draft in report.findings if is_stored(draft))
        self.counts["repeated findings"] += len(report.findings) - len(stored)
        return msgspec.structs.replace(report, findings=stored)

    def _is_new_failure(self, draft: Draft) -> bool:
        """A crash or a rejection in the same words is news only a few times."""
        if draft.severity is not Severity.failure:
            return True
        signature = _signature(draft)
        self._failures[signature] += 1
        return self._failures[signature] <= _MOST_ALIKE

    def _is_rarely_known(self, draft: Draft) -> bool:
        """Of trouble that is known some examples are enough."""
        if draft.known is None:
            return True
        release = f"{draft.answer.configuration.solver}@{draft.answer.configuration.version}"
        self._known[release, draft.known] += 1
        return self._known[release, draft.known] <= _MOST_KNOWN

    def _suspect(self, request: Request, report: Report) -> tuple[Suspicion | None, tuple[Suspicion, ...]]:
        """What is strange enough to be kept, and what has to go for it."""
        if request.job.drawn:
            return None, ()  # what is slow under other options is no surprise
        relatives = [self.view.standing(parent) for parent in request.parents[:1] if parent in self.view]
        suspicion = suspicion_of(report, relatives, request.job.limit_seconds)
        if suspicion is None:
            return None, ()
        weaker = self.suspicions.offer(suspicion)
        return (None, ()) if suspicion in weaker else (suspicion, weaker)

    def _is_kept(self, request: Request, report: Report, suspicion: Suspicion | None) -> bool:
        """What a finding needs, what was there before, and what is of a shape that is still rare."""
        if report.findings or report.fault is not None or suspicion is not None or request.job.kind in _AS_IT_IS:
            return True
        if report.features.nodes > _LARGEST_PARENT or report.proof is None:
            return False
        if report.answer is None or report.answer.verdict not in (Verdict.sat, Verdict.unsat):
            return False  # its children would be left undecided too
        if not self.settings.switches.knowledge_base:
            return True
        self._shapes[report.features.shape] += 1
        return self._shapes[report.features.shape] <= _SAME_SHAPE

    def _count(self, report: Report) -> dict[str, int | float]:
        assert report.answer is not None
        counts: Counter[str] = Counter({"queries": 1, f"verdict {report.answer.verdict}": 1})
        counts[f"transported {report.transported}"] += 1
        counts[f"witness {report.own}"] += 1
        counts["own faults"] += report.fault is not None
        counts["truths"] += report.proof is not None
        for draft in report.findings:
            kind = "known" if draft.known else "flaky" if draft.is_flaky else "finding"
            counts[f"{kind} {draft.severity}"] += 1
        for name in {link.transformation for link in report.links}:
            counts[f"applied {name}"] += 1
            counts[f"decided {name}"] += report.answer.verdict in _DECIDED
            counts[f"found {name}"] += len(_news(report.findings))
        self.counts.update(counts)
        return {name: count for name, count in counts.items() if count}

    def _with_records(
        self, entry: Entry, request: Request, report: Report, suspicion: Suspicion | None, at: float
    ) -> Entry:
        lineage = lineage_of(request, report)
        findings = [finding_of(draft, report, lineage, self.run, at) for draft in report.findings]
        if suspicion is not None:
            findings.append(suspected(suspicion, request, report, self.run, at))
        return msgspec.structs.replace(
            entry,
            instance=instance_of(report, lineage, at),
            answer=answer_of(request, report, self.run, at),
            others=answers_of_others(report, self.run, at),
            witness=witness_of(report, at),
            checkers=() if report.proof is None else report.proof.certified_by,
            findings=tuple(findings),
            fault=fault_of(report, lineage, self.run, at),
        )

    def _teach(self, request: Request, report: Report, lesson: Lesson) -> dict[str, Standing]:
        parents = [parent for parent in request.parents[:1] if parent in self.view and parent != report.address]
        return {parent: self.view.note_lesson(parent, lesson) for parent in parents}

    def _reward(self, report: Report, lesson: Lesson) -> dict[str, Arm]:
        names = sorted({link.transformation for link in report.links})
        return {name: self.view.note_application(name, lesson) for name in names if name in self.view.arms}

    def _adopt(self, request: Request, report: Report, lesson: Lesson) -> Standing:
        """Let the child be a parent, or the parent itself that was asked have its truth."""
        truth = report.proof.truth if report.proof is not None else None
        if report.address in self.view:
            truth = truth or self.view.truth(report.address)
            standing = self.view.note_lesson(report.address, lesson)
        else:
            seconds = (lesson.seconds,) if lesson.is_decided else ()
            size = max(1, report.features.nodes)
            standing = Standing(size=size, queries=1, recent=(lesson.seconds,), decided=seconds)
        self.view.put(report.address, standing, truth)
        if request.job.kind not in _AS_IT_IS:
            self._chooser.follow(report.address if truth is not None else None)
        return standing


def _miss(report: Report) -> str:
    """Why a job led to no query."""
    if report.is_unsupported:
        return "unsupported"
    return "repeated" if report.is_repeated else "inapplicable"


def _news(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """Those that nobody knew of, and that happened twice."""
    return tuple(draft for draft in drafts if draft.known is None and not draft.is_flaky)


def _lesson(report: Report, *, is_kept: bool) -> Lesson:
    assert report.answer is not None
    return Lesson(
        seconds=report.answer.seconds,
        is_decided=report.answer.verdict in _DECIDED,
        new_truths=int(is_kept and report.proof is not None),
        findings=len(_news(report.findings)),
    )


def _signature(draft: Draft) -> str:
    """The same for failures of one solver that say the same apart from numbers."""
    configuration = draft.answer.configuration
    return f"{configuration.solver}@{configuration.version}: {_NUMBERS.sub('N', draft.answer.detail)[:300]}"
