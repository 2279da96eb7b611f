"""What a hunt does beside asking: looks again at open questions, and keeps the knowledge base within its bounds."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Final

import anyio
import msgspec

from backends.examination import Examiner
from backends.smt_checker import CHECKERS
from daemon.case import open_case
from daemon.core import Core
from daemon.events import Evicted, Listener, Resolved
from daemon.resolution import look_again
from daemon.suspicion import Suspicion, recalled
from knowledge_base import findings
from knowledge_base.eviction import bytes_used, evict
from knowledge_base.records import Status
from knowledge_base.store import KnowledgeBase

_SECONDS: Final = 30.0
_DISPLACED: Final = "stronger suspicions have taken its place"


class Upkeep:
    """Works every half minute, and once more when a suspicion takes the place of a weaker one."""

    def __init__(self, knowledge: KnowledgeBase, core: Core, listener: Listener) -> None:
        self._knowledge, self._core, self._listener = knowledge, core, listener
        self.stable = anyio.Lock(fast_acquire=True)
        """Held while instances are evicted; whoever holds it finds in the knowledge base what is in the view."""
        self._suspected: dict[Suspicion, str] = {}
        self._looked_at: set[str] = set()

    def recall(self) -> None:
        """At the beginning: the suspicions that are kept already, and what is to be asked again."""
        for stored in self._knowledge.read(findings.select, status=Status.open):
            suspicion = recalled(stored.finding)
            if suspicion is not None:
                self._suspected[suspicion] = stored.key
                self._core.suspicions.offer(suspicion)
        unresolved = self._knowledge.read(findings.select, status=Status.unresolved)
        self._core.ask(dict.fromkeys(stored.finding.instance for stored in unresolved))

    async def run(self) -> None:
        while True:
            await anyio.sleep(_SECONDS)
            await self.resolve()
            await self.evict()

    async def exchange(self, suspicion: Suspicion, key: str, weaker: Iterable[Suspicion]) -> None:
        """Note a new suspicion, and dismiss those that it has displaced."""
        self._suspected[suspicion] = key
        for each in weaker:
            stored = self._knowledge.read(findings.find, self._suspected.pop(each))
            finding = msgspec.structs.replace(stored.finding, status=Status.dismissed, reason=_DISPLACED)
            await self._knowledge.write(findings.revise, stored.key, finding, time.time())

    async def resolve(self) -> None:
        """Look again at unresolved findings whose truth has turned up, once in each run."""
        ripe = [each for each in self._knowledge.read(findings.resolvable) if each.key not in self._looked_at]
        if not ripe:
            return
        async with Examiner(CHECKERS) as examiner:
            for stored in ripe:
                self._looked_at.add(stored.key)
                finding = await look_again(self._knowledge.read(open_case, stored.key), examiner)
                if finding is not None:
                    await self._knowledge.write(findings.revise, stored.key, finding, time.time())
                    self._listener(Resolved(stored.key, finding.status, finding.severity))

    async def evict(self) -> None:
        """Drop what is worth least once the budget is used up; what jobs under way start from goes last."""
        budget = self._core.settings.budget_bytes
        if self._knowledge.read(bytes_used) <= budget:
            return
        async with self.stable:
            energies = {**self._core.view.energies(), **dict.fromkeys(self._core.in_use(), math.inf)}
            gone = await self._knowledge.write(evict, budget, energies)
            for address in gone.dropped:
                self._core.forget(address)
        self._listener(Evicted(len(gone.dropped), gone.problem))
