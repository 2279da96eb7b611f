"""Answers, and the memory of what was asked."""

import msgspec
import pytest

from backends.answer import Verdict
from chc.witness import Truth
from knowledge_base import answers, instances
from knowledge_base.records import Choice
from knowledge_base.store import KnowledgeBase
from tests.knowledge_base.builders import GOLEM, SPACER, answer, instance

SEED = instance("seed")


def test_an_answer_comes_back_as_it_was(knowledge: KnowledgeBase) -> None:
    """With the choice that led to it."""
    choice = Choice("adaptive", SEED.address, Truth.sat, 0.25, "swap-and", 0.5, 10.0)
    record = msgspec.structs.replace(answer(SEED), choice=choice, is_warm=True)
    knowledge.write_now(instances.add, SEED)
    knowledge.write_now(answers.record, record)
    assert [record] == knowledge.read(answers.answers_of, SEED.address)


def test_several_answers_of_one_configuration_are_kept(knowledge: KnowledgeBase) -> None:
    """Triage asks again, and both answers count; the very same record counts once."""
    knowledge.write_now(instances.add, SEED)
    records = [answer(SEED, Verdict.unsat, at=2.0), answer(SEED, at=1.0), answer(SEED, at=1.0)]
    keys = [knowledge.write_now(answers.record, record) for record in records]
    assert keys[1] == keys[2] != keys[0]
    assert [records[1], records[0]] == knowledge.read(answers.answers_of, SEED.address)


def test_what_was_asked_is_known_per_configuration(knowledge: KnowledgeBase) -> None:
    """One option more is another configuration."""
    knowledge.write_now(instances.add, SEED)
    knowledge.write_now(answers.record, answer(SEED, configuration=SPACER))
    plain = msgspec.structs.replace(SPACER, options=())
    asked = [knowledge.read(answers.was_asked, SEED.address, each) for each in (SPACER, plain, GOLEM)]
    assert [True, False, False] == asked


def test_what_was_asked_and_dropped_is_still_known(knowledge: KnowledgeBase) -> None:
    """The text itself need not be stored."""
    knowledge.write_now(answers.note_asked, SEED.address, GOLEM, 1.0)
    assert knowledge.read(answers.was_asked, SEED.address, GOLEM)
    assert [] == knowledge.read(answers.answers_of, SEED.address)


def test_an_answer_to_nothing_is_refused_whole(knowledge: KnowledgeBase) -> None:
    """Not even the question is remembered."""
    with pytest.raises(instances.UnknownInstance):
        knowledge.write_now(answers.record, answer(SEED))
    assert not knowledge.read(answers.was_asked, SEED.address, SPACER)
