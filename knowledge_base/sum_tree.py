"""Weighted sampling with weights that change: both in logarithmic time, and without rounding errors that grow."""

from __future__ import annotations


class SumTree:
    """Weights at positions 0, 1, 2… as the leaves of a binary tree whose inner nodes hold the sums below them.

    Sums are formed anew on the way up instead of being corrected by differences, so they never drift.
    """

    def __init__(self) -> None:
        self._capacity = 1
        self._sums = [0.0, 0.0]
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def total(self) -> float:
        return self._sums[1]

    def __getitem__(self, position: int) -> float:
        return self._sums[self._capacity + position]

    def __setitem__(self, position: int, weight: float) -> None:
        sums = self._sums
        node = self._capacity + position
        sums[node] = weight
        while node > 1:
            node >>= 1
            sums[node] = sums[2 * node] + sums[2 * node + 1]

    def append(self, weight: float) -> None:
        if self._length == self._capacity:
            self._grow()
        self._length += 1
        self[self._length - 1] = weight

    def pop(self) -> float:
        """Remove the last position; returns its weight."""
        weight = self[self._length - 1]
        self[self._length - 1] = 0.0
        self._length -= 1
        return weight

    def find(self, point: float) -> int:
        """The position at which the running sum of the weights passes the point, which lies in [0, total)."""
        sums = self._sums
        node = 1
        while node < self._capacity:
            node *= 2
            # The second condition keeps a point that rounding pushed to the end away from empty leaves.
            if point >= sums[node] and sums[node + 1] > 0.0:
                point -= sums[node]
                node += 1
        return node - self._capacity

    def _grow(self) -> None:
        weights = self._sums[self._capacity :]
        self._capacity *= 2
        self._sums = [0.0] * self._capacity + weights + [0.0] * (self._capacity - len(weights))
        for node in range(self._capacity - 1, 0, -1):
            self._sums[node] = self._sums[2 * node] + self._sums[2 * node + 1]
