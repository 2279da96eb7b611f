"""The texts and witnesses that jobs start from, at hand for as long as they are popular."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from daemon.jobs import Parent, Report
from knowledge_base import instances, truths
from knowledge_base.store import KnowledgeBase

_MOST: Final = 400


class Parents:
    """A cache before the knowledge base. It also holds children that are on their way into it."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge = knowledge
        self._held: OrderedDict[str, Parent] = OrderedDict()

    def get(self, address: str) -> Parent:
        if address not in self._held:
            self._put(self._read(address))
        self._held.move_to_end(address)
        return self._held[address]

    def hold(self, report: Report) -> None:
        """A child that may be chosen as a parent before it is written."""
        assert report.text is not None
        parent = Parent(report.address, report.text)
        if report.proof is not None:
            parent = Parent(report.address, report.text, report.proof.truth, report.proof.witness)
        self._put(parent)

    def _put(self, parent: Parent) -> None:
        self._held[parent.address] = parent
        self._held.move_to_end(parent.address)
        if len(self._held) > _MOST:
            self._held.popitem(last=False)

    def _read(self, address: str) -> Parent:
        record = self._knowledge.read(instances.get, address)
        assert record is not None, f"{address} is in the view but not in the knowledge base"
        certificate = self._knowledge.read(truths.certificate_of, address)
        if certificate is None:
            return Parent(address, record.text)
        return Parent(address, record.text, certificate.witness.truth, certificate.witness.data)
