"""What to ask next: decided from the view of the knowledge base, the settings and a random generator, nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

import msgspec

from backends.adapter import with_options
from backends.adapters import adapter_of
from backends.answer import Configuration
from backends.options import draw
from chc.witness import Truth
from daemon.errands import Step, Task
from daemon.jobs import Candidate, Job, Kind, Parent, Report
from daemon.settings import Settings
from daemon.shares import Shares
from knowledge_base.errands import Errand
from knowledge_base.records import Choice
from knowledge_base.schedules import schedule_named
from knowledge_base.view import EVERY_POOL, View
from transformations.transformation import Entry as Transformation

_CERTIFIED: Final = (Truth.sat, Truth.unsat)
_ASK_SHARE: Final = 0.5
"""As long as instances wait that nobody has asked yet, so many queries are about them."""
_GENERATE_SHARE: Final = 0.06
_ENRICH_SHARE: Final = 0.05
_WITNESS_SHARE: Final = 0.5
"""How many queries use the options under which every witness can be checked."""
_WARM_SHARE: Final = 0.9
_WARM_SECONDS: Final = 0.5
"""Instances slower than this are asked cold: a warm process gains nothing there."""
_OPTION_SHARE: Final = 0.2
"""How many queries draw options that nobody asked for."""
_KNOWN_TROUBLE_SHARE: Final = 0.05
_KNOWN_TROUBLE_QUERIES: Final = 200
"""At first every witness is looked at that may be known trouble, after so many queries half of them, and so on."""
_REORDER: Final = "reorder-clauses"
_REORDER_SHARE: Final = 0.3
"""How many tricks have their clauses reordered in the end: it costs nothing, and solvers go other ways."""
_FUSION_SHARE: Final = 0.25
_DEEPEST: Final = 6
_DEPTH_QUERIES: Final = 400
"""The stack may grow by one each time the number of queries doubles beyond this."""
_STEPS_BEFORE_RESTART: Final = 100
_ROOT_SHARE: Final = 0.5
"""How often a user's instance itself is the parent when its neighbourhood is interrogated."""


class Request(msgspec.Struct, frozen=True):
    """A job, and the addresses of the parents that have to be put into it."""

    job: Job
    parents: tuple[str, ...]
    choice: Choice | None = None
    step: Step | None = None
    """For which errand of a user it is."""
    suspects: tuple[Configuration, ...] = ()
    """As the user named them, in the order of the candidates."""

    def as_asked(self, report: Report) -> Request:
        """With the candidate in the first place who was asked in the end."""
        suspects = self.suspects[report.asked : report.asked + 1]
        return msgspec.structs.replace(self, job=self.job.put_to(report.asked), suspects=suspects)


