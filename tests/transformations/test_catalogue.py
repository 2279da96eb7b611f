"""Every transformation of the catalogue, by its one name, in chains with all the others."""

from random import Random

import msgspec
import pytest

from chc.script import read_instance
from tests.transformations.brute_force import is_enumerable, random_tiny_instance, solve, witness_holds
from transformations.catalogue import CATALOGUE, ENTRIES
from transformations.stack import Link, Size, random_chain, replay

PARTNERS = [solve(random_tiny_instance(Random(seed))) for seed in range(2000, 2004)]
BY_ADDRESS = {partner.instance.address: partner for partner in PARTNERS}


def test_names_are_unique_and_reasons_are_given() -> None:
    """A stored link names its transformation, and its docstring says why the promise holds."""
    assert len(ENTRIES) == len(CATALOGUE)
    assert [] == [entry.name for entry in ENTRIES if not (entry.__doc__ or "").strip()]


def test_the_sections_are_all_there() -> None:
    """Sat to sat, unsat to unsat, preserving, fusion; each takes the truths that its section says."""
    takes = {"A": {"sat"}, "B": {"unsat"}, "C": {"sat", "unsat"}, "D": {"sat", "unsat"}}
    assert set(takes) == {entry.section for entry in ENTRIES}
    assert [] == [e.name for e in ENTRIES if e.section != "C" and takes[e.section] != {str(t) for t in e.takes}]


@pytest.mark.parametrize("seed", range(30))
def test_mixed_chains_keep_their_promise_and_are_replayed(seed: int) -> None:
    """The witness that came all the way holds on the child as printed; the stored links make it again."""
    rng = Random(seed)
    known = solve(random_tiny_instance(rng))
    trick = random_chain(known, PARTNERS, 4, rng, ENTRIES, size=Size(nodes=400, clauses=30))
    child = trick.known.instance
    assert child == read_instance(child.text)
    assert trick.promise is not None
    assert trick.known.truth in (None, trick.promise)
    links = msgspec.json.decode(msgspec.json.encode(trick.links), type=tuple[Link, ...])
    assert child.text == replay(known, BY_ADDRESS, links, CATALOGUE).known.instance.text
    if is_enumerable(child):
        assert trick.promise is solve(child).truth
        assert trick.known.witness is None or witness_holds(trick.known)


def test_most_mixed_chains_are_judged_by_brute_force() -> None:
    """Otherwise the test above would show little."""
    judged = 0
    for seed in range(30):
        rng = Random(seed)
        known = solve(random_tiny_instance(rng))
        trick = random_chain(known, PARTNERS, 4, rng, ENTRIES, size=Size(nodes=400, clauses=30))
        judged += is_enumerable(trick.known.instance) and trick.known.witness is not None
    assert judged >= 20
