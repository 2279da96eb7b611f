"""The budget is kept, and what is needed survives it."""

import sqlite3
from random import Random

import msgspec
import pytest

from chc.witness import Truth
from knowledge_base import answers, faults, findings, instances, truths
from knowledge_base.eviction import bytes_used, evict, pinned
from knowledge_base.integrity import problems
from knowledge_base.records import InstanceRecord, Origin
from knowledge_base.store import KnowledgeBase
from tests.knowledge_base.builders import GOLEM, answer, fault, finding, instance, lineage, trick, witness

SEED = instance("seed")
_TRACES_IN_USE = "SELECT (SELECT count(*) FROM traces) = (SELECT count(DISTINCT trace) FROM answers)"


def bulky(name: str, *parents: InstanceRecord) -> InstanceRecord:
    """About six thousand bytes that do not compress well."""
    text = f"{name} {Random(name).randbytes(6000).hex()}"
    return trick(text, *parents) if parents else instance(text, Origin.generated)


@pytest.fixture(autouse=True)
def _seed(knowledge: KnowledgeBase) -> None:
    knowledge.write_now(instances.add, SEED)


def fill(knowledge: KnowledgeBase, number: int) -> list[InstanceRecord]:
    records = [bulky(f"child {each}", SEED) for each in range(number)]
    for record in records:
        knowledge.write_now(instances.add, record)
    return records


def known(knowledge: KnowledgeBase, records: list[InstanceRecord]) -> list[bool]:
    return [knowledge.read(instances.is_known, record.address) for record in records]


def test_within_the_budget_nothing_goes(knowledge: KnowledgeBase) -> None:
    """And there is nothing to complain about."""
    fill(knowledge, 5)
    report = knowledge.write_now(evict, 10_000_000, {})
    assert ((), None) == (report.dropped, report.problem)


def test_the_lowest_energy_goes_first(knowledge: KnowledgeBase) -> None:
    """With everything that belongs to an instance, until there is room; the file itself shrinks too."""
    records = fill(knowledge, 60)
    for record in records:
        knowledge.write_now(answers.record, answer(record))
        knowledge.write_now(truths.settle, witness(record), ["z3"], 1.0)
    budget = knowledge.read(bytes_used) * 2 // 3
    energies = {record.address: float(60 - place) for place, record in enumerate(records)}
    report = knowledge.write_now(evict, budget, energies)
    assert report.bytes_used <= budget
    assert knowledge.read(bytes_used) == report.bytes_used
    number = len(report.dropped)
    assert 20 < number < 50
    assert [True] * (60 - number) + [False] * number == known(knowledge, records)
    assert {record.address for record in records[60 - number :]} == set(report.dropped)
    assert [(number < 60,)] == knowledge.read(lambda connection: connection.execute(_TRACES_IN_USE).fetchall())
    assert [] == knowledge.read(problems)
    knowledge.close()
    assert knowledge.path.stat().st_size < 1.05 * budget


def test_what_a_finding_needs_stays_with_its_ancestors(knowledge: KnowledgeBase) -> None:
    """Parents of the instance and of the finding's own lineage, up to the seeds; likewise for our own faults."""
    chain = [bulky("parent")]
    for each in range(3):
        chain.append(bulky(f"step {each}", chain[-1]))
    partner, faulty = bulky("partner"), bulky("faulty", SEED)
    doubtful = bulky("doubtful", SEED)
    for record in (*chain, partner, faulty, doubtful):
        knowledge.write_now(instances.add, record)
    knowledge.write_now(
        findings.record, msgspec.structs.replace(finding(chain[-1]), lineage=lineage(chain[-2], partner))
    )
    knowledge.write_now(faults.record, fault(faulty, SEED))
    knowledge.write_now(truths.settle, witness(doubtful), ["z3"], 1.0)
    with pytest.raises(truths.ContradictoryTruth):
        knowledge.write_now(truths.settle, witness(doubtful, Truth.unsat), ["cvc5"], 1.0)
    needed = [SEED, *chain, partner, faulty, doubtful]
    others = fill(knowledge, 20)
    assert {record.address for record in needed} == knowledge.read(pinned)
    report = knowledge.write_now(evict, 1000, {})
    assert [True] * len(needed) == known(knowledge, needed)
    assert [False] * 20 == known(knowledge, others)
    assert report.problem is not None
    assert "raise the budget" in report.problem
    assert [] == knowledge.read(problems)


def test_a_parent_stays_as_long_as_its_child(knowledge: KnowledgeBase) -> None:
    """However little the parent is worth: the child could not be made again without it."""
    parent = bulky("parent", SEED)
    child = bulky("child", parent)
    for record in (parent, child):
        knowledge.write_now(instances.add, record)
    others = fill(knowledge, 20)
    budget = knowledge.read(bytes_used) * 4 // 5
    knowledge.write_now(evict, budget, {child.address: 1.0})
    assert [True, True] == known(knowledge, [parent, child])
    assert False in known(knowledge, others)
    knowledge.write_now(evict, 1000, {child.address: 1.0})
    assert [False, False] == known(knowledge, [parent, child])


def test_a_spare_lineage_does_not_protect_its_parents(knowledge: KnowledgeBase) -> None:
    """Two instances that were made from one another can both go."""
    one, two = bulky("one", SEED), bulky("two", SEED)
    for record in (one, two):
        knowledge.write_now(instances.add, record)
    knowledge.write_now(instances.add_lineage, one.address, lineage(two))
    knowledge.write_now(instances.add_lineage, two.address, lineage(one))
    knowledge.write_now(evict, 1000, {})
    assert [False, False] == known(knowledge, [one, two])


def test_the_memory_of_questions_is_bounded_too(knowledge: KnowledgeBase) -> None:
    """The oldest are forgotten, but not those about texts that are stored."""
    addresses = [instance(f"asked {each}").address for each in range(3000)]

    def ask_all(connection: sqlite3.Connection) -> None:
        for at, address in enumerate(addresses):
            answers.note_asked(connection, address, GOLEM, float(at))

    knowledge.write_now(ask_all)
    knowledge.write_now(answers.note_asked, SEED.address, GOLEM, -1.0)
    knowledge.write_now(evict, 200_000, {})
    remembered = [knowledge.read(answers.was_asked, address, GOLEM) for address in addresses]
    number = sum(remembered)
    assert 200_000 * 0.25 / 64 == pytest.approx(number, abs=1)
    assert [False] * (3000 - number) + [True] * number == remembered
    assert knowledge.read(answers.was_asked, SEED.address, GOLEM)
