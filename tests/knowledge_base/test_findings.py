"""Findings: stored whole, found by key, examined again when a truth turns up."""

import msgspec
import pytest

from chc.witness import Truth
from knowledge_base import answers, counters, faults, findings, instances, truths
from knowledge_base.records import Severity, Status, StoredFinding
from knowledge_base.store import KnowledgeBase
from tests.knowledge_base.builders import answer, fault, finding, instance, lineage, run, trick, witness

SEED = instance("seed")
CHILD = trick("child", SEED)


@pytest.fixture(autouse=True)
def _stored(knowledge: KnowledgeBase) -> None:
    knowledge.write_now(instances.add, SEED)
    knowledge.write_now(instances.add, CHILD)


def test_a_finding_comes_back_with_everything_needed_to_replay_it(knowledge: KnowledgeBase) -> None:
    """Answer, certificate, its own lineage and its run."""
    knowledge.write_now(counters.start_run, run())
    full = msgspec.structs.replace(
        finding(CHILD),
        answer=knowledge.write_now(answers.record, answer(CHILD)),
        certificate=knowledge.write_now(truths.settle, witness(CHILD, Truth.unsat), ["z3"], 4.0),
        lineage=lineage(SEED, number=9),
        run="run-1",
        reason="fp.xform",
    )
    key = knowledge.write_now(findings.record, full)
    assert StoredFinding(key, full, full.at) == knowledge.read(findings.find, key)
    assert [full] == [each.finding for each in knowledge.read(findings.of_instance, CHILD.address)]


def test_a_finding_is_found_by_the_beginning_of_its_key(knowledge: KnowledgeBase) -> None:
    """What is not the beginning of exactly one key is refused, pattern characters too."""
    keys = [knowledge.write_now(findings.record, finding(CHILD, at=float(n))) for n in range(40)]
    assert keys[3] == knowledge.read(findings.find, keys[3][:12]).key
    shared = next(digit for digit in "0123456789abcdef" if sum(key.startswith(digit) for key in keys) > 1)
    for prefix in (shared, "", "*", "?", "00" * 16, "XYZ"):
        with pytest.raises(findings.UnknownFinding):
            knowledge.read(findings.find, prefix)


def test_the_same_finding_is_stored_once_and_keeps_its_progress(knowledge: KnowledgeBase) -> None:
    """A finding that was marked as known does not come up again."""
    key = knowledge.write_now(findings.record, finding(CHILD))
    known = msgspec.structs.replace(finding(CHILD), status=Status.known, reason="inlining")
    knowledge.write_now(findings.revise, key, known, 9.0)
    assert key == knowledge.write_now(findings.record, finding(CHILD))
    assert [StoredFinding(key, known, 9.0)] == knowledge.read(findings.select)


def test_findings_are_selected_by_status_and_severity(knowledge: KnowledgeBase) -> None:
    """In the order in which they were found; the tally counts both together."""
    statuses = (Status.open, Status.unresolved, Status.flaky)
    for number, status in enumerate(statuses):
        knowledge.write_now(findings.record, finding(CHILD, status, at=float(number)))
    assert list(statuses) == [each.finding.status for each in knowledge.read(findings.select)]
    flaky = knowledge.read(findings.select, status=Status.flaky)
    assert [Status.flaky] == [each.finding.status for each in flaky]
    assert 2 == len(knowledge.read(findings.select, severity=Severity.unsound))
    expected = {
        (Severity.unsound, Status.flaky): 1,
        (Severity.unsound, Status.open): 1,
        (Severity.unresolved, Status.unresolved): 1,
    }
    assert expected == knowledge.read(findings.tally)


def test_an_unresolved_finding_returns_when_its_instance_gets_a_truth(knowledge: KnowledgeBase) -> None:
    """And goes again when it was resolved."""
    key = knowledge.write_now(findings.record, finding(CHILD, Status.unresolved))
    knowledge.write_now(findings.record, finding(SEED, Status.unresolved))
    assert [] == knowledge.read(findings.resolvable)
    certificate = knowledge.write_now(truths.settle, witness(CHILD, Truth.unsat), ["z3"], 4.0)
    (stored,) = knowledge.read(findings.resolvable)
    assert key == stored.key
    resolved = msgspec.structs.replace(
        stored.finding, status=Status.confirmed, severity=Severity.unsound, certificate=certificate
    )
    knowledge.write_now(findings.revise, key, resolved, 9.0)
    assert [] == knowledge.read(findings.resolvable)
    assert resolved == knowledge.read(findings.find, key).finding


@pytest.mark.parametrize("field", ["answer", "certificate"])
def test_evidence_that_is_not_stored_is_refused(knowledge: KnowledgeBase, field: str) -> None:
    """A finding must not point into the void."""
    with pytest.raises(ValueError, match="not among the stored"):
        knowledge.write_now(findings.record, msgspec.structs.replace(finding(CHILD), **{field: "00" * 16}))


def test_an_unknown_finding_cannot_be_revised(knowledge: KnowledgeBase) -> None:
    """The message says how to see which there are."""
    with pytest.raises(findings.UnknownFinding):
        knowledge.write_now(findings.revise, "00" * 16, finding(CHILD), 9.0)


def test_our_own_faults_come_back_as_they_were(knowledge: KnowledgeBase) -> None:
    """With the chain that led to them, which need not be the first one of the instance; once each."""
    keys = [knowledge.write_now(faults.record, fault(CHILD, SEED)) for _ in range(2)]
    assert keys[0] == keys[1]
    assert [fault(CHILD, SEED)] == knowledge.read(faults.select)
