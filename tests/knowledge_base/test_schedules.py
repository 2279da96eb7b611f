"""Schedules: pure, each by its own weights, with limits that follow the lineage."""

from collections import Counter
from random import Random

import pytest

from chc.witness import Truth
from knowledge_base.energy import Lesson, Standing
from knowledge_base.records import Choice
from knowledge_base.schedules import (
    ADAPTIVE,
    DEFAULT,
    SCHEDULES,
    UNIFORM,
    Limits,
    Schedule,
    UnknownSchedule,
    schedule_named,
)
from knowledge_base.view import EVERY_POOL, View

TAKES: dict[str, frozenset[Truth | None]] = {
    "drop-clause": frozenset({Truth.sat}),
    "swap-and": frozenset({Truth.sat, Truth.unsat}),
    "rename": frozenset({Truth.sat, Truth.unsat, None}),
}


def filled(schedule: Schedule, number: int = 30) -> View:
    view = schedule.view(TAKES)
    for each in range(number):
        view.put(f"instance-{each}", Standing(size=10 * (each + 1)), EVERY_POOL[each % 3])
    return view


def choices(schedule: Schedule, view: View, seed: int, number: int) -> list[Choice]:
    rng = Random(seed)
    return [choice for _ in range(number) if (choice := schedule(view, rng)) is not None]


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_the_same_view_and_generator_give_the_same_choices(schedule: Schedule) -> None:
    """And choosing changes nothing in the view."""
    view = filled(schedule)
    before = view.energies(), dict(view.arms)
    first = choices(schedule, view, 1, 50)
    assert first == choices(schedule, filled(schedule), 1, 50)
    assert first != choices(schedule, view, 2, 50)
    assert before == (view.energies(), view.arms)


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_a_choice_fits_together(schedule: Schedule) -> None:
    """The transformation takes parents of that truth; the choice says by whom and with which shares."""
    view = filled(schedule)
    for choice in choices(schedule, view, 3, 100):
        assert schedule.name == choice.schedule
        assert view.truth(choice.instance) is choice.truth
        assert choice.transformation in view.transformations(choice.truth)
        assert 0.0 < choice.instance_share <= 1.0
        assert 0.0 < choice.transformation_share <= 1.0


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)
def test_nothing_to_choose_from(schedule: Schedule) -> None:
    """No instance: no choice. No transformation: the instance itself is to be asked."""
    assert schedule(schedule.view(TAKES), Random(0)) is None
    assert schedule(filled(schedule), Random(0), among=()) is None
    bare = schedule.view({})
    bare.put("a", Standing(), None)
    choice = schedule(bare, Random(0))
    assert choice is not None
    assert ("a", None) == (choice.instance, choice.transformation)


def test_uniform_treats_all_alike() -> None:
    """Whatever was learnt: each of 30 instances gets about its thirtieth of 6,000 choices."""
    view = filled(UNIFORM)
    for _ in range(20):
        view.note_lesson("instance-0", Lesson(0.01, is_decided=True, findings=1))
        view.note_application("rename", Lesson(0.01, is_decided=True, findings=1))
    drawn = choices(UNIFORM, view, 4, 6000)
    counted = Counter(choice.instance for choice in drawn)
    assert (30, True) == (len(counted), 140 < min(counted.values()) <= max(counted.values()) < 260)
    sat = Counter(choice.transformation for choice in drawn if choice.truth is Truth.sat)
    assert max(sat.values()) < 1.3 * min(sat.values())


def test_adaptive_prefers_the_productive_and_cheap() -> None:
    """But leaves the others a chance."""
    view = filled(ADAPTIVE)
    for each in range(30):
        for _ in range(10):
            view.note_lesson(f"instance-{each}", Lesson(0.05 if each == 7 else 2.0, True, new_truths=int(each == 7)))
    counted = Counter(choice.instance for choice in choices(ADAPTIVE, view, 5, 3000))
    assert "instance-7" == counted.most_common(1)[0][0]
    assert counted["instance-7"] > 1000
    assert 30 == len(counted)


def test_adaptive_spends_solver_time_where_it_pays() -> None:
    """Simulated: one instance in ten teaches something, half of them are slow; lessons per second must gain."""

    def lessons_per_second(schedule: Schedule) -> float:
        view, rng = filled(schedule, 100), Random(6)
        seconds = worth = 0.0
        for _ in range(1500):
            choice = schedule(view, rng)
            assert choice is not None
            number = int(choice.instance.removeprefix("instance-"))
            lesson = Lesson(0.1 if number % 2 else 2.0, True, new_truths=int(number % 10 < 1 or number % 10 == 1))
            view.note_pick(choice.instance)
            view.note_lesson(choice.instance, lesson)
            seconds, worth = seconds + lesson.seconds, worth + lesson.worth
        return worth / seconds

    assert lessons_per_second(ADAPTIVE) > 3.0 * lessons_per_second(UNIFORM)


def test_adaptive_learns_which_transformation_finds_something() -> None:
    """One that finds bugs fast is preferred to one that decides nothing and to one that never applies."""
    view = filled(ADAPTIVE)
    for _ in range(50):
        view.note_application("rename", Lesson(0.1, True, findings=1))
        view.note_application("swap-and", Lesson(1.0, False))
        view.note_application("drop-clause", None)
    counted = Counter(c.transformation for c in choices(ADAPTIVE, view, 7, 3000) if c.truth is Truth.sat)
    assert counted["rename"] > 3 * max(counted["swap-and"], counted["drop-clause"])
    assert min(counted["swap-and"], counted["drop-clause"]) > 0


def test_simple_and_complex_go_by_size() -> None:
    """One prefers the smallest third, the other the largest."""
    sizes = {
        name: [
            int(c.instance.removeprefix("instance-")) for c in choices(SCHEDULES[name], filled(SCHEDULES[name]), 8, 900)
        ]
        for name in ("simple", "complex")
    }
    assert sum(sizes["simple"]) / 900 < 10.0 < 17.0 < sum(sizes["complex"]) / 900


def test_limits_follow_the_slowest_relative() -> None:
    """Between floor and ceiling, and a default where nothing was ever decided."""
    limits = Limits(factor=20.0, floor=1.0, ceiling=60.0, first=10.0)
    relatives = [Standing(decided=(0.1, 0.5)), Standing(decided=(0.2,)), Standing()]
    assert 10.0 == limits.of(relatives)
    assert 4.0 == limits.of(relatives[1:])
    assert 10.0 == limits.of(relatives[2:])
    assert 1.0 == limits.of([Standing(decided=(0.001,))])
    assert 60.0 == limits.of([Standing(decided=(5.0,))])


def test_uniform_gives_everyone_the_same_minute() -> None:
    """As earlier tools do, so that runs can be compared."""
    assert {60.0} == {choice.limit_seconds for choice in choices(UNIFORM, filled(UNIFORM), 9, 10)}
    assert 60.0 == UNIFORM.limits.of([Standing(decided=(0.1,))])


def test_a_view_belongs_to_its_schedule() -> None:
    """The weights of another schedule would be used in silence otherwise."""
    with pytest.raises(ValueError, match="not made by the schedule uniform"):
        UNIFORM(filled(ADAPTIVE), Random(0))


def test_schedules_are_found_by_name() -> None:
    """A misspelt name is answered with those that exist."""
    assert ADAPTIVE is schedule_named(DEFAULT)
    with pytest.raises(UnknownSchedule, match="no schedule unifrom; choose one of: adaptive, complex, simple, uniform"):
        schedule_named("unifrom")
