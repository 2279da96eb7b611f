"""Where a hunt begins: the embedded corpus, files and directories, brought into the knowledge base."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec

from backends import spacer
from chc.instance import Instance
from chc.witness import proved_by, witness_to_json
from daemon.preparation import features_of
from knowledge_base import instances, truths
from knowledge_base.records import InstanceRecord, Origin, WitnessOrigin, WitnessRecord
from transformations.corpus import corpus
from transformations.known import Known


class Seed(msgspec.Struct, frozen=True):
    """An instance with its name, and with a witness where one is known."""

    name: str
    known: Known


def embedded_seeds() -> list[Seed]:
    return [Seed(each.name, each.known) for each in corpus()]


def seed_of(name: str, instance: Instance) -> Seed:
    """A user's instance; predicates that z3 would confuse with its goals get other names."""
    return Seed(name, Known(spacer.without_goal_names(instance)))


def missing(connection: sqlite3.Connection, seeds: Iterable[Seed]) -> list[Seed]:
    """Those that the knowledge base does not have."""
    return [seed for seed in seeds if not instances.is_known(connection, seed.known.instance.address)]


def add_seed(connection: sqlite3.Connection, seed: Seed, checkers: Sequence[str], at: float) -> None:
    """Store a seed, with its certificate where checkers have called its witness valid."""
    instance = seed.known.instance
    instances.add(
        connection,
        InstanceRecord(instance.text, Origin.seed, seed.name, features_of(instance), added=at),
    )
    if seed.known.witness is not None and checkers:
        data = msgspec.json.encode(witness_to_json(seed.known.witness)).decode()
        truth = proved_by(seed.known.witness)
        record = WitnessRecord(instance.address, truth, data, WitnessOrigin.constructed, at, seed.name)
        truths.settle(connection, record, checkers, at)
