"""Witnesses, certificates and truths; above all, that a truth is never turned round."""

import functools
import sqlite3
from collections.abc import Callable

import pytest

from chc.witness import Truth
from knowledge_base import counters, instances, truths
from knowledge_base.records import CertificateRecord, Contradiction
from knowledge_base.store import KnowledgeBase, in_one
from tests.knowledge_base.builders import instance, witness

SEED = instance("seed")
MODEL = witness(SEED)
REFUTATION = witness(SEED, Truth.unsat, '{"steps":[]}')


@pytest.fixture(autouse=True)
def _stored(knowledge: KnowledgeBase) -> None:
    knowledge.write_now(instances.add, SEED)


def test_a_witness_alone_is_no_truth(knowledge: KnowledgeBase) -> None:
    """It is a claim until a checker vouches for it."""
    key = knowledge.write_now(truths.add_witness, MODEL)
    assert [MODEL] == knowledge.read(truths.witnesses_of, SEED.address)
    assert knowledge.read(truths.truth_of, SEED.address) is None
    assert knowledge.read(truths.get_certificate, key) is None


def test_a_certificate_settles_the_truth(knowledge: KnowledgeBase) -> None:
    """It is then found from the instance and among all of its truth."""
    key = knowledge.write_now(truths.settle, MODEL, ["z3"], 5.0)
    assert Truth.sat is knowledge.read(truths.truth_of, SEED.address)
    assert CertificateRecord(key, MODEL, ("z3",), 5.0) == knowledge.read(truths.certificate_of, SEED.address)
    assert [SEED.address] == knowledge.read(truths.certified, Truth.sat)
    assert [] == knowledge.read(truths.certified, Truth.unsat)


def test_further_checkers_join_the_certificate(knowledge: KnowledgeBase) -> None:
    """The time stays that of the first."""
    key = knowledge.write_now(truths.settle, MODEL, ["z3"], 5.0)
    knowledge.write_now(truths.certify, key, ["evaluator", "cvc5", "z3"], 6.0)
    assert CertificateRecord(key, MODEL, ("cvc5", "evaluator", "z3"), 5.0) == knowledge.read(
        truths.get_certificate, key
    )


def test_a_second_witness_leaves_the_truth_where_it_rests(knowledge: KnowledgeBase) -> None:
    """Findings that name the first certificate go on to agree with the truth."""
    key = knowledge.write_now(truths.settle, MODEL, ["z3"], 5.0)
    knowledge.write_now(truths.settle, witness(SEED, data="{}"), ["cvc5"], 6.0)
    certificate = knowledge.read(truths.certificate_of, SEED.address)
    assert certificate is not None
    assert key == certificate.key


def test_the_opposite_truth_raises_an_alarm_that_is_recorded(knowledge: KnowledgeBase) -> None:
    """The known truth stays, the write is undone, and the evidence against it is kept."""
    knowledge.write_now(truths.settle, MODEL, ["z3"], 5.0)
    steps: list[Callable[[sqlite3.Connection], object]] = [
        functools.partial(counters.count, amounts={"truths": 1}),
        functools.partial(truths.settle, witness=REFUTATION, checkers=["cvc5"], at=6.0),
    ]
    with pytest.raises(truths.ContradictoryTruth, match="certified sat, and now it was certified unsat by cvc5"):
        knowledge.write_now(in_one, steps)
    assert Truth.sat is knowledge.read(truths.truth_of, SEED.address)
    assert {} == knowledge.read(counters.totals)
    assert [MODEL] == knowledge.read(truths.witnesses_of, SEED.address)
    assert [Contradiction(REFUTATION, ("cvc5",), Truth.sat, 6.0)] == knowledge.read(truths.contradictions)


def test_a_certificate_needs_a_checker(knowledge: KnowledgeBase) -> None:
    """And the witness that came with it is not stored either."""
    with pytest.raises(ValueError, match="at least one checker"):
        knowledge.write_now(truths.settle, MODEL, [], 5.0)
    assert [] == knowledge.read(truths.witnesses_of, SEED.address)


def test_an_unknown_witness_is_refused(knowledge: KnowledgeBase) -> None:
    """There is nothing that could be certified."""
    with pytest.raises(truths.UnknownWitness):
        knowledge.write_now(truths.certify, "00" * 16, ["z3"], 5.0)
