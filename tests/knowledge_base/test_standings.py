"""What schedules have learnt survives a restart."""

from chc.witness import Truth
from knowledge_base import instances, standings, truths
from knowledge_base.energy import Arm, Lesson, Standing
from knowledge_base.schedules import ADAPTIVE
from knowledge_base.store import KnowledgeBase, open_knowledge_base
from tests.knowledge_base.builders import instance, witness

SEED, OTHER = instance("seed"), instance("another seed")


def test_a_view_is_filled_as_it_was_left(knowledge: KnowledgeBase) -> None:
    """Instances without a history start fresh; the arm of a transformation that is gone is left out."""
    knowledge.write_now(instances.add, SEED)
    knowledge.write_now(instances.add, OTHER)
    knowledge.write_now(truths.settle, witness(SEED), ["z3"], 1.0)
    view = ADAPTIVE.view({"rename": frozenset({Truth.sat}), "gone": frozenset({Truth.sat})})
    knowledge.read(standings.fill, view)
    lesson = Lesson(1.5, is_decided=True, new_truths=1)
    knowledge.write_now(standings.save_standing, SEED.address, view.note_lesson(SEED.address, lesson))
    for name in ("rename", "gone"):
        knowledge.write_now(standings.save_arm, name, view.note_application(name, lesson))
    knowledge.close()
    again = ADAPTIVE.view({"rename": frozenset({Truth.sat})})
    with open_knowledge_base(knowledge.directory) as reopened:
        reopened.read(standings.fill, again)
    assert view.energies() == again.energies()
    assert view.standing(SEED.address) == again.standing(SEED.address)
    assert Standing(size=len(OTHER.text)) == again.standing(OTHER.address)
    assert (Truth.sat, None) == (again.truth(SEED.address), again.truth(OTHER.address))
    assert {"rename": Arm(1, 1, 1, 0, 1.5)} == again.arms