class Chooser:
    """The state of choosing: what is known, what waits to be asked, and how far the hunt has come."""

    def __init__(self, settings: Settings, catalogue: Mapping[str, Transformation], rng: Random, done: int) -> None:
        self._settings, self._rng = settings, rng
        self._schedule = schedule_named(settings.schedule)
        self._entries = _permitted(settings, catalogue)
        self.view: View = self._schedule.view({name: _takes(entry) for name, entry in self._entries.items()})
        self.shares = Shares()
        self.done = done
        """How many queries there have been, those of earlier runs included."""
        self._next_id = 0
        self._to_ask: deque[str] = deque()
        self._again: deque[tuple[str, Configuration]] = deque()
        """What a suspect is asked again because its program was replaced."""
        self._opening: deque[tuple[str, Configuration]] = deque()
        """The first round: every certified seed once to every suspect, its clauses in another order."""
        self._last_child: str | None = None
        self._steps = 0

    def ask_new_ones(self) -> None:
        """Put every instance that nobody has asked yet on the list: seeds, of open truth or certified."""
        everything = (address for truth in EVERY_POOL for address in self.view.of_truth(truth))
        new = [address for address in everything if not self.view.standing(address).queries]
        self.open_with(new)

    def open_with(self, addresses: Iterable[str]) -> None:
        """Ask seeds as they are, and those that are certified once of every suspect."""
        new = list(addresses)
        self.ask(new)
        self._extend_opening(new, self._settings.configurations)

    def reconfigure(self, settings: Settings) -> None:
        """Choose by other settings from now on; suspects that are new get a first round of their own."""
        known, self._settings = set(self._settings.configurations), settings
        self._schedule = schedule_named(settings.schedule)
        self.view.weigh_by(self._schedule.weigh)
        self._opening = deque(each for each in self._opening if each[1] in settings.configurations)
        fresh = [each for each in settings.configurations if each not in known]
        self._extend_opening(self.view.roots(), fresh)

    def _extend_opening(self, addresses: Iterable[str], configurations: Sequence[Configuration]) -> None:
        if _REORDER in self._entries:
            certified = [address for address in addresses if self.view.truth(address) is not None]
            opening = [(address, each) for address in certified for each in configurations]
            self._rng.shuffle(opening)
            self._opening.extend(opening)

    def ask(self, addresses: Iterable[str]) -> None:
        """Put instances on the list of those to be asked as they are."""
        self._to_ask.extend(addresses)

    def ask_again(self, questions: Iterable[tuple[str, Configuration]]) -> None:
        """Put instances on the list of those that one suspect is asked as they are."""
        self._again.extend(questions)

    def read(self, name: str, text: str) -> Request:
        """The job that reads a text; nobody is asked."""
        request = self._request(Kind.read, (), None, self._schedule.limits.first)
        job = msgspec.structs.replace(request.job, source=name, is_warm=False, parents=(Parent("", text),))
        return msgspec.structs.replace(request, job=job)

    def follow(self, child: str | None) -> None:
        """The last child, from which the next trick is made where there is no knowledge base to choose from."""
        self._last_child = child
        self._steps = 0 if child is None else self._steps + 1

    def choose(self) -> Request:
        """The next job; there always is one, because seeds can be generated."""
        if self._to_ask and self._rng.random() < _ASK_SHARE:
            return self._ask(self._to_ask.popleft())
        if self._again and self._rng.random() < _ASK_SHARE:
            return self._ask(*self._again.popleft())
        if self._opening and self._rng.random() < _ASK_SHARE:
            return self._open_with(*self._opening.popleft())
        kind = self._rng.random()
        if not len(self.view) or kind < _GENERATE_SHARE:
            return self._generate()
        if kind < _GENERATE_SHARE + _ENRICH_SHARE:
            return self._from_choice(Kind.enrich, self._schedule(self.view, self._rng)) or self._generate()
        choice = self._continue_chain() or self._schedule(self.view, self._rng, _CERTIFIED)
        return self._from_choice(Kind.trick, choice) or self._generate()

    # For users ------------------------------------------------------------------------------------------------

    def serve(self, step: Step, relatives: Sequence[str]) -> Request:
        """The job that takes this step; of the instance and its `relatives` it may choose for an interrogation."""
        errand = step.errand
        if step.task is Task.interrogate:
            request = self._near(errand, [address for address in relatives if address in self.view])
        elif step.task is Task.certify and errand.instance is not None:
            request = self._request(Kind.certify, (errand.instance,), None, errand.plan.seconds)
            request = _put_to(request, Candidate(errand.plan.configurations[step.place]))
            job = msgspec.structs.replace(request.job, limit_seconds=errand.plan.seconds)
            request = msgspec.structs.replace(request, job=job)
        else:
            request = self._request(Kind.read, (), None, errand.plan.seconds)
            job = msgspec.structs.replace(request.job, source=errand.name, is_warm=False)
            request = msgspec.structs.replace(request, job=job)
        return msgspec.structs.replace(request, step=step)

    def _near(self, errand: Errand, relatives: Sequence[str]) -> Request:
        """A child of the instance, or of one of its descendants, every other time."""
        assert errand.instance is not None
        address, share = errand.instance, _ROOT_SHARE if relatives else 1.0
        if relatives and self._rng.random() >= _ROOT_SHARE:
            address, share = self._rng.choice(relatives), (1.0 - _ROOT_SHARE) / len(relatives)
        truth = self.view.truth(address)
        names = self.view.transformations(truth)
        name, name_share = self._schedule.draw_transformation(self.view, self._rng, names)
        limit = min(errand.plan.seconds, self._schedule.limits.of([self.view.standing(address)]))
        choice = Choice("neighbourhood", address, truth, share, name, name_share, limit)
        kind = Kind.enrich if truth is None else Kind.trick
        request = self._from_choice(kind, choice, errand.plan.configurations)
        return request or self._request(Kind.ask, (address,), None, limit, errand.plan.configurations)

    # For the hunt ---------------------------------------------------------------------------------------------

    def _generate(self) -> Request:
        return self._request(Kind.generate, (), None, self._schedule.limits.first)

    def _ask(self, address: str, configuration: Configuration | None = None) -> Request:
        if address not in self.view:
            return self.choose()
        request = self._request(Kind.ask, (address,), None, self._schedule.limits.first)
        return request if configuration is None else _put_to(request, Candidate(configuration))

    def _open_with(self, address: str, configuration: Configuration) -> Request:
        if address not in self.view:
            return self.choose()
        limit = self._schedule.limits.of([self.view.standing(address)])
        request = self._request(Kind.trick, (address,), None, limit)
        request = _put_to(request, self._candidate(configuration, Kind.trick, (address,)), configuration)
        job = msgspec.structs.replace(request.job, first=_REORDER, depth=1, reorders=False)
        return msgspec.structs.replace(request, job=job)

    def _continue_chain(self) -> Choice | None:
        """Without the knowledge base: the last child, until it is time to begin again from a seed."""
        address = self._last_child
        if self._settings.switches.knowledge_base or address is None:
            return None
        if address not in self.view or self._steps >= _STEPS_BEFORE_RESTART:
            self.follow(None)
            return None
        truth = self.view.truth(address)
        name, share = self._schedule.draw_transformation(self.view, self._rng, self.view.transformations(truth))
        limit = self._schedule.limits.of([self.view.standing(address)])
        return Choice("last-child", address, truth, 1.0, name, share, limit)

    def _from_choice(self, kind: Kind, choice: Choice | None, among: Sequence[Configuration] = ()) -> Request | None:
        if choice is None or choice.transformation is None:
            return None
        self.view.note_pick(choice.instance)
        parents = [choice.instance]
        if self._rng.random() < _FUSION_SHARE or self._entries[choice.transformation].arity == 2:
            partner = self._schedule.draw_instance(self.view, self._rng, _CERTIFIED)
            if partner is not None:
                parents.append(partner[0])
        return self._request(kind, tuple(parents), choice, choice.limit_seconds, among)

    def _request(
        self,
        kind: Kind,
        parents: tuple[str, ...],
        choice: Choice | None,
        limit: float,
        among: Sequence[Configuration] = (),
    ) -> Request:
        self._next_id += 1
        suspects = self.shares.order(among or self._settings.configurations, self._rng)
        first, *others = (self._candidate(each, kind, parents) for each in suspects)
        job = Job(
            self._next_id,
            kind,
            seed=self._rng.getrandbits(48),
            configuration=first.configuration,
            limit_seconds=min(limit, self._settings.ceiling_seconds),
            memory_mb=self._settings.memory_mb,
            depth=self._depth(),
            first=None if choice is None else choice.transformation,
            weights=self._weights(),
            is_warm=first.is_warm,
            drawn=first.drawn,
            substitutes=tuple(others),
            reorders=_REORDER in self._entries and self._rng.random() < _REORDER_SHARE,
            examines_known_trouble=self._rng.random() < self._known_trouble_share(),
        )
        return Request(job, parents, choice, suspects=tuple(suspects))

    def _candidate(self, suspect: Configuration, kind: Kind, parents: tuple[str, ...]) -> Candidate:
        """How a suspect is asked: as it was named, or so that every witness can be checked; warm or cold."""
        adapter = adapter_of(suspect)
        is_for_witnesses = kind is Kind.ask or self._rng.random() < _WITNESS_SHARE
        configuration = adapter.for_witnesses(suspect) if is_for_witnesses else suspect
        if self._settings.switches.options and kind is not Kind.ask and self._rng.random() < _OPTION_SHARE:
            given = dict(configuration.options)
            drawn = draw(adapter.option_space(suspect.version), given, adapter.seed_option, self._rng)
            # Asked cold: a warm process that nobody asks again is only in the way of others.
            return Candidate(with_options(configuration, {**given, **dict(drawn)}), drawn=tuple(dict(drawn)))
        return Candidate(configuration, self._is_warm(configuration, parents))

    def _depth(self) -> int:
        """From one upwards, as the hunt goes on."""
        most = min(_DEEPEST, 1 + (self.done // _DEPTH_QUERIES).bit_length())
        return self._rng.randint(1, most)

    def _known_trouble_share(self) -> float:
        return max(_KNOWN_TROUBLE_SHARE, _KNOWN_TROUBLE_QUERIES / (_KNOWN_TROUBLE_QUERIES + self.done))

    def _weights(self) -> dict[str, float]:
        names = list(self._entries)
        return dict(zip(names, self._schedule.weigh_arms([self.view.arms[name] for name in names]), strict=True))

    def _is_warm(self, configuration: Configuration, parents: tuple[str, ...]) -> bool:
        adapter = adapter_of(configuration)
        if configuration.version.startswith("path:") or adapter.warm(configuration) is None:
            return False  # of a program given by its path, nobody knows whether it serves more than one query
        is_slow = not adapter.starts_slowly and any(
            self.view.standing(parent).median_seconds > _WARM_SECONDS for parent in parents
        )
        return not is_slow and self._rng.random() < _WARM_SHARE


def _put_to(request: Request, candidate: Candidate, suspect: Configuration | None = None) -> Request:
    """The request to this one and nobody else."""
    job = msgspec.structs.replace(
        request.job,
        configuration=candidate.configuration,
        is_warm=candidate.is_warm,
        drawn=candidate.drawn,
        substitutes=(),
    )
    return msgspec.structs.replace(request, job=job, suspects=(suspect or candidate.configuration,))


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
