"""Chains of transformations: recorded, replayed exactly, and replayed on something else."""

from random import Random

import msgspec
import pytest

from chc.instance import Instance
from chc.script import read_instance
from chc.witness import Truth, Witness
from tests.transformations.brute_force import random_tiny_instance, solve, witness_holds
from transformations.fusion import FUSIONS
from transformations.known import Inapplicable, Known
from transformations.sat_plug import ClauseChoice
from transformations.sat_to_sat import SAT_TO_SAT
from transformations.stack import Link, Size, Trick, applicable, extend, random_chain, replay, start
from transformations.transformation import Entry, Parents
from transformations.unsat_plug import PlugBottomRhs
from transformations.unsat_to_unsat import UNSAT_TO_UNSAT

ENTRIES: tuple[Entry, ...] = (*SAT_TO_SAT, *UNSAT_TO_UNSAT, *FUSIONS)
CATALOGUE = {entry.name: entry for entry in ENTRIES}
PARTNERS = [solve(random_tiny_instance(Random(seed))) for seed in range(1000, 1006)]
BY_ADDRESS = {partner.instance.address: partner for partner in PARTNERS}


def chain(seed: int, depth: int, entries: tuple[Entry, ...] = ENTRIES) -> tuple[Known, Trick]:
    rng = Random(seed)
    known = solve(random_tiny_instance(rng))
    return known, random_chain(known, PARTNERS, depth, rng, entries)


@pytest.mark.parametrize("seed", range(25))
def test_a_chain_keeps_its_promise_and_is_replayed_byte_by_byte(seed: int) -> None:
    """Truth by brute force, the witness that came all the way, and the same text from the stored links."""
    known, trick = chain(seed, depth=4)
    assert trick.promise is solve(trick.known.instance).truth
    assert trick.promise is trick.known.truth
    assert witness_holds(trick.known)
    stored = msgspec.json.encode(trick.links)
    again = replay(known, BY_ADDRESS, msgspec.json.decode(stored, type=tuple[Link, ...]), CATALOGUE)
    assert trick.known.instance.text == again.known.instance.text
    assert trick.known.witness == again.known.witness
    assert (trick.promise, trick.links) == (again.promise, again.links)


def test_chains_are_as_long_as_asked_and_varied() -> None:
    """Nearly all reach their depth, and every transformation takes part."""
    tricks = [chain(seed, depth=3)[1] for seed in range(100, 220)]
    assert 110 <= sum(len(trick.links) == 3 for trick in tricks)
    assert set(CATALOGUE) == {link.transformation for trick in tricks for link in trick.links}


@pytest.mark.parametrize("seed", range(25))
def test_a_chain_fits_other_parents_or_says_that_it_does_not(seed: int) -> None:
    """On a parent without one of its clauses, or without one of the links, the promise is kept all the same."""
    known, trick = chain(seed, depth=3)
    less = solve(known.instance.replace(clauses=known.instance.clauses[:-1]))
    fewer = trick.links[1:]
    for parent, links in ((less, trick.links), (known, fewer), (less, fewer)):
        try:
            other = replay(parent, BY_ADDRESS, links, CATALOGUE)
        except Inapplicable:
            continue
        assert other.promise is solve(other.known.instance).truth
        assert witness_holds(other.known)


def test_some_chains_do_fit_other_parents() -> None:
    """Otherwise the test above would show nothing, and nothing could be reduced."""
    fitting = 0
    for seed in range(25):
        known, trick = chain(seed, depth=3)
        for dropped in range(len(trick.links)):
            try:
                replay(known, BY_ADDRESS, trick.links[:dropped] + trick.links[dropped + 1 :], CATALOGUE)
            except Inapplicable:
                continue
            fitting += 1
    assert fitting >= 25


