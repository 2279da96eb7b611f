"""What a schedule sees: every instance with its standing and truth, every transformation with its history.

It lives in memory and is kept up to date change by change, so that choosing among ten thousand instances costs
microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from chc.witness import Truth
from knowledge_base.energy import Arm, Lesson, Standing, missed, picked, rewarded, taught
from knowledge_base.sum_tree import SumTree

Weigh = Callable[[Standing], float]
EVERY_POOL: Sequence[Truth | None] = (Truth.sat, Truth.unsat, None)
"""Certified sat, certified unsat, and of open truth."""


class Pool:
    """Instances of one truth with their weights; adding, removing, changing and drawing take logarithmic time."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.weights = SumTree()
        self._places: dict[str, int] = {}

    def put(self, address: str, weight: float) -> None:
        place = self._places.setdefault(address, len(self.addresses))
        if place == len(self.addresses):
            self.addresses.append(address)
            self.weights.append(weight)
        else:
            self.weights[place] = weight

    def drop(self, address: str) -> None:
        """Remove an instance; the last one takes its place."""
        place = self._places.pop(address)
        last, weight = self.addresses.pop(), self.weights.pop()
        if last != address:
            self.addresses[place], self.weights[place], self._places[last] = last, weight, place

    def weight(self, address: str) -> float:
        return self.weights[self._places[address]]


class View:
    """The state on which schedules decide. The weights are those of one schedule, which gives `weigh`."""

    def __init__(self, weigh: Weigh, takes: Mapping[str, frozenset[Truth | None]]) -> None:
        """`takes` says for each transformation the truths of parents that it can be applied to."""
        self.weigh = weigh
        self.arms: dict[str, Arm] = {name: Arm() for name in takes}
        self._takes = {truth: tuple(name for name in takes if truth in takes[name]) for truth in EVERY_POOL}
        self._pools: dict[Truth | None, Pool] = {truth: Pool() for truth in EVERY_POOL}
        self._roots: dict[Truth | None, list[str]] = {truth: [] for truth in EVERY_POOL}
        self._standings: dict[str, Standing] = {}
        self._truths: dict[str, Truth | None] = {}

    def __len__(self) -> int:
        return len(self._standings)

    def __contains__(self, address: str) -> bool:
        return address in self._standings

    def standing(self, address: str) -> Standing:
        return self._standings[address]

    def truth(self, address: str) -> Truth | None:
        return self._truths[address]

    def of_truth(self, truth: Truth | None) -> list[str]:
        """The addresses of all instances of this truth."""
        return list(self._pools[truth].addresses)

    def transformations(self, truth: Truth | None) -> Sequence[str]:
        """The names of those that take a parent of this truth."""
        return self._takes[truth]

    def energies(self) -> dict[str, float]:
        """The weight of every instance; eviction starts with the lowest."""
        return {address: self._pools[truth].weight(address) for address, truth in self._truths.items()}

    def add_root(self, address: str) -> None:
        """Tell that an instance of the view is a seed, from which families of others begin."""
        self._roots[self._truths[address]].append(address)

    def roots(self) -> list[str]:
        """The seeds that are still there."""
        return [address for pool in self._roots.values() for address in pool if address in self]

    def weigh_by(self, weigh: Weigh) -> None:
        """Go on with the weights of another schedule."""
        self.weigh = weigh
        for address, truth in self._truths.items():
            self._pools[truth].put(address, weigh(self._standings[address]))

    def draw_root(self, rng: Random, among: Sequence[Truth | None] = EVERY_POOL) -> tuple[str, float] | None:
        """A seed of these truths by its weight, with the share that it had; None where there is none."""
        roots = [(address, truth) for truth in among for address in self._roots[truth] if address in self]
        if not roots:
            return None
        weights = [self._pools[truth].weight(address) for address, truth in roots]
        (place,) = rng.choices(range(len(roots)), weights)
        return roots[place][0], weights[place] / sum(weights)

    def put(self, address: str, standing: Standing, truth: Truth | None) -> None:
        """Add an instance, or replace what is known of it."""
        if address in self and self._truths[address] is not truth and address in self._roots[self._truths[address]]:
            self._roots[self._truths[address]].remove(address)
            self._roots[truth].append(address)
        if address in self and self._truths[address] is not truth:
            self._pools[self._truths[address]].drop(address)
        self._standings[address], self._truths[address] = standing, truth
        self._pools[truth].put(address, self.weigh(standing))

    def drop(self, address: str) -> None:
        self._pools[self._truths.pop(address)].drop(address)
        del self._standings[address]

    def draw(self, rng: Random, among: Sequence[Truth | None] = EVERY_POOL) -> tuple[str, float] | None:
        """An instance of these truths by its weight, with the share that it had; None where there is none."""
        pools = [self._pools[truth] for truth in among]
        total = sum(pool.weights.total for pool in pools)
        point = rng.random() * total
        for pool in pools:
            if point < pool.weights.total:
                place = pool.weights.find(point)
                return pool.addresses[place], pool.weights[place] / total
            point -= pool.weights.total
        return self._last(pools, total)

    def _last(self, pools: Sequence[Pool], total: float) -> tuple[str, float] | None:
        """Where rounding led past the end of the last pool."""
        pool = next((pool for pool in reversed(pools) if pool.weights.total > 0.0), None)
        if pool is None:
            return None
        place = pool.weights.find(pool.weights.total)
        return pool.addresses[place], pool.weights[place] / total

    def note_pick(self, address: str) -> Standing:
        """Tell that an instance was chosen; returns its new standing, to be stored."""
        self.put(address, picked(self._standings[address]), self._truths[address])
        return self._standings[address]

    def note_lesson(self, address: str, lesson: Lesson) -> Standing:
        """Tell what a query from an instance gave; returns its new standing, to be stored."""
        self.put(address, taught(self._standings[address], lesson), self._truths[address])
        return self._standings[address]

    def note_application(self, name: str, lesson: Lesson | None) -> Arm:
        """Tell what a transformation led to, None where it did not apply; returns its new history, to be stored."""
        arm = self.arms[name]
        self.arms[name] = missed(arm) if lesson is None else rewarded(arm, lesson)
        return self.arms[name]
