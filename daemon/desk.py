"""Where errands cross between users, the hunt and the disk: whatever changes is stored first and told then."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

import msgspec

from daemon.errands import MOST_RELATIVES, Errands, Step, told
from daemon.events import Happening, Listener
from daemon.jobs import Parent
from daemon.protocol import Accepted
from knowledge_base import errands
from knowledge_base.errands import Errand, Note
from knowledge_base.store import KnowledgeBase

MOST_OPEN: Final = 200
"""So many errands may be open at the same time."""
MOST_OWN: Final = 50
"""So many of them may be one user's."""


class Desk:
    """Takes errands, and keeps what becomes of them."""

    def __init__(self, knowledge: KnowledgeBase, under_way: Errands, listener: Listener) -> None:
        self._knowledge, self._under_way, self._listener = knowledge, under_way, listener

    async def take(self, errand: Errand, text: str) -> None:
        """Undertake a new errand, once it is on the disk; `TooManyErrands` where it is not taken."""
        labels = tuple(each.label for each in errand.plan.configurations)
        errand, happenings = told(errand, [Accepted(labels)], errand.submitted)
        note = Note(errand, happenings)
        await self._knowledge.write(errands.take, note, text, MOST_OPEN, MOST_OWN)
        self.tell([note])
        self._under_way.add(errand, time.time())

    async def restore(self) -> None:
        """Go on with what was open when the daemon stopped."""
        for errand in self._knowledge.read(errands.still_open):
            relatives: list[str] = []
            if errand.instance is not None:
                relatives = self._knowledge.read(errands.descendants, errand.instance, MOST_RELATIVES)
            await self.keep(self._under_way.add(errand, time.time(), relatives))

    async def cancel(self, errand: str, reason: str) -> bool:
        """Whether it was under way."""
        note = self._under_way.cancel(errand, reason, time.time())
        await self.keep(note)
        return note is not None

    async def lose(self, step: Step | None) -> None:
        """No report will come of this step, if it is one of an errand."""
        if step is not None:
            await self.keep(self._under_way.lose(step, time.time()))

    async def keep(self, *notes: Note | None) -> None:
        """Store what did not come with anything else, and tell it."""
        for note in notes:
            if note is not None:
                await self._knowledge.write(errands.record, note)
                self.tell([note])

    def tell(self, notes: Iterable[Note]) -> None:
        for note in notes:
            for each in note.happenings:
                event = msgspec.json.decode(each.data, type=dict[str, object])
                happening = str(event.pop("event"))
                self._listener(Happening(note.errand.id, each.number, happening, event))

    def parent(self, step: Step) -> Parent:
        """What was submitted, to be read."""
        return Parent("", self._knowledge.read(errands.text_of, step.errand.id))
