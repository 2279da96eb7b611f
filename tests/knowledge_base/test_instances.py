"""Instances by content address, and their lineages."""

import msgspec
import pytest

from knowledge_base import instances
from knowledge_base.records import InstanceRecord, Lineage, Link, Origin
from knowledge_base.store import KnowledgeBase
from tests.knowledge_base.builders import instance, lineage, trick

SEED = instance("seed")
OTHER = instance("other seed")


def add(knowledge: KnowledgeBase, *records: InstanceRecord) -> list[bool]:
    return [knowledge.write_now(instances.add, record) for record in records]


def test_an_instance_comes_back_as_it_was(knowledge: KnowledgeBase) -> None:
    """Text, origin, features, parents in their order, and the chain with its raw choices."""
    child = trick("child", SEED, OTHER)
    assert [True, True, True] == add(knowledge, SEED, OTHER, child)
    assert child == knowledge.read(instances.get, child.address)
    assert SEED == knowledge.read(instances.get, SEED.address)


def test_an_unknown_address_gives_nothing(knowledge: KnowledgeBase) -> None:
    """It is a question, not an error."""
    assert knowledge.read(instances.get, SEED.address) is None
    assert not knowledge.read(instances.is_known, SEED.address)


def test_the_same_text_is_stored_once(knowledge: KnowledgeBase) -> None:
    """It keeps the lineage that it had first."""
    child = trick("child", SEED)
    add(knowledge, SEED, OTHER, child)
    assert [False] == add(knowledge, trick("child", OTHER))
    assert child == knowledge.read(instances.get, child.address)


@pytest.mark.parametrize(("first", "second"), [(Origin.trick, Origin.seed), (Origin.seed, Origin.trick)])
def test_a_seed_is_a_seed_however_else_it_was_met(knowledge: KnowledgeBase, first: Origin, second: Origin) -> None:
    """Otherwise a seed that was met as a trick before could be evicted."""
    add(knowledge, instance("text", first), instance("text", second))
    assert [instance("text").address] == knowledge.read(instances.by_origin, Origin.seed)


def test_a_child_without_its_parent_is_refused(knowledge: KnowledgeBase) -> None:
    """And nothing of it is stored."""
    child = trick("child", SEED)
    with pytest.raises(instances.UnknownInstance, match=SEED.address):
        add(knowledge, child)
    assert not knowledge.read(instances.is_known, child.address)


def test_a_partner_has_to_be_a_parent(knowledge: KnowledgeBase) -> None:
    """Only parents are kept from eviction."""
    add(knowledge, SEED, OTHER)
    stray = Lineage((SEED.address,), (Link("fuse-weak", msgspec.Raw("{}"), OTHER.address),))
    with pytest.raises(ValueError, match="not among the parents"):
        knowledge.write_now(instances.add_lineage, SEED.address, stray)


def test_further_lineages_are_kept_beside_the_first(knowledge: KnowledgeBase) -> None:
    """The same lineage again is no new one."""
    child = trick("child", SEED)
    add(knowledge, SEED, OTHER, child)
    second = lineage(OTHER, SEED, number=3)
    numbers = [knowledge.write_now(instances.add_lineage, child.address, second) for _ in range(2)]
    assert numbers[0] == numbers[1]
    assert [child.lineage, second] == knowledge.read(instances.lineages, child.address)


def test_ancestors_reach_back_to_the_seeds(knowledge: KnowledgeBase) -> None:
    """Also where two instances were made from one another."""
    child = trick("child", SEED)
    grandchild = trick("grandchild", child, OTHER)
    add(knowledge, SEED, OTHER, child, grandchild)
    assert [SEED.address, OTHER.address, child.address] == knowledge.read(instances.ancestors, grandchild.address)
    knowledge.write_now(instances.add_lineage, child.address, lineage(grandchild))
    assert {SEED.address, OTHER.address, child.address, grandchild.address} == set(
        knowledge.read(instances.ancestors, child.address)
    )
