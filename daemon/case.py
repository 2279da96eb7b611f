"""A finding with everything that belongs to it, gathered from the knowledge base."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec

from chc.instance import Instance
from chc.script import read_instance
from chc.witness import Truth, Witness, witness_from_json
from daemon.jobs import WireLink
from knowledge_base import answers, findings, instances, truths
from knowledge_base.records import AnswerRecord, CertificateRecord, InstanceRecord, Lineage, StoredFinding
from transformations.known import Known


class Ancestor(msgspec.Struct, frozen=True):
    """A parent of the instance, with the certificate that transformations may have looked at."""

    record: InstanceRecord
    certificate: CertificateRecord | None

    @property
    def known(self) -> Known:
        instance = read_instance(self.record.text, self.record.address)
        return Known(instance, None if self.certificate is None else _witness(self.certificate, instance))


class Case(msgspec.Struct, frozen=True):
    """What is needed to show, to replay and to export a finding."""

    stored: StoredFinding
    record: InstanceRecord
    certificate: CertificateRecord | None
    answer: AnswerRecord | None
    ancestors: tuple[Ancestor, ...]
    history: tuple[str, ...] = ()
    """The name of the seed, and the transformations that led from it to the first ancestor."""

    @property
    def instance(self) -> Instance:
        return read_instance(self.record.text, self.record.address)

    def witness(self, instance: Instance) -> Witness | None:
        return None if self.certificate is None else _witness(self.certificate, instance)

    @property
    def truth(self) -> Truth | None:
        return None if self.certificate is None else self.certificate.witness.truth

    @property
    def lineage(self) -> Lineage | None:
        return self.stored.finding.lineage

    @property
    def links(self) -> tuple[WireLink, ...]:
        chain = () if self.lineage is None else self.lineage.chain
        return tuple(WireLink(link.transformation, bytes(link.choice).decode(), link.partner) for link in chain)


def _witness(certificate: CertificateRecord, instance: Instance) -> Witness:
    return witness_from_json(msgspec.json.decode(certificate.witness.data), certificate.witness.truth, instance)


def open_case(connection: sqlite3.Connection, prefix: str) -> Case:
    """The finding whose key begins like this; `UnknownFinding` where there is none, or more than one."""
    stored = findings.find(connection, prefix)
    record = instances.get(connection, stored.finding.instance)
    assert record is not None
    lineage = stored.finding.lineage
    return Case(
        stored,
        record,
        truths.certificate_of(connection, record.address),
        _answer(answers.answers_of(connection, record.address), stored),
        tuple(_ancestor(connection, address) for address in (() if lineage is None else lineage.parents)),
        () if lineage is None or not lineage.parents else _history(connection, lineage.parents[0]),
    )


def _history(connection: sqlite3.Connection, address: str) -> tuple[str, ...]:
    """Back along the first parents, to where it began."""
    steps: list[str] = []
    seen = {address}
    while True:
        record = instances.get(connection, address)
        assert record is not None
        if record.lineage is None or not record.lineage.parents or record.lineage.parents[0] in seen:
            return (record.source or f"{record.origin} {address[:12]}", *steps)
        steps[:0] = [link.transformation for link in record.lineage.chain]
        address = record.lineage.parents[0]
        seen.add(address)


def _answer(given: Sequence[AnswerRecord], stored: StoredFinding) -> AnswerRecord | None:
    """The answer that the finding is about: the last one of its configuration at its time."""
    fitting = [each for each in given if each.answer.configuration == stored.finding.configuration]
    same = [each for each in fitting if each.at == stored.finding.at]
    return (same or fitting)[-1] if fitting else None


def _ancestor(connection: sqlite3.Connection, address: str) -> Ancestor:
    record = instances.get(connection, address)
    assert record is not None
    return Ancestor(record, truths.certificate_of(connection, address))
