"""From a job to the instance that it asks about: parents are read, transformed or generated. Pure, and cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from random import Random
from typing import Final

import msgspec

from chc.script import read_instance
from chc.witness import witness_from_json
from daemon.jobs import Job, Kind, Parent, WireLink
from transformations.catalogue import CATALOGUE
from transformations.generated import random_seed
from transformations.known import Known
from transformations.stack import Link, Trick, extend, random_chain, replay, start
from transformations.transformation import Entry

_MOST_PARENTS: Final = 200


class Library:
    """Parents that were read lately, so that a popular one is not read each time it is chosen."""

    def __init__(self, capacity: int = _MOST_PARENTS) -> None:
        self._capacity = capacity
        self._known: OrderedDict[Parent, Known] = OrderedDict()

    def read(self, parent: Parent) -> Known:
        if parent not in self._known:
            self._known[parent] = _read(parent)
            if len(self._known) > self._capacity:
                self._known.popitem(last=False)
        self._known.move_to_end(parent)
        return self._known[parent]


def _read(parent: Parent) -> Known:
    instance = read_instance(parent.text, parent.address)
    if parent.truth is None or parent.witness is None:
        return Known(instance)
    return Known(instance, witness_from_json(msgspec.json.decode(parent.witness), parent.truth, instance))


def prepare(job: Job, library: Library) -> Trick | None:
    """What the job asks about, with its promise and witness; None where no transformation applies."""
    rng = Random(job.seed)
    if job.kind is Kind.generate:
        return start(random_seed(rng))
    known, *partners = (library.read(parent) for parent in job.parents)
    if job.kind in (Kind.ask, Kind.certify):
        return start(known)
    if job.kind is Kind.enrich:
        known = Known(known.instance)
    trick = _first_link(job, known, partners, rng)
    depth = job.depth - len(trick.links)
    entries = [CATALOGUE[name] for name in job.weights]
    rest = random_chain(trick.known, partners, depth, rng, entries, job.weights)
    joined = Trick(rest.known, rest.promise if rest.links else trick.promise, (*trick.links, *rest.links))
    if job.reorders:
        joined = extend(joined, CATALOGUE["reorder-clauses"], None, rng) or joined
    return joined if joined.links else None


def _first_link(job: Job, known: Known, partners: list[Known], rng: Random) -> Trick:
    """The link that the schedule asked for, if it applies; else none."""
    trick = start(known)
    if job.first is None:
        return trick
    entry: Entry = CATALOGUE[job.first]
    partner = rng.choice(partners) if partners and entry.arity == 2 else None
    return extend(trick, entry, partner, rng) or trick


def to_wire(links: tuple[Link, ...]) -> tuple[WireLink, ...]:
    return tuple(
        WireLink(link.transformation, msgspec.json.encode(link.choice).decode(), link.partner) for link in links
    )


def replay_links(known: Known, partners: Mapping[str, Known], links: tuple[WireLink, ...]) -> Trick:
    """The trick that a recorded chain makes from its parent; `Inapplicable` where it does not fit."""
    read = [Link(link.transformation, msgspec.json.decode(link.choice), link.partner) for link in links]
    return replay(known, partners, read, CATALOGUE)
