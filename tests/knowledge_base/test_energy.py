"""What instances and transformations are worth."""

import pytest

from knowledge_base.energy import Arm, Lesson, Standing, arm_weights, energy, missed, picked, rate, rewarded, taught

NOTHING = Lesson(seconds=1.0, is_decided=True)
TRUTH = Lesson(seconds=1.0, is_decided=True, new_truths=1)


def after(*lessons: Lesson) -> Standing:
    standing = Standing(size=100)
    for lesson in lessons:
        standing = taught(standing, lesson)
    return standing


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (after(TRUTH), after(NOTHING)),
        (after(Lesson(1.0, findings=1)), after(TRUTH)),
        (after(Lesson(1.0, new_shapes=1)), after(NOTHING)),
        (after(NOTHING, TRUTH), after(TRUTH, NOTHING)),
        (after(Lesson(0.1)), after(Lesson(1.0))),
        (after(), picked(after())),
        (Standing(size=10), Standing(size=1000)),
        (after(NOTHING), after(NOTHING, NOTHING)),
    ],
    ids=["truth", "finding", "shape", "recent", "cheap", "fresh", "small", "not yet exhausted"],
)
def test_energy_prefers(better: Standing, worse: Standing) -> None:
    """Each ingredient of the energy counts in the right direction."""
    assert energy(better) > energy(worse) > 0.0


def test_a_standing_remembers_the_latest_times_only() -> None:
    """The median and the slowest decided time are those of the window; undecided ones limit nothing."""
    standing = after(Lesson(100.0, is_decided=True), *[Lesson(float(n), is_decided=n < 5) for n in range(9)])
    assert 10 == standing.queries
    assert 4.0 == standing.median_seconds
    assert 100.0 == standing.slowest_decided
    assert 2.0 == taught(Standing(), Lesson(2.0, is_decided=True)).slowest_decided
    assert after(Lesson(3.0)).slowest_decided is None
    assert 9 == len(after(*[NOTHING] * 20).decided)


def test_an_arm_is_worth_what_it_gives_per_second() -> None:
    """Decided answers count, findings more, and attempts that do not apply count against it."""
    arm = Arm()
    for _ in range(10):
        arm = rewarded(arm, Lesson(1.0, is_decided=True))
    slow = Arm(arm.tried, arm.applied, arm.decided, arm.findings, seconds=100.0)
    finder = rewarded(arm, Lesson(1.0, is_decided=True, findings=1))
    assert rate(finder) > rate(arm) > rate(slow)
    assert rate(arm) > rate(missed(arm))


def test_the_untried_arm_gets_its_chance() -> None:
    """Among equals the one that was tried least weighs most, and none weighs nothing."""
    often = Arm(tried=1000, applied=1000, decided=1000, seconds=1000.0)
    seldom = Arm(tried=10, applied=10, decided=10, seconds=10.0)
    useless = Arm(tried=1000, applied=1000, seconds=10000.0)
    weights = arm_weights([often, seldom, useless])
    assert weights[1] > weights[0] > weights[2] > 0.0
    assert [] == arm_weights([])
