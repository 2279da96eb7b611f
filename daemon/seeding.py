"""Where a hunt begins: the embedded corpus, files and directories, brought into the knowledge base."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence

import anyio
import msgspec

from backends.examination import Examiner, Standing
from backends.smt_checker import CHECKERS
from backends.spacer import SPACER
from chc.instance import Instance
from chc.witness import proved_by, witness_to_json
from daemon.events import DoubtfulSeed, Listener, Seeds
from daemon.features import features_of
from knowledge_base import instances, truths
from knowledge_base.records import InstanceRecord, Origin, WitnessOrigin, WitnessRecord
from knowledge_base.store import KnowledgeBase
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
    return Seed(name, Known(SPACER.spelled(instance)))


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


async def bring_in(knowledge: KnowledgeBase, seeds: Iterable[Seed], at_once: int, listener: Listener) -> None:
    """Store the seeds that are new. Those with a witness are certified on the way in; the others will be asked."""
    new = knowledge.read(missing, seeds)
    if not new:
        return
    listener(Seeds(len(new)))
    limiter = anyio.CapacityLimiter(at_once)

    async def bring(seed: Seed) -> None:
        async with limiter:
            checkers = await _certify(seed, examiner, listener)
            await knowledge.write(add_seed, seed, checkers, time.time())

    async with Examiner(CHECKERS, at_once) as examiner, anyio.create_task_group() as group:
        for seed in new:
            group.start_soon(bring, seed)


async def _certify(seed: Seed, examiner: Examiner, listener: Listener) -> tuple[str, ...]:
    if seed.known.witness is None:
        return ()
    found = await examiner.examine(seed.known.instance, seed.known.witness)
    if found.standing is not Standing.valid:
        listener(DoubtfulSeed(seed.name, found.reason))
    return found.certified_by
