"""Several transformations one after the other, recorded so that the same trick can be made again.

Each takes what the one before it promises. Where a witness got lost on the way, the promise stands, and goes on with
transformations that need no witness; an instance of open truth promises nothing, and may be changed in any way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

import msgspec

from chc.instance import Instance
from chc.terms import subterms
from chc.witness import Truth
from transformations.known import Inapplicable, Known
from transformations.transformation import Entry, Made, Parents, Site

Catalogue = Mapping[str, Entry]
Partners = Mapping[str, Known]
"""Instances to fuse with, by their content address."""


class Link(msgspec.Struct, frozen=True):
    """One transformation as it was applied: its name, its choice as plain data, the partner of a fusion."""

    transformation: str
    choice: object
    partner: str | None = None


class Trick(msgspec.Struct, frozen=True):
    """Where a chain has led: an instance, its promised truth, and the links from the parent to it."""

    known: Known
    promise: Truth | None
    links: tuple[Link, ...] = ()


class Size(msgspec.Struct, frozen=True):
    """How large a child may become; larger ones are not made into tricks."""

    nodes: int = 20_000
    clauses: int = 2_000

    def admits(self, instance: Instance) -> bool:
        if len(instance.clauses) > self.clauses:
            return False
        roots = (term for clause in instance.clauses for term in clause.terms)
        return all(number < self.nodes for number, _ in enumerate(subterms(roots)))


DEFAULT_SIZE: Final = Size()


def start(known: Known) -> Trick:
    """The chain without a link."""
    return Trick(known, known.truth)


def applicable(
    known: Known, entries: Iterable[Entry], partner: Known | None = None
) -> list[tuple[Entry, Sequence[Site]]]:
    """The transformations that promise something here, or anything where the truth is open, with their sites."""
    found = []
    trick = start(known)
    for entry in entries:
        parents = _parents(trick, entry, partner)
        if parents is not None and (sites := entry.sites(parents)):
            found.append((entry, sites))
    return found


def _parents(trick: Trick, entry: Entry, partner: Known | None) -> Parents | None:
    """What the entry starts from; None where it may not be applied."""
    if entry.arity == 2 and partner is None:
        return None
    if entry.needs_witness and trick.known.witness is None:
        return None
    parents = [trick.known] if partner is None or entry.arity == 1 else [trick.known, partner]
    return None if trick.promise is not None and promise_after(trick, entry, parents) is None else parents


def promise_after(trick: Trick, entry: Entry, parents: Parents) -> Truth | None:
    """What the entry promises if it is applied to the trick."""
    promised = entry.promise(parents)
    if promised is None and trick.known.witness is None and entry.arity == 1 and trick.promise in entry.takes:
        return trick.promise
    return promised


def extend(trick: Trick, entry: Entry, partner: Known | None, rng: Random, size: Size = DEFAULT_SIZE) -> Trick | None:
    """The trick with one more link at a random site; None where there is none, or the child is nothing new."""
    parents = _parents(trick, entry, partner)
    sites = () if parents is None else entry.sites(parents)
    if parents is None or not sites:
        return None
    try:
        made = entry.attempt(parents, rng.choice(sites), rng)
    except Inapplicable:
        return None
    if made is None or made.child.instance == trick.known.instance or not size.admits(made.child.instance):
        return None
    return _linked(trick, entry, parents, made)


def _linked(trick: Trick, entry: Entry, parents: Parents, made: Made) -> Trick:
    partner = parents[1].instance.address if entry.arity == 2 else None
    link = Link(entry.name, made.choice, partner)
    return Trick(made.child, promise_after(trick, entry, parents), (*trick.links, link))


def random_chain(
    known: Known,
    partners: Sequence[Known],
    depth: int,
    rng: Random,
    entries: Sequence[Entry],
    weights: Mapping[str, float] | None = None,
    size: Size = DEFAULT_SIZE,
) -> Trick:
    """A chain of `depth` links, or of as many as can be found, by entries of weight 1 unless told otherwise."""
    trick = start(known)
    for _ in range(depth):
        for entry in _weighted_order(entries, weights or {}, rng):
            partner = rng.choice(partners) if partners and entry.arity == 2 else None
            longer = extend(trick, entry, partner, rng, size)
            if longer is not None:
                trick = longer
                break
        else:
            break
    return trick


def _weighted_order(entries: Sequence[Entry], weights: Mapping[str, float], rng: Random) -> list[Entry]:
    """All entries of positive weight; an entry of twice the weight comes first twice as often."""
    keyed = [(rng.random() ** (1 / weight), entry) for entry in entries if (weight := weights.get(entry.name, 1.0)) > 0]
    return [entry for _, entry in sorted(keyed, key=lambda pair: pair[0], reverse=True)]


def replay(known: Known, partners: Partners, links: Iterable[Link], catalogue: Catalogue) -> Trick:
    """The trick that the links make from this parent; `Inapplicable` where one of them does not fit.

    From the parent of the recorded chain comes the recorded trick, byte by byte. From a changed one, or by some of
    the links only, comes another one that keeps its promises all the same.
    """
    trick = start(known)
    for link in links:
        entry = catalogue.get(link.transformation)
        if entry is None:
            raise Inapplicable(f"the catalogue has no {link.transformation}")
        trick = _repeat(trick, entry, link, partners)
    return trick


def _repeat(trick: Trick, entry: Entry, link: Link, partners: Partners) -> Trick:
    partner = None if link.partner is None else partners.get(link.partner)
    parents = _parents(trick, entry, partner)
    if parents is None:
        raise Inapplicable(f"{entry.name} promises nothing here, or lacks a witness or a partner")
    return _linked(trick, entry, parents, entry.repeat(parents, link.choice))
