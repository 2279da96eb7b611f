"""What is under way for users: an errand is read, then certified for each of its solvers, then interrogated.

Decided without input or output. `next_step` says what to do next for whom; `absorb`, `lose` and `cancel` say what is to
be stored of it. Reading and certifying goes before everything else, because somebody waits for it; the interrogation
of a neighbourhood takes its share by priority.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from enum import StrEnum
from random import Random
from typing import Final

import msgspec

from backends.answer import Verdict
from daemon.jobs import Draft, Report
from daemon.protocol import Event, Interrogated, Judged, Over, Read, Trust, Unjudged, Unreadable
from knowledge_base.errands import Errand, Happening, Note, Priority, State

SHARES: Final = {Priority.low: 1 / 8, Priority.normal: 1 / 2, Priority.high: 1.0}
MOST_DEATHS: Final = 2
"""So many workers may die over one step."""
MOST_MISSES: Final = 300
"""After so many attempts in a row from which no query came there is nothing more to be had."""
MOST_RELATIVES: Final = 400
TOLD_ONE_BY_ONE: Final = 1000
"""After so many queries only those with findings are told, and one in a hundred."""
_LOST: Final = "the processes that worked on it died again and again; it may be too large"
_TROUBLE: Final = "something of ours went wrong; the log has more (event trouble)"
_WORN_OUT: Final = "no transformation leads to anything new any more"


class Task(StrEnum):
    read = "read"
    certify = "certify"
    interrogate = "interrogate"


class Step(msgspec.Struct, frozen=True):
    """What one job does for an errand. `place` is that of the configuration in the plan."""

    errand: Errand
    task: Task
    number: int
    """The steps of an errand are numbered, so that none is counted twice."""
    place: int = 0


class Undertaking:
    """One errand under way."""

    def __init__(self, errand: Errand, relatives: Iterable[str], at: float) -> None:
        self.errand = errand
        self.relatives = list(relatives)
        """Descendants of the instance that can be parents themselves."""
        done = set(errand.progress.judged)
        self._waiting = deque(place for place in range(len(errand.plan.configurations)) if place not in done)
        self._begun = 0
        self._under_way: set[int] = set()
        self._deaths: Counter[tuple[Task, int]] = Counter()
        self._misses = 0
        self._last = at

    def go_on(self, at: float) -> None:
        """Time that was spent in a pause does not count."""
        self._last = at

    def urgent_step(self) -> Step | None:
        """What somebody waits for."""
        if self.errand.state is State.reading and not self._under_way:
            return self._begin(Task.read)
        if self.errand.state is State.certifying and self._waiting:
            return self._begin(Task.certify, self._waiting.popleft())
        return None

    def step_of_interrogation(self) -> Step:
        return self._begin(Task.interrogate)

    def _begin(self, task: Task, place: int = 0) -> Step:
        self._begun += 1
        self._under_way.add(self._begun)
        return Step(self.errand, task, self._begun, place)

    @property
    def can_interrogate(self) -> bool:
        """Whether one query more is within the budget."""
        budget, progress = self.errand.plan.budget, self.errand.progress
        if self.errand.state is not State.interrogating or budget is None or self._is_used_up():
            return False
        return budget.queries is None or progress.queries + len(self._under_way) < budget.queries

    def _is_used_up(self) -> bool:
        budget, progress = self.errand.plan.budget, self.errand.progress
        if budget is None or self._misses >= MOST_MISSES:
            return True
        is_late = budget.seconds is not None and progress.seconds >= budget.seconds
        return is_late or (budget.queries is not None and progress.queries >= budget.queries)

    # What comes back --------------------------------------------------------------------------------------

    def settle(self, at: float) -> Note | None:
        """What is to be stored where there is nothing left to do, as after a restart at the very end."""
        is_over = self.errand.state is State.interrogating and self._is_used_up()
        return self._note([], at) if is_over else None

    def owes(self, step: Step) -> bool:
        """Whether this step is under way, and not told of yet."""
        return step.number in self._under_way

    def absorb(self, step: Step, report: Report, *, is_kept: bool, at: float) -> Note:
        self._under_way.remove(step.number)
        if report.trouble:
            return self._give_up(step, _TROUBLE, at)
        if step.task is Task.read:
            return self._note(self._read(report), at)
        if step.task is Task.certify:
            return self._note([self._judged(step, report)], at)
        self._pass_time(at)
        return self._note(self._interrogated(report, is_kept=is_kept), at)

    def lose(self, step: Step, at: float) -> Note:
        """The worker has died."""
        self._under_way.remove(step.number)
        self._deaths[step.task, step.place] += 1
        if step.task is not Task.interrogate and self._deaths[step.task, step.place] >= MOST_DEATHS:
            return self._give_up(step, _LOST, at)
        if step.task is Task.certify:
            self._waiting.appendleft(step.place)
        return self._note([], at)

    def end(self, state: State, reason: str, at: float) -> Note:
        return self._noted([], at, state, reason)

    def _give_up(self, step: Step, reason: str, at: float) -> Note:
        if step.task is Task.read:
            return self.end(State.failed, reason, at)
        if step.task is Task.interrogate:
            self._misses += 1
            return self._note([], at)
        self._change(judged=(*self.errand.progress.judged, step.place))
        solver = step.errand.plan.configurations[step.place].label
        return self._note([Unjudged(solver, reason)], at)

    def _read(self, report: Report) -> list[Event]:
        if report.refusal:
            self._set_state(State.refused)
            return [Unreadable(report.refusal)]
        self.errand = msgspec.structs.replace(self.errand, instance=report.address)
        self._set_state(State.certifying)
        features = report.features
        return [Read(report.address, features.fragment, features.clauses, features.predicates)]

    def _judged(self, step: Step, report: Report) -> Event:
        self._change(judged=(*self.errand.progress.judged, step.place), findings=_news(report.findings))
        return judged(report)

    def _interrogated(self, report: Report, *, is_kept: bool) -> list[Event]:
        if report.answer is None:
            self._misses += 1
            return []
        self._misses = 0
        self._change(queries=1, findings=_news(report.findings))
        if is_kept and len(self.relatives) < MOST_RELATIVES and report.address not in self.relatives:
            self.relatives.append(report.address)
        count = self.errand.progress.queries
        is_told = report.findings or count <= TOLD_ONE_BY_ONE or count % 100 == 0
        return [_interrogated(count, report)] if is_told else []

    # Changing ---------------------------------------------------------------------------------------------

    def _pass_time(self, at: float) -> None:
        self._change(seconds=max(0.0, at - self._last))
        self._last = at

    def _change(
        self, *, judged: tuple[int, ...] | None = None, queries: int = 0, seconds: float = 0.0, findings: int = 0
    ) -> None:
        before = self.errand.progress
        progress = msgspec.structs.replace(
            before,
            judged=before.judged if judged is None else judged,
            queries=before.queries + queries,
            seconds=before.seconds + seconds,
            findings=before.findings + findings,
        )
        self.errand = msgspec.structs.replace(self.errand, progress=progress)

    def _set_state(self, state: State) -> None:
        self.errand = msgspec.structs.replace(self.errand, state=state)

    def _note(self, events: list[Event], at: float) -> Note:
        """What is to be stored, and the next state where this one is over."""
        if self.errand.state is State.certifying and not self._waiting and not self._under_way:
            self._set_state(State.interrogating)
            self._last = at
        if self.errand.state is State.interrogating and self._is_used_up() and not self._under_way:
            return self._noted(events, at, State.done, _WORN_OUT if self._misses >= MOST_MISSES else "")
        state = self.errand.state
        return self._noted(events, at, state if state.is_final else None)

    def _noted(self, events: list[Event], at: float, end: State | None, reason: str = "") -> Note:
        if end is not None:
            self._set_state(end)
            progress = self.errand.progress
            events = [*events, Over(end, progress.queries, round(progress.seconds, 3), progress.findings, reason)]
        self.errand, happenings = told(self.errand, events, at)
        return Note(self.errand, happenings)


class Errands:
    """All errands under way."""

    def __init__(self) -> None:
        self._open: dict[str, Undertaking] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, errand: Errand, at: float, relatives: Iterable[str] = ()) -> Note | None:
        """Undertake what is stored; an errand that is under way already goes on as it is."""
        if errand.id in self._open:
            return None
        self._open[errand.id] = Undertaking(errand, relatives, at)
        note = self._open[errand.id].settle(at)
        return None if note is None else self._kept(note)

    def go_on(self, at: float) -> None:
        """After a pause, which takes nothing from any budget."""
        for each in self._open.values():
            each.go_on(at)

    def relatives(self, errand: str) -> list[str]:
        return self._open[errand].relatives

    def next_step(self, rng: Random) -> Step | None:
        """What to do next; None where the hunt has the turn."""
        for each in self._by_priority():
            if (step := each.urgent_step()) is not None:
                return step
        ready = [each for each in self._by_priority() if each.can_interrogate]
        if not ready or rng.random() >= SHARES[ready[0].errand.plan.priority]:
            return None
        alike = [each for each in ready if each.errand.plan.priority is ready[0].errand.plan.priority]
        return rng.choice(alike).step_of_interrogation()

    def _by_priority(self) -> Iterator[Undertaking]:
        """The most pressing first, and of those the oldest."""
        for priority in (Priority.high, Priority.normal, Priority.low):
            yield from (each for each in self._open.values() if each.errand.plan.priority is priority)

    def absorb(self, step: Step, report: Report, *, is_kept: bool, at: float) -> Note | None:
        """What follows from a report; None where the errand has been cancelled meanwhile."""
        each = self._owing(step)
        return None if each is None else self._kept(each.absorb(step, report, is_kept=is_kept, at=at))

    def lose(self, step: Step, at: float) -> Note | None:
        """The same of a step from which no report will come."""
        each = self._owing(step)
        return None if each is None else self._kept(each.lose(step, at))

    def _owing(self, step: Step) -> Undertaking | None:
        each = self._open.get(step.errand.id)
        return each if each is not None and each.owes(step) else None

    def cancel(self, errand: str, reason: str, at: float) -> Note | None:
        each = self._open.get(errand)
        return None if each is None else self._kept(each.end(State.cancelled, reason, at))

    def _kept(self, note: Note) -> Note:
        if note.errand.state.is_final:
            del self._open[note.errand.id]
        return note


def told(errand: Errand, events: Iterable[Event], at: float) -> tuple[Errand, tuple[Happening, ...]]:
    """The events with their numbers, and the errand that knows how many there have been."""
    first = errand.progress.events + 1
    happenings = tuple(
        Happening(number, at, msgspec.json.encode(event).decode()) for number, event in enumerate(events, first)
    )
    progress = msgspec.structs.replace(errand.progress, events=first - 1 + len(happenings))
    return msgspec.structs.replace(errand, progress=progress), happenings


def judged(report: Report) -> Judged:
    """What one solver says, and whether to believe it."""
    answer, proof = report.answer, report.proof
    assert answer is not None
    draft = report.findings[0] if report.findings else None
    return Judged(
        solver=answer.configuration.label,
        verdict=answer.verdict,
        seconds=round(answer.seconds, 3),
        trust=_trust(report, draft),
        truth=None if proof is None else proof.truth,
        certified_by=() if proof is None else proof.certified_by,
        severity=None if draft is None else draft.severity,
        known=None if draft is None else draft.known,
        evidence=report.remark,
    )


def _trust(report: Report, draft: Draft | None) -> Trust:
    if draft is not None and draft.known is None:
        return Trust.wrong
    answer, proof = report.answer, report.proof
    is_certified = answer is not None and proof is not None and answer.verdict is Verdict(proof.truth)
    return Trust.certified if is_certified else Trust.undecided


def _interrogated(count: int, report: Report) -> Interrogated:
    answer = report.answer
    assert answer is not None
    return Interrogated(
        queries=count,
        instance=report.address,
        chain=tuple(link.transformation for link in report.links),
        solver=answer.configuration.label,
        verdict=answer.verdict,
        seconds=round(answer.seconds, 3),
        expected=report.promise,
        truth=None if report.proof is None else report.proof.truth,
        severities=tuple(draft.severity for draft in report.findings),
    )


def _news(drafts: Iterable[Draft]) -> int:
    return sum(draft.known is None and not draft.is_flaky for draft in drafts)
