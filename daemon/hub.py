"""Events told to whoever wants to hear them, however slowly they listen."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import anyio
import msgspec

from daemon.events import Event, Listener

MOST_WAITING: Final = 1000


class Heard(msgspec.Struct, frozen=True):
    """An event, and how many before it were dropped because nobody took them in time."""

    event: Event
    missed: int


class Subscription:
    """One who listens. No more than `most` events wait for it; of those that are too many the oldest go."""

    def __init__(self, names: frozenset[str], most: int) -> None:
        self._names, self._waiting = names, deque[Event](maxlen=most)
        self._missed = 0
        self._news = anyio.Event()

    def offer(self, event: Event) -> None:
        if self._names and event.name not in self._names:
            return
        self._missed += len(self._waiting) == self._waiting.maxlen
        self._waiting.append(event)
        self._news.set()

    async def next(self) -> Heard:
        while not self._waiting:
            self._news = anyio.Event()
            await self._news.wait()
        missed, self._missed = self._missed, 0
        return Heard(self._waiting.popleft(), missed)


class Hub:
    """A listener that passes every event on: to other listeners at once, to subscribers as they can take it."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = listeners
        self._subscriptions: list[Subscription] = []

    def __call__(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
        for subscription in self._subscriptions:
            subscription.offer(event)

    @contextmanager
    def subscription(self, names: Iterable[str] = (), most: int = MOST_WAITING) -> Iterator[Subscription]:
        subscription = Subscription(frozenset(names), most)
        self._subscriptions.append(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions.remove(subscription)
