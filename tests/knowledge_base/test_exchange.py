"""Export and merging: nothing is lost, twice is once, and the direction does not matter."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.answer import Verdict
from chc.witness import Truth
from knowledge_base import answers, counters, faults, findings, instances, standings, truths
from knowledge_base.codec import to_json
from knowledge_base.energy import Arm, Standing
from knowledge_base.exchange import export, merge
from knowledge_base.integrity import problems
from knowledge_base.records import InstanceRecord, Origin, Status
from knowledge_base.schema import UnusableDatabase
from knowledge_base.store import KnowledgeBase, open_knowledge_base
from tests.knowledge_base.builders import (
    GOLEM,
    SPACER,
    answer,
    fault,
    finding,
    instance,
    lineage,
    quick_directory,
    run,
    trick,
    witness,
)

Content = dict[str, object]
Deed = tuple[str, int, int]

SEEDS = [instance("seed 0"), instance("seed 1")]
TRICKS = [trick(f"trick {number}", SEEDS[number % 2]) for number in range(4)]


def do(connection: sqlite3.Connection, deed: Deed) -> None:
    """One small thing that a campaign may do; the numbers say which and when."""
    kind, which, when = deed
    record, at = TRICKS[which], float(when)
    if kind == "seed":
        instances.add(connection, instance(record.text, Origin.seed if when % 2 else Origin.generated))
    elif kind == "trick":
        instances.add(connection, trick(record.text, SEEDS[when % 2]))
    elif kind == "answer":
        answers.record(connection, answer(record, list(Verdict)[when % 3], (SPACER, GOLEM)[when % 2], at))
    elif kind == "settle":
        truths.settle(connection, witness(record, data=f'"{when % 3}"'), ["z3", "cvc5"][: 1 + when % 2], at)
    elif kind == "finding":
        key = findings.record(connection, msgspec.structs.replace(finding(record), lineage=lineage(SEEDS[when % 2])))
        findings.revise(connection, key, finding(record, list(Status)[when % len(Status)]), at)
    elif kind == "fault":
        faults.record(connection, msgspec.structs.replace(fault(record, SEEDS[0]), at=at))
    elif kind == "count":
        counters.count(connection, {f"counter {which}": when})
    else:
        standings.save_standing(connection, record.address, Standing(queries=when, picks=which))
        standings.save_arm(connection, f"arm {which}", Arm(tried=when))


def do_all(connection: sqlite3.Connection, deeds: list[Deed]) -> None:
    for record in (*SEEDS, *TRICKS):
        instances.add(connection, record)
    for deed in deeds:
        do(connection, deed)


KINDS = ["seed", "trick", "answer", "settle", "finding", "fault", "count", "learn"]
DEEDS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 3), st.integers(0, 9)), max_size=12)


def content(connection: sqlite3.Connection) -> Content:
    """Everything that is known, apart from the numbers that rows happen to have."""
    addresses = [digest.hex() for (digest,) in connection.execute("SELECT digest FROM instances ORDER BY digest")]
    about: dict[str, Callable[[sqlite3.Connection, str], object]] = {
        "answers": answers.answers_of,
        "witnesses": truths.witnesses_of,
        "certificate": truths.certificate_of,
        "lineages": lambda c, address: sorted(map(to_json, instances.lineages(c, address))),
        "self": lambda c, address: msgspec.structs.replace(_get(c, address), lineage=None),
    }
    found: Content = {f"{a[:6]} {name}": reading(connection, a) for a in addresses for name, reading in about.items()}
    plain = ("SELECT transformation, data FROM arms", "SELECT owner, name, value FROM counters ORDER BY 1, 2",
             "SELECT digest, data, at FROM asked JOIN configurations ON id = configuration ORDER BY 1, 2",
             "SELECT digest, data FROM standings JOIN instances ON id = instance ORDER BY 1")  # fmt: skip
    found |= {statement: connection.execute(statement).fetchall() for statement in plain}
    more = (findings.select(connection), faults.select(connection), truths.contradictions(connection))
    return found | {"more": more, "runs": counters.runs(connection)}


def _get(connection: sqlite3.Connection, address: str) -> InstanceRecord:
    record = instances.get(connection, address)
    assert record is not None
    return record


def start(directory: Path, deeds: list[Deed]) -> KnowledgeBase:
    knowledge = open_knowledge_base(directory)
    knowledge.write_now(do_all, deeds)
    export(knowledge, directory / "export.sqlite")
    return knowledge


@settings(max_examples=25, deadline=None)
@given(DEEDS, DEEDS)
def test_merging_is_idempotent_and_commutative(first: list[Deed], second: list[Deed]) -> None:
    """And what comes out is sound."""
    place = quick_directory()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, place)
        one = stack.enter_context(start(Path(place, "one"), first))
        two = stack.enter_context(start(Path(place, "two"), second))
        before = one.read(content)
        one.write_now(merge, Path(place, "one", "export.sqlite"))
        assert before == one.read(content)
        one.write_now(merge, Path(place, "two", "export.sqlite"))
        two.write_now(merge, Path(place, "one", "export.sqlite"))
        assert one.read(content) == two.read(content)
        once = one.read(content)
        one.write_now(merge, Path(place, "two", "export.sqlite"))
        assert once == one.read(content)
        assert [] == one.read(problems)


def test_an_export_is_one_file_that_gives_everything_back(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """Merged into an empty knowledge base it makes the same one."""
    knowledge.write_now(counters.start_run, run())
    knowledge.write_now(do_all, [(kind, 1, 5) for kind in KINDS])
    export(knowledge, tmp_path / "it.sqlite")
    assert ["it.sqlite", "state"] == sorted(path.name for path in tmp_path.iterdir())
    with open_knowledge_base(tmp_path / "fresh") as fresh:
        fresh.write_now(merge, tmp_path / "it.sqlite")
        assert knowledge.read(content) == fresh.read(content)


def test_counters_of_several_knowledge_bases_add_up(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """And an export that is merged again after more was counted replaces what it brought before."""
    knowledge.write_now(counters.count, {"queries": 2})
    with open_knowledge_base(tmp_path / "other") as other:
        other.write_now(counters.count, {"queries": 3})
        export(other, tmp_path / "early.sqlite")
        other.write_now(counters.count, {"queries": 4})
        export(other, tmp_path / "late.sqlite")
    for name in ("early", "late", "early"):
        knowledge.write_now(merge, tmp_path / f"{name}.sqlite")
    assert {"queries": 9} == knowledge.read(counters.totals)


def test_the_latest_state_of_a_finding_wins(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """Whichever side it is on: what was marked as known there is known here."""
    with open_knowledge_base(tmp_path / "other") as other:
        for each, status, at in ((knowledge, Status.confirmed, 8.0), (other, Status.known, 9.0)):
            each.write_now(instances.add, SEEDS[0])
            key = each.write_now(findings.record, finding(SEEDS[0]))
            each.write_now(findings.revise, key, finding(SEEDS[0], status), at)
        export(knowledge, tmp_path / "earlier.sqlite")
        export(other, tmp_path / "later.sqlite")
        knowledge.write_now(merge, tmp_path / "later.sqlite")
        other.write_now(merge, tmp_path / "earlier.sqlite")
        for each in (knowledge, other):
            assert [(Status.known, 9.0)] == [(f.finding.status, f.changed) for f in each.read(findings.select)]


def test_opposite_truths_are_recorded_and_ours_stays(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """The merge goes through; the alarm is in the list of contradictions."""
    with open_knowledge_base(tmp_path / "other") as other:
        for each, truth in ((knowledge, Truth.sat), (other, Truth.unsat)):
            each.write_now(instances.add, SEEDS[0])
            each.write_now(truths.settle, witness(SEEDS[0], truth), ["z3"], 1.0)
        export(other, tmp_path / "it.sqlite")
    knowledge.write_now(merge, tmp_path / "it.sqlite")
    assert Truth.sat is knowledge.read(truths.truth_of, SEEDS[0].address)
    (alarm,) = knowledge.read(truths.contradictions)
    assert (Truth.sat, Truth.unsat, ("z3",)) == (alarm.known, alarm.witness.truth, alarm.checkers)
    assert [] == knowledge.read(problems)


def test_an_existing_file_is_not_overwritten(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """Nor is a draft left behind."""
    (tmp_path / "it.sqlite").write_text("precious")
    with pytest.raises(FileExistsError, match="choose another name"):
        export(knowledge, tmp_path / "it.sqlite")
    assert "precious" == (tmp_path / "it.sqlite").read_text()


def test_a_damaged_file_is_not_merged(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """A text under a wrong address would poison everything that rests on addresses."""
    knowledge.write_now(instances.add, SEEDS[0])
    export(knowledge, tmp_path / "it.sqlite")
    with closing(sqlite3.connect(tmp_path / "it.sqlite", isolation_level=None)) as vandal:
        vandal.execute("UPDATE instances SET digest = randomblob(32)")
    before = knowledge.read(content)
    with pytest.raises(UnusableDatabase, match=r"cannot be merged: instance .* holds a text"):
        knowledge.write_now(merge, tmp_path / "it.sqlite")
    assert before == knowledge.read(content)


def test_a_missing_file_is_told(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """And not made."""
    with pytest.raises(FileNotFoundError, match="name one that was exported"):
        knowledge.write_now(merge, tmp_path / "nothing.sqlite")
    assert not (tmp_path / "nothing.sqlite").exists()
