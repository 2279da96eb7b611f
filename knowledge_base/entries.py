"""Everything that one query taught, as one entry and one transaction."""

from __future__ import annotations

import sqlite3

import msgspec

from knowledge_base import answers, counters, errands, faults, findings, instances, standings, truths
from knowledge_base.energy import Arm, Standing
from knowledge_base.errands import Note
from knowledge_base.records import AnswerRecord, Finding, InstanceRecord, OwnFault, WitnessRecord


class Entry(msgspec.Struct, frozen=True):
    """What is to be stored together. Findings get the keys of the answers and of the certificate in it."""

    instance: InstanceRecord | None = None
    answer: AnswerRecord | None = None
    others: tuple[AnswerRecord, ...] = ()
    """Answers of other configurations, which some of the findings are about."""
    witness: WitnessRecord | None = None
    checkers: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    fault: OwnFault | None = None
    counts: dict[str, int | float] = {}
    standings: dict[str, Standing] = {}
    arms: dict[str, Arm] = {}
    notes: tuple[Note, ...] = ()
    """What it means for errands; they get the keys of the findings as well."""
    at: float = 0.0


def store(connection: sqlite3.Connection, entry: Entry) -> list[str]:
    """Store the entry; returns the keys of its findings."""
    if entry.instance is not None:
        instances.add(connection, entry.instance)
    answer = None if entry.answer is None else answers.record(connection, entry.answer)
    keys_of_others = {each.answer.configuration: answers.record(connection, each) for each in entry.others}
    certificate = None
    if entry.witness is not None:
        certificate = truths.settle(connection, entry.witness, entry.checkers, entry.at)
    keys = []
    for finding in entry.findings:
        key = keys_of_others.get(finding.configuration, answer)
        complete = msgspec.structs.replace(finding, answer=key, certificate=certificate)
        keys.append(findings.record(connection, complete))
    if entry.fault is not None:
        faults.record(connection, entry.fault)
    if entry.counts:
        counters.count(connection, entry.counts)
    for address, standing in entry.standings.items():
        standings.save_standing(connection, address, standing)
    for name, arm in entry.arms.items():
        standings.save_arm(connection, name, arm)
    for note in entry.notes:
        errands.record(connection, note, keys)
    return keys
