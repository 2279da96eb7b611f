"""Section C: each transformation keeps its promise, and the oracle sees when one does not."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chc.script import read_instance
from chc.witness import Truth
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints, with_quantifiers
from tests.transformations.rich_parents import is_small, random_rich_instance
from tests.transformations.theory_parents import PARENT_NAMES, PARENTS, certified
from tests.transformations.z3_check import known_sat
from transformations.known import Inapplicable, Known
from transformations.preserving import PRESERVING
from transformations.transformation import Entry, Made

NAMES = (
    *("unplug-lhs+clause", "shared-unplug", "swap-and", "swap-or", "break-and", "dup-and", "mix-bound-variables"),
    *("reorder-clauses", "rename", "add-inequality", "add-linear-rule", "add-nonlinear-rule", "z3-rewrite"),
    *("reformulate", "redundant-logic", "semantic-fusion", "equivalent-comparison", "inline", "outline"),
    *("pad-arguments", "permute-arguments", "case-split", "strengthen-with-invariant"),
)
BY_NAME = {entry.name: entry for entry in PRESERVING}
OVER_FINITE_SORTS = [entry for entry in PRESERVING if entry.name != "semantic-fusion"]
"""That one needs numbers, of which there are too many to enumerate."""


def test_all_names_of_the_section_are_there() -> None:
    """Each with a reason for its promise, for both truths unless a model is needed."""
    assert list(NAMES) == [entry.name for entry in PRESERVING]
    assert [] == [entry.name for entry in PRESERVING if not entry.__doc__ or entry.section != "C"]
    assert ["strengthen-with-invariant"] == [entry.name for entry in PRESERVING if entry.takes != frozenset(Truth)]


def _children(entry: Entry, seeds: range) -> Iterator[tuple[int, Known, Made]]:
    for seed in seeds:
        rng = Random(seed)
        parent = with_quantifiers(solve(random_rich_instance(rng)), rng)
        sites = entry.sites([parent])
        made = entry.attempt([parent], rng.choice(sites), rng) if sites else None
        if made is not None and is_small(made.child.instance):
            yield seed, parent, made


@pytest.mark.parametrize("entry", OVER_FINITE_SORTS, ids=lambda entry: entry.name)
def test_promise_witness_text_and_choice_hold_by_brute_force(entry: Entry) -> None:
    """The child has the parent's truth, by the transported witness, reads back, and is made again."""
    found = [
        (seed, parent.truth, complaints(entry, [parent], made)) for seed, parent, made in _children(entry, range(40))
    ]
    assert [] == [(seed, wrong) for seed, _, wrong in found if wrong]
    assert set(entry.takes) <= {truth for _, truth, _ in found}


@pytest.mark.parametrize("entry", PRESERVING, ids=lambda entry: entry.name)
@pytest.mark.parametrize("parent", PARENTS, ids=PARENT_NAMES)
def test_witnesses_hold_over_every_theory(entry: Entry, parent: Known) -> None:
    """At every site of hand-written instances; models are checked by z3, refutations by evaluation."""
    rng = Random(11)
    sites = entry.sites([parent]) if parent.truth in entry.takes else []
    for made in (entry.attempt([parent], site, rng) for site in sites):
        if made is not None:
            assert read_instance(made.child.instance.text) == made.child.instance
            assert parent.truth is made.child.truth
            assert certified(made.child), made.choice


@pytest.mark.parametrize("parent", PARENTS, ids=PARENT_NAMES)
def test_the_checks_tell_right_witnesses_from_wrong_ones(parent: Known) -> None:
    """Otherwise the test above would show nothing: with clauses in another order, or another head, they fail."""
    assert certified(parent)
    first, *rest = parent.instance.clauses
    query = type(first)(first.variables, first.constraint, first.body, None)
    assert not certified(Known(parent.instance.replace(clauses=[query, *rest]), parent.witness))


def test_every_transformation_applies_to_some_instance_of_a_theory() -> None:
    """None of them is dead weight beyond Booleans."""
    rng = Random(3)
    idle = set(NAMES)
    for parent in PARENTS:
        for entry in PRESERVING:
            sites = entry.sites([parent]) if parent.truth in entry.takes else []
            if any(entry.attempt([parent], site, rng) for site in sites):
                idle.discard(entry.name)
    assert set() == idle


@pytest.mark.parametrize("entry", PRESERVING, ids=lambda entry: entry.name)
def test_open_parents_have_children_without_a_promise(entry: Entry) -> None:
    """Only what needs a model refuses them."""
    parent = Known(PARENTS[5].instance)
    sites = entry.sites([parent])
    assert entry.needs_witness == (not sites)
    made = [entry.attempt([parent], site, Random(5)) for site in sites]
    assert all(one is None or one.child.witness is None for one in made)
    assert entry.promise([parent]) is None


@pytest.mark.parametrize("entry", PRESERVING, ids=lambda entry: entry.name)
def test_choices_for_another_parent_are_refused_or_fit(entry: Entry) -> None:
    """A recorded choice, tried on instances that it was not drawn for, never makes a wrong child."""
    for seed, _, made in _children(entry, range(12)):
        other = solve(random_rich_instance(Random(seed + 1000)))
        try:
            again = entry.repeat([other], made.choice)
        except Inapplicable:
            continue
        if other.truth in entry.takes and is_small(again.child.instance):
            assert [] == complaints(entry, [other], again), (seed, made.choice)


@pytest.mark.parametrize("entry", PRESERVING, ids=lambda entry: entry.name)
def test_deep_terms_do_not_exhaust_the_stack(entry: Entry) -> None:
    """Four thousand negations, far beyond what recursion would bear."""
    depth = 4000
    deep = f"{'(not ' * depth}(and a b (< x 1)){')' * depth}"
    parent = known_sat(
        f"""(set-logic HORN) (declare-fun p (Bool Int) Bool)
        (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (p a x) b {deep} (or a b)) (p b x))))""",
        p="(not (= x1 0))",
    )
    made = entry.attempt([parent], entry.sites([parent])[0], Random(1)) if entry.sites([parent]) else None
    assert made is None or read_instance(made.child.instance.text) == made.child.instance
