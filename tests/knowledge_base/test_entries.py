"""Everything of one query is stored together, and findings know their answers."""

import msgspec

from knowledge_base import answers, findings
from knowledge_base.entries import Entry, store
from knowledge_base.store import KnowledgeBase
from tests.knowledge_base.builders import GOLEM, SPACER, answer, finding, instance

SEED = instance("seed")


def test_findings_about_others_have_their_answers(knowledge: KnowledgeBase) -> None:
    """Each that of its own configuration; without one, that of the query."""
    own, other = answer(SEED), answer(SEED, configuration=GOLEM)
    about_other = msgspec.structs.replace(finding(SEED), configuration=GOLEM)
    entry = Entry(instance=SEED, answer=own, others=(other,), findings=(finding(SEED), about_other))
    keys = knowledge.write_now(store, entry)
    stored = [knowledge.read(findings.find, key).finding for key in keys]
    assert [SPACER, GOLEM] == [each.configuration for each in stored]
    assert 2 == len({each.answer for each in stored} - {None})
    assert {own, other} == set(knowledge.read(answers.answers_of, SEED.address))