def test_open_truth_promises_nothing_and_stays_open() -> None:
    """Any transformation may change such an instance, unless it needs a witness."""
    known = Known(PARTNERS[0].instance)
    trick = random_chain(known, [], 5, Random(1), (*SAT_TO_SAT, *UNSAT_TO_UNSAT))
    assert 5 == len(trick.links)
    assert (None, None) == (trick.promise, trick.known.witness)
    names = {entry.name for entry, sites in applicable(known, ENTRIES) if sites}
    assert {"drop-clause", "add-clause"} <= names
    assert names.isdisjoint(entry.name for entry in ENTRIES if entry.needs_witness or entry.arity == 2)


def test_only_what_promises_something_is_applicable() -> None:
    """Section A for sat parents, section B for unsat ones, fusion where there is a partner."""
    for known in PARTNERS:
        sections = {entry.section for entry, _ in applicable(known, ENTRIES, PARTNERS[0])}
        assert {"A" if known.truth is Truth.sat else "B", "D"} == sections


class Forgetful(PlugBottomRhs):
    """A transformation that cannot carry the refutation over without a solver."""

    name = "forgetful"

    def transport(self, parents: Parents, choice: ClauseChoice, child: Instance) -> Witness | None:
        return None


def test_a_promise_outlives_a_lost_witness() -> None:
    """It goes on through what needs no witness, and through nothing that promises something else."""
    known = next(partner for partner in PARTNERS if partner.truth is Truth.unsat)
    trick = extend(start(known), Forgetful(), None, Random(0))
    assert trick is not None
    assert (Truth.unsat, None) == (trick.promise, trick.known.witness)
    for entry in ENTRIES:
        longer = extend(trick, entry, None, Random(0))
        assert longer is None or (entry.section == "B" and not entry.needs_witness)
        assert longer is None or longer.promise is Truth.unsat
    assert extend(trick, CATALOGUE["add-clause"], None, Random(0)) is not None


def test_children_that_are_too_large_are_refused() -> None:
    """By nodes or by clauses."""
    known = PARTNERS[0]
    fuse = CATALOGUE["fuse-strong"]
    assert extend(start(known), fuse, PARTNERS[1], Random(0)) is not None
    assert extend(start(known), fuse, PARTNERS[1], Random(0), Size(nodes=3)) is None
    assert extend(start(known), fuse, PARTNERS[1], Random(0), Size(clauses=len(known.instance.clauses))) is None


class Idle(PlugBottomRhs):
    """A transformation that changes nothing."""

    def apply(self, parents: Parents, choice: ClauseChoice) -> Instance:
        return read_instance(parents[0].instance.text)


def test_a_child_that_is_its_parent_is_nothing_new() -> None:
    """It would ask the same question again."""
    known = next(partner for partner in PARTNERS if partner.truth is Truth.unsat)
    assert extend(start(known), Idle(), None, Random(0)) is None
    assert extend(start(known), PlugBottomRhs(), None, Random(0)) is not None


def test_weights_choose_the_entries() -> None:
    """Weight zero forbids; a heavy one comes nearly always."""
    known = next(partner for partner in PARTNERS if partner.truth is Truth.sat)
    others = dict.fromkeys(CATALOGUE, 0.0)
    trick = random_chain(known, PARTNERS, 3, Random(0), ENTRIES, {**others, "drop-clause": 1.0})
    assert {"drop-clause"} == {link.transformation for link in trick.links}
    firsts = [
        random_chain(known, PARTNERS, 1, Random(seed), ENTRIES, {"add-constraint-lhs": 200.0}).links[0].transformation
        for seed in range(40)
    ]
    assert firsts.count("add-constraint-lhs") >= 25


@pytest.mark.parametrize(
    "link",
    [
        Link("no-such-transformation", {}),
        Link("fuse-strong", {}, "unknown address"),
        Link("fuse-strong", {}),
        Link("plug-bottom-rhs", {"clause": 0}),
        Link("drop-clause", {"kept": [99]}),
        Link("drop-clause", {"clause": 0}),
    ],
)
def test_links_that_do_not_fit_are_refused(link: Link) -> None:
    """An unknown name, a missing partner, a promise of the other truth, a choice of another parent."""
    known = next(partner for partner in PARTNERS if partner.truth is Truth.sat)
    with pytest.raises(Inapplicable):
        replay(known, BY_ADDRESS, [link], CATALOGUE)
