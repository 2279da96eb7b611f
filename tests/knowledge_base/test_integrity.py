"""Planted damage is told in words; without any, nothing is told."""

import sqlite3

import msgspec
import pytest

from chc.witness import Truth
from knowledge_base import answers, counters, errands, faults, findings, instances, standings, truths
from knowledge_base.codec import pack
from knowledge_base.energy import Arm, Standing
from knowledge_base.errands import Errand, Happening, Note, Plan
from knowledge_base.integrity import problems
from knowledge_base.store import KnowledgeBase
from tests.knowledge_base.builders import answer, fault, finding, instance, lineage, run, trick, witness

SEED, OTHER = instance("seed"), instance("another seed")
CHILD = trick("child", SEED, OTHER)


@pytest.fixture(autouse=True)
def _filled(knowledge: KnowledgeBase) -> None:
    """One row of every kind."""
    for record in (SEED, OTHER, CHILD):
        knowledge.write_now(instances.add, record)
    knowledge.write_now(counters.start_run, run())
    key = knowledge.write_now(answers.record, answer(CHILD))
    knowledge.write_now(truths.settle, witness(CHILD), ["z3"], 1.0)
    knowledge.write_now(truths.settle, witness(SEED), ["z3"], 1.0)
    with pytest.raises(truths.ContradictoryTruth):
        knowledge.write_now(truths.settle, witness(SEED, Truth.unsat), ["cvc5"], 2.0)
    full = msgspec.structs.replace(finding(CHILD), answer=key, lineage=lineage(SEED), run="run-1")
    knowledge.write_now(findings.record, full)
    knowledge.write_now(faults.record, fault(CHILD, SEED))
    knowledge.write_now(standings.save_standing, SEED.address, Standing())
    knowledge.write_now(standings.save_arm, "rename", Arm())
    given = Errand("00" * 6, 1000, "a.smt2", Plan((), 10.0), 1.0)
    knowledge.write_now(errands.take, Note(given, (Happening(1, 1.0, "{}"),)), "(text)", 10, 10)


def damage(knowledge: KnowledgeBase, statement: str, *values: object) -> list[str]:
    """Break something behind the back of the knowledge base, and hear what it says."""
    with sqlite3.connect(knowledge.path) as vandal:
        vandal.execute("PRAGMA foreign_keys = OFF")
        vandal.execute(statement, values)
    vandal.close()
    return knowledge.read(problems)


def test_a_sound_knowledge_base_has_no_problems(knowledge: KnowledgeBase) -> None:
    """With something in every table, so that every check has something to look at."""
    tables = knowledge.read(lambda connection: connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall())  # fmt: skip
    counted = {
        name: knowledge.read(lambda c, n: c.execute(f"SELECT count(*) FROM {n}").fetchone()[0], name)
        for (name,) in tables
        if name != "counters"
    }
    assert 0 < min(counted.values())
    assert [] == knowledge.read(problems)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DELETE FROM instances WHERE digest = x'{seed}'", "refers to a row of instances that does not exist"),
        ("UPDATE truths SET truth = 'unsat'", "is said to be unsat by a certificate of sat"),
        ("UPDATE truths SET certificate = (SELECT min(certificate) FROM truths)", "certificate of another instance"),
        ("UPDATE parents SET parent = 1", f"has the partner {OTHER.address}, which is not among its parents"),
        ("UPDATE answers SET instance = 1", "the answer of finding"),
        ("UPDATE lineages SET chain = '{{}}'", "chain of a row of lineages cannot be read"),
        ("UPDATE instances SET text = x'00'", "cannot be decompressed"),
        ("UPDATE witnesses SET data = x'00'", "data of a row of witnesses cannot be decompressed"),
        ("UPDATE standings SET data = '[]'", "data of a row of standings cannot be read"),
    ],
)
def test_planted_damage_is_told(knowledge: KnowledgeBase, statement: str, expected: str) -> None:
    """Each check can fail."""
    found = damage(knowledge, statement.format(seed=SEED.address))
    assert any(expected in problem for problem in found), found


def test_a_text_under_a_wrong_address_is_told(knowledge: KnowledgeBase) -> None:
    """With both addresses."""
    found = damage(
        knowledge, "UPDATE instances SET text = ? WHERE digest = ?", pack("forged"), bytes.fromhex(SEED.address)
    )
    assert [f"instance {SEED.address} holds a text whose address is {instance('forged').address}"] == found


def test_a_damaged_file_is_told(knowledge: KnowledgeBase) -> None:
    """Garbage in the middle of an index."""
    (root,) = knowledge.read(lambda connection: connection.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'findings_by_status'").fetchone())  # fmt: skip
    knowledge.close()
    with open(knowledge.path, "r+b") as file:
        file.seek((root - 1) * 4096 + 4000)
        file.write(b"\xa5" * 96)
    with KnowledgeBase(knowledge.directory) as again:
        found = again.read(problems)
    assert found
    assert all(problem.startswith("the database file is damaged: ") for problem in found)
