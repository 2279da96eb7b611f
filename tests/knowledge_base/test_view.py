"""The view against a plain dictionary."""

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from chc.witness import Truth
from knowledge_base.energy import Arm, Lesson, Standing
from knowledge_base.view import EVERY_POOL, View

NAMES = st.sampled_from("abcdefgh")
TRUTHS = st.sampled_from(EVERY_POOL)


def by_size(standing: Standing) -> float:
    return float(standing.size)


class AgainstADictionary(RuleBasedStateMachine):
    """Whatever is put, changed and dropped, the view draws from exactly what is there."""

    def __init__(self) -> None:
        super().__init__()
        self.view = View(by_size, {})
        self.model: dict[str, tuple[int, Truth | None]] = {}

    @rule(name=NAMES, size=st.integers(0, 3), truth=TRUTHS)
    def put(self, name: str, size: int, truth: Truth | None) -> None:
        self.view.put(name, Standing(size=size), truth)
        self.model[name] = size, truth

    @rule(name=NAMES)
    def drop(self, name: str) -> None:
        if self.model.pop(name, None) is not None:
            self.view.drop(name)

    @rule(seed=st.integers(0, 1000), among=st.sampled_from([EVERY_POOL, (Truth.sat,), (None, Truth.unsat)]))
    def draw(self, seed: int, among: tuple[Truth | None, ...]) -> None:
        fitting = {name: size for name, (size, truth) in self.model.items() if truth in among and size}
        drawn = self.view.draw(Random(seed), among)
        if drawn is None:
            assert {} == fitting
        else:
            assert fitting[drawn[0]] / sum(fitting.values()) == drawn[1]

    @invariant()
    def knows_the_same(self) -> None:
        assert {name: float(size) for name, (size, _) in self.model.items()} == self.view.energies()
        assert {name: truth for name, (_, truth) in self.model.items()} == {n: self.view.truth(n) for n in self.model}


TestAgainstADictionary = AgainstADictionary.TestCase
TestAgainstADictionary.settings = settings(max_examples=40, stateful_step_count=30)


def test_lessons_change_standings_and_arms() -> None:
    """What is told to the view is returned, so that it can be stored."""
    view = View(by_size, {"swap-and": frozenset({Truth.sat})})
    view.put("a", Standing(size=1), None)
    assert 1 == view.note_pick("a").picks == view.standing("a").picks
    assert (2.0,) == view.note_lesson("a", Lesson(2.0)).recent == view.standing("a").recent
    assert Arm(tried=1) == view.note_application("swap-and", None)
    assert (
        Arm(tried=2, applied=1, seconds=2.0) == view.note_application("swap-and", Lesson(2.0)) == view.arms["swap-and"]
    )


def test_transformations_are_listed_by_the_truth_they_take() -> None:
    """Those that need no witness take parents of open truth as well."""
    view = View(by_size, {"a": frozenset({Truth.sat}), "b": frozenset({Truth.sat, Truth.unsat, None})})
    assert [("a", "b"), ("b",), ("b",)] == [view.transformations(truth) for truth in EVERY_POOL]
