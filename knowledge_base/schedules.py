"""What to ask next: named, pure strategies.

A schedule is a function of the view and a random generator: the same view and the same state of the generator give
the same choice, and choosing changes nothing in the view. What is chosen is told to the view afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

import msgspec

from chc.witness import Truth
from knowledge_base.energy import Arm, Standing, arm_weights, energy
from knowledge_base.records import Choice
from knowledge_base.view import EVERY_POOL, View


class Limits(msgspec.Struct, frozen=True):
    """Time limits that follow the lineage: a child may take `factor` times as long as its slowest relative.

    A child that needs more is worth a look because it does, and not worth the wait. Where no relative was ever
    decided there is nothing to go by but `first`.
    """

    factor: float = 20.0
    floor: float = 1.0
    ceiling: float = 60.0
    first: float = 10.0

    def of(self, relatives: Iterable[Standing]) -> float:
        slowest = [seconds for each in relatives if (seconds := each.slowest_decided) is not None]
        limit = self.factor * max(slowest) if slowest else self.first
        return min(max(limit, self.floor), self.ceiling)


class Schedule(msgspec.Struct, frozen=True):
    """A way to weigh instances and transformations; what weighs twice as much is chosen twice as often."""

    name: str
    weigh: Callable[[Standing], float]
    weigh_arms: Callable[[list[Arm]], list[float]]
    limits: Limits
    root_share: float = 0.0
    """How often the parent is one of the seeds: the many descendants of a few must not crowd them out."""

    def view(self, takes: Mapping[str, frozenset[Truth | None]]) -> View:
        """An empty view with the weights of this schedule."""
        return View(self.weigh, takes)

    def __call__(self, view: View, rng: Random, among: Sequence[Truth | None] = EVERY_POOL) -> Choice | None:
        """An instance of one of these truths, a transformation that takes it, and a time limit.

        No transformation takes it: then the choice is to ask the instance itself. None where there is no instance.
        """
        drawn = self._draw_root(view, rng, among) or self.draw_instance(view, rng, among)
        if drawn is None:
            return None
        address, share = drawn
        truth = view.truth(address)
        name, name_share = self.draw_transformation(view, rng, view.transformations(truth))
        limit = self.limits.of([view.standing(address)])
        return Choice(self.name, address, truth, share, name, name_share, limit)

    def _draw_root(self, view: View, rng: Random, among: Sequence[Truth | None]) -> tuple[str, float] | None:
        if not self.root_share or rng.random() >= self.root_share:
            return None
        return view.draw_root(rng, among)

    def draw_instance(
        self, view: View, rng: Random, among: Sequence[Truth | None] = EVERY_POOL
    ) -> tuple[str, float] | None:
        """An instance, for instance the partner of a fusion, with the share that it had."""
        if view.weigh is not self.weigh:
            raise ValueError(f"the view was not made by the schedule {self.name}: make it with its method `view`")
        return view.draw(rng, among)

    def draw_transformation(self, view: View, rng: Random, names: Sequence[str]) -> tuple[str | None, float]:
        """One of the transformations, with the share that it had."""
        if not names:
            return None, 1.0
        weights = self.weigh_arms([view.arms[name] for name in names])
        (place,) = rng.choices(range(len(names)), weights)
        return names[place], weights[place] / sum(weights)


def _alike(standing: Standing) -> float:
    return 1.0


def _arms_alike(arms: list[Arm]) -> list[float]:
    return [1.0] * len(arms)


def _small(standing: Standing) -> float:
    return 1.0 / (1.0 + standing.size)


def _large(standing: Standing) -> float:
    return 1.0 + standing.size


_ONE_LIMIT = Limits(factor=0.0, floor=60.0)
"""The same minute for every query, as earlier tools have it."""

UNIFORM = Schedule("uniform", _alike, _arms_alike, _ONE_LIMIT)
"""Every instance and every transformation alike: the baseline of earlier work."""
SIMPLE = Schedule("simple", _small, _arms_alike, _ONE_LIMIT)
COMPLEX = Schedule("complex", _large, _arms_alike, _ONE_LIMIT)
ADAPTIVE = Schedule("adaptive", energy, arm_weights, Limits(), root_share=0.5)
"""Solver seconds go where they pay: see `energy`."""

SCHEDULES: Mapping[str, Schedule] = {each.name: each for each in (UNIFORM, SIMPLE, COMPLEX, ADAPTIVE)}
DEFAULT = ADAPTIVE.name


class UnknownSchedule(Exception):
    """A name of no schedule."""


def schedule_named(name: str) -> Schedule:
    if name not in SCHEDULES:
        raise UnknownSchedule(f"there is no schedule {name}; choose one of: {', '.join(sorted(SCHEDULES))}")
    return SCHEDULES[name]
