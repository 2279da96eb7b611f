"""The knowledge base as a state machine against plain dictionaries, with kills in the middle.

A kill is played by copying the files as they lie on the disk, also from inside a write that is half done, and going
on with the copy: that is what a killed process leaves behind.
"""

import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from backends.answer import Configuration, Verdict
from chc.witness import Truth
from knowledge_base import answers, counters, findings, instances, truths
from knowledge_base.eviction import evict, pinned
from knowledge_base.integrity import problems
from knowledge_base.records import InstanceRecord, Origin, Status
from knowledge_base.store import FILE_NAME, open_knowledge_base
from tests.knowledge_base.builders import GOLEM, SPACER, answer, finding, instance, quick_directory, trick, witness


class Interrupted(Exception):
    """Stands for anything that ends a write halfway."""


class KnowledgeBaseMachine(RuleBasedStateMachine):
    """Rules do the same to both; the invariant compares what can be read."""

    known = Bundle("known")

    def __init__(self) -> None:
        super().__init__()
        self.root = quick_directory()
        self.generation = 0
        self.knowledge = open_knowledge_base(self.root / "0")
        self.instances: dict[str, InstanceRecord] = {}
        self.answers: dict[str, set[tuple[Configuration, Verdict, float]]] = {}
        self.asked: set[tuple[str, Configuration]] = set()
        self.truths: dict[str, Truth] = {}
        self.findings: dict[str, Status] = {}
        self.found_in: set[str] = set()
        self.contradictions: set[str] = set()
        self.counter = 0

    def teardown(self) -> None:
        self.knowledge.close()
        shutil.rmtree(self.root)

    @rule(target=known, number=st.integers(0, 5), origin=st.sampled_from([Origin.seed, Origin.generated]))
    def add(self, number: int, origin: Origin) -> InstanceRecord:
        record = instance(f"instance {number}", origin)
        is_new = record.address not in self.instances
        assert is_new == self.knowledge.write_now(instances.add, record)
        kept = self.instances.setdefault(record.address, record)
        if origin.rank < kept.origin.rank:
            self.instances[record.address] = InstanceRecord(
                kept.text, origin, record.source, kept.features, kept.lineage, kept.added
            )
        return record

    @rule(target=known, number=st.integers(0, 5), parent=known, partner=known)
    def make_trick(self, number: int, parent: InstanceRecord, partner: InstanceRecord) -> InstanceRecord:
        record = trick(f"trick {number} of {parent.text}"[:200], parent, partner)
        if {parent.address, partner.address} <= self.instances.keys():
            is_new = record.address not in self.instances
            assert is_new == self.knowledge.write_now(instances.add, record)
            self.instances.setdefault(record.address, record)
        return record

    @rule(
        record=known,
        verdict=st.sampled_from([Verdict.sat, Verdict.timeout]),
        configuration=st.sampled_from([SPACER, GOLEM]),
        at=st.integers(0, 2).map(float),
    )
    def ask(self, record: InstanceRecord, verdict: Verdict, configuration: Configuration, at: float) -> None:
        if record.address in self.instances:
            self.knowledge.write_now(answers.record, answer(record, verdict, configuration, at))
            self.answers.setdefault(record.address, set()).add((configuration, verdict, at))
            self.asked.add((record.address, configuration))

    @rule(record=known, truth=st.sampled_from(Truth))
    def settle(self, record: InstanceRecord, truth: Truth) -> None:
        if record.address not in self.instances:
            return
        if self.truths.setdefault(record.address, truth) is truth:
            self.knowledge.write_now(truths.settle, witness(record, truth), ["z3"], 1.0)
        else:
            with pytest.raises(truths.ContradictoryTruth):
                self.knowledge.write_now(truths.settle, witness(record, truth), ["z3"], 1.0)
            self.contradictions.add(record.address)

    @rule(record=known, status=st.sampled_from([Status.open, Status.unresolved]))
    def find(self, record: InstanceRecord, status: Status) -> None:
        if record.address in self.instances:
            key = self.knowledge.write_now(findings.record, finding(record, status))
            self.findings.setdefault(key, status)
            self.found_in.add(record.address)

    @rule(amount=st.integers(1, 9))
    def count(self, amount: int) -> None:
        self.knowledge.write_now(counters.count, {"n": amount})
        self.counter += amount

    @rule(record=known)
    def be_interrupted(self, record: InstanceRecord) -> None:
        """An error in the middle of a write undoes all of it."""

        def half(connection: sqlite3.Connection) -> None:
            self._scribble(connection)
            raise Interrupted

        with pytest.raises(Interrupted):
            self.knowledge.write_now(half)

    @rule()
    def close_and_open(self) -> None:
        self.knowledge.close()
        self.knowledge = open_knowledge_base(self.root / str(self.generation))

    @rule(is_half_way=st.booleans())
    def be_killed(self, is_half_way: bool) -> None:
        """Between two writes, or when a third has done its work but is not committed."""
        self.generation += 1
        left = self.root / str(self.generation)

        def half(connection: sqlite3.Connection) -> None:
            self._scribble(connection)
            self._copy_to(left)
            raise Interrupted

        if is_half_way:
            with pytest.raises(Interrupted):
                self.knowledge.write_now(half)
        else:
            self._copy_to(left)
        self.knowledge.close()
        self.knowledge = open_knowledge_base(left)

    @rule(gone=consumes(known), target=known, budget=st.sampled_from([1000, 10**9]))
    def shrink(self, gone: InstanceRecord, budget: int) -> object:
        """What no seed and no finding needs goes when the budget is tiny."""
        needed = self._needed()
        assert needed == self.knowledge.read(pinned)
        report = self.knowledge.write_now(evict, budget, {})
        expected = set() if budget > 1000 else self.instances.keys() - needed
        assert expected == set(report.dropped)
        for address in report.dropped:
            del self.instances[address]
            self.answers.pop(address, None)
            self.truths.pop(address, None)
        if budget == 1000:
            # Room for so few questions that those about texts that are gone may be forgotten.
            self.asked = {asked for asked in self.asked if asked[0] in self.instances}
        return gone if gone.address in self.instances else multiple()

    @invariant()
    def says_the_same(self) -> None:
        read = self.knowledge.read
        for address, record in self.instances.items():
            assert record == read(instances.get, address)
            expected = self.answers.get(address, set())
            found = read(answers.answers_of, address)
            assert expected == {(each.answer.configuration, each.answer.verdict, each.at) for each in found}
            assert self.truths.get(address) is read(truths.truth_of, address)
        for address, configuration in self.asked:
            assert read(answers.was_asked, address, configuration)
        assert self.findings == {each.key: each.finding.status for each in read(findings.select)}
        assert self.contradictions == {each.witness.instance for each in read(truths.contradictions)}
        assert self.counter == read(counters.totals).get("n", 0)
        assert len(self.instances) == read(counters.sizes)["instances"]
        assert len(self.truths) == read(counters.sizes)["truths"]

    @invariant()
    def is_sound(self) -> None:
        assert [] == self.knowledge.read(problems)

    def _scribble(self, connection: sqlite3.Connection) -> None:
        """A write of some size that must never be seen."""
        # A cache this small drives uncommitted pages into the log on the disk.
        connection.execute("PRAGMA cache_size = 2")
        for number in range(20):
            instances.add(connection, instance(f"never {number} " + str(list(range(2000))), Origin.generated))
        counters.count(connection, {"n": 1000})
        connection.execute("UPDATE instances SET origin = 'seed', source = 'scribbled'")

    def _copy_to(self, target: Path) -> None:
        target.mkdir()
        for name in (FILE_NAME, f"{FILE_NAME}-wal"):
            shutil.copy(self.knowledge.directory / name, target / name)

    def _needed(self) -> set[str]:
        seeds = {address for address, record in self.instances.items() if record.origin is Origin.seed}
        pending = [*(seeds | self.found_in | (self.contradictions & self.instances.keys()))]
        needed: set[str] = set()
        while pending:
            address = pending.pop()
            if address not in needed:
                needed.add(address)
                lineage = self.instances[address].lineage
                pending.extend(lineage.parents if lineage is not None else ())
        return needed


TestKnowledgeBaseMachine = KnowledgeBaseMachine.TestCase
TestKnowledgeBaseMachine.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
