"""Beside the hunt: open questions are looked at again, and the knowledge base stays within its bounds."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from backends.answer import Answer, Configuration, Verdict
from backends.model_reader import read_model
from chc.script import read_instance
from chc.witness import Truth, witness_to_json
from daemon.core import Core
from daemon.events import Event
from daemon.settings import Settings
from daemon.suspicion import MOST, Suspicion, rating
from daemon.upkeep import Upkeep
from knowledge_base import findings, instances, standings, truths
from knowledge_base.answers import record as record_answer
from knowledge_base.energy import Standing
from knowledge_base.records import (
    AnswerRecord,
    Finding,
    InstanceRecord,
    Origin,
    Severity,
    Status,
    WitnessOrigin,
    WitnessRecord,
)
from knowledge_base.store import KnowledgeBase, open_knowledge_base
from tests.daemon.playbook import SPACER
from transformations.catalogue import CATALOGUE

pytestmark = pytest.mark.anyio

TEXT = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (> x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))
(check-sat)
"""
RECORD = InstanceRecord(TEXT, Origin.seed, "test", added=1.0)
FAIR = (("fp.xform.inline_eager", "false"), ("fp.xform.inline_linear", "false"))


class House:
    """A knowledge base with a core and its upkeep."""

    def __init__(self, knowledge: KnowledgeBase, budget: int = 10**9) -> None:
        settings = Settings((SPACER,), 1, 1, "adaptive", budget_bytes=budget)
        self.knowledge = knowledge
        self.core = Core(settings, CATALOGUE, Random(1), "run")
        self.events: list[Event] = []
        self.upkeep = Upkeep(knowledge, self.core, self.events.append)

    def add(self, finding: Finding) -> str:
        return self.knowledge.write_now(findings.record, finding)

    def status(self, key: str) -> tuple[Severity, Status]:
        finding = self.knowledge.read(findings.find, key).finding
        return finding.severity, finding.status


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_knowledge_base(tmp_path / "state") as knowledge:
        knowledge.write_now(instances.add, RECORD)
        yield House(knowledge)


def finding(
    severity: Severity, status: Status, options: tuple[tuple[str, str], ...] = FAIR, at: float = 5.0, reason: str = ""
) -> Finding:
    return Finding(
        severity=severity,
        status=status,
        instance=RECORD.address,
        configuration=Configuration("spacer", "4.13.4", "/opt/z3", options),
        command=("/opt/z3",),
        evidence="strange",
        at=at,
        run=None,
        reason=reason,
    )


def answered(house: House, verdict: Verdict, model: str | None, options: tuple[tuple[str, str], ...] = FAIR) -> str:
    """An unresolved finding about this answer, whose instance is sat; its key."""
    configuration = Configuration("spacer", "4.13.4", "/opt/z3", options)
    answer = Answer(configuration, ("/opt/z3",), verdict, 0.1, 0.1, 1.0, model_text=model)
    house.knowledge.write_now(record_answer, AnswerRecord(RECORD.address, answer, 5.0))
    return house.add(finding(Severity.unresolved, Status.unresolved, options))


def settle(house: House) -> None:
    model = read_model("((define-fun P ((x Int)) Bool (> x 0)))", read_instance(TEXT, "test"))
    data = msgspec.json.encode(witness_to_json(model)).decode()
    record = WitnessRecord(RECORD.address, Truth.sat, data, WitnessOrigin.solver, 6.0)
    house.knowledge.write_now(truths.settle, record, ("z3",), 6.0)


@pytest.mark.parametrize(
    ("verdict", "model", "options", "severity", "status"),
    [
        (Verdict.unsat, None, FAIR, "2", "confirmed"),
        (Verdict.sat, "((define-fun P ((x Int)) Bool (> x 5)))", FAIR, "3a", "confirmed"),
        (Verdict.sat, "((define-fun P ((x Int)) Bool (> x 5)))", (), "3a", "known"),
        (Verdict.sat, "((define-fun P ((x Int)) Bool (> x (- 1))))", FAIR, "unresolved", "dismissed"),
    ],
)
async def test_unresolved_findings_are_resolved_by_a_certificate(
    house: House, verdict: Verdict, model: str | None, options: tuple[tuple[str, str], ...], severity: str, status: str
) -> None:
    """The stored answer is judged anew, with its witness: a right verdict with a wrong model is not dismissed."""
    key = answered(house, verdict, model, options)
    await house.upkeep.resolve()
    assert (Severity.unresolved, Status.unresolved) == house.status(key)
    settle(house)
    await house.upkeep.resolve()
    assert (severity, status) == house.status(key)
    assert ["resolved"] == [event.name for event in house.events]
    assert house.knowledge.read(findings.find, key).finding.certificate is not None


async def test_what_stays_unresolved_is_looked_at_once(house: House) -> None:
    """Nothing is gained by asking the checkers the same again."""
    key = house.add(finding(Severity.unresolved, Status.unresolved))
    settle(house)
    await house.upkeep.resolve()
    await house.upkeep.resolve()
    assert ((Severity.unresolved, Status.unresolved), []) == (house.status(key), house.events)


def test_unresolved_findings_are_asked_again_at_the_beginning(house: House) -> None:
    """Perhaps somebody can prove something today."""
    house.add(finding(Severity.unresolved, Status.unresolved))
    house.knowledge.read(standings.fill, house.core.view)
    house.upkeep.recall()
    asked = [request.parents for request in (house.core.next_request() for _ in range(30)) if request.job.kind == "ask"]
    assert [(RECORD.address,)] == asked


async def test_a_stronger_suspicion_takes_the_place_of_a_stored_one(house: House) -> None:
    """Also of one from an earlier run; there are never more than a handful."""
    label = finding(Severity.failure, Status.open).configuration.label
    stored = [Suspicion(n, Severity.failure, label, RECORD.address, "strange") for n in range(1, MOST + 1)]
    keys = [house.add(finding(Severity.failure, Status.open, at=n.score, reason=rating(n))) for n in stored]
    house.upkeep.recall()
    assert MOST == len(house.core.suspicions)
    newcomer = Suspicion(9.0, Severity.failure, label, RECORD.address, "stranger")
    weaker = house.core.suspicions.offer(newcomer)
    key = house.add(finding(Severity.failure, Status.open, at=9.0, reason=rating(newcomer)))
    await house.upkeep.exchange(newcomer, key, weaker)
    assert [Status.dismissed] + [Status.open] * (MOST - 1) == [house.status(each)[1] for each in keys]
    assert Status.open is house.status(key)[1]


async def test_what_jobs_start_from_is_evicted_last(tmp_path: Path) -> None:
    """Their children will name them as parents."""
    with open_knowledge_base(tmp_path / "state") as knowledge:
        full = House(knowledge, budget=1_200_000)
        for number in range(300):
            noise = Random(number).randbytes(2000).hex()
            record = InstanceRecord(f"; {noise}", Origin.trick, added=1.0)
            knowledge.write_now(instances.add, record)
            full.core.view.put(record.address, Standing(size=9, queries=1), Truth.sat)
        used = [full.core.next_request() for _ in range(5)]
        await full.upkeep.evict()
        assert ["evicted"] == [event.name for event in full.events]
        assert 0 < len(full.core.view) < 300
        parents = [parent for request in used for parent in request.parents]
        assert parents
        assert all(parent in full.core.view and knowledge.read(instances.is_known, parent) for parent in parents)


async def test_within_the_budget_nothing_goes(house: House) -> None:
    """Nor is anything said."""
    await house.upkeep.evict()
    assert [] == house.events
