"""Health, from made-up snapshots: each thing that can be wrong is said once, and once more when it is over."""

from __future__ import annotations

import msgspec
import pytest

from daemon.health import CHECKS, Health, HealthRules, Snapshot

RULES = HealthRules()
WELL = Snapshot(
    at=0.0, disk_free_mb=1000.0, disk_reserve_mb=100.0, memory_mb=50.0, descriptors=20, most_descriptors=1000
)
BUSY = {"busy_seconds": 1190.0, "slot_seconds": 1200.0}
WRONG: dict[str, dict[str, object]] = {
    "timeouts": {"queries": 100, "timeouts": 60},
    "undecided": {"checked": 100, "undecided": 60},
    "starved": {"busy_seconds": 100.0, "slot_seconds": 1200.0},
    "idle-transformations": {"tried": {"swap-and": (300, 0)}},
    "losses": {"lost": 3},
    "missing": {"missing": ("spacer@4.13.4",)},
    "disk": {"disk_free_mb": 99.0},
    "memory": {"memory_mb": 2049.0},
    "descriptors": {"descriptors": 801},
    "stall": {"stall": 1.5},
}
STILL: dict[str, dict[str, object]] = {
    "timeouts": {"queries": 100, "timeouts": 45},
    "starved": {"busy_seconds": 550.0, "slot_seconds": 1200.0},
    "disk": {"disk_free_mb": 110.0},
    "memory": {"memory_mb": 1900.0},
}
"""Not bad enough to begin with, and not good enough to be over."""


def after(minutes: float, **changes: object) -> Snapshot:
    return msgspec.structs.replace(WELL, at=60 * minutes, **{**BUSY, **changes})


def begun(health: Health, snapshot: Snapshot) -> list[str]:
    return [each.check for each in health.observe(snapshot).begun]


def test_a_hunt_that_is_well_is_not_complained_about() -> None:
    """Whatever it has done."""
    health = Health(RULES)
    snapshots = [WELL, after(10, queries=1000, timeouts=100, truths=500, checked=900, undecided=10)]
    assert [[], []] == [begun(health, each) for each in snapshots]


@pytest.mark.parametrize("check", WRONG)
def test_what_is_wrong_is_said_once_with_what_to_do(check: str) -> None:
    """When it begins, and not again as long as it goes on."""
    health = Health(RULES)
    health.observe(WELL)
    wrong = after(9, **WRONG[check])
    (episode,) = health.observe(wrong).begun
    assert (check, 540.0) == (episode.check, episode.since)
    assert len(episode.problem) > 10
    assert len(episode.remedy) > 10
    again = health.observe(msgspec.structs.replace(wrong, at=wrong.at + 1))
    assert ((), ()) == (again.begun, again.ended)
    assert (episode,) == health.episodes


@pytest.mark.parametrize("check", WRONG)
def test_it_is_said_when_it_is_over(check: str) -> None:
    """Once, and then it may begin anew."""
    health = Health(RULES)
    health.observe(WELL)
    health.observe(after(9, **WRONG[check]))
    health.observe(after(9.5, is_hunting=False))  # a pause clears what is in the window
    health.observe(after(10))
    assert () == health.episodes
    assert [] == begun(health, after(10.1))


@pytest.mark.parametrize("check", STILL)
def test_to_begin_is_harder_than_to_go_on(check: str) -> None:
    """So nothing flickers at the border."""
    fresh, ill = Health(RULES), Health(RULES)
    for health in (fresh, ill):
        health.observe(WELL)
    ill.observe(after(8, **WRONG[check]))
    between = after(9, **STILL[check])
    assert [] == begun(fresh, between)
    assert () == ill.observe(between).ended
    assert [check] == [each.check for each in ill.episodes]


def test_no_new_truth_for_long() -> None:
    """It is over with the first new one."""
    health = Health(RULES)
    for minutes in range(0, 60, 5):
        assert [] == begun(health, after(minutes, queries=10 * minutes))
    assert ["barren"] == begun(health, after(60, queries=600))
    assert ["barren"] == [each.check for each in health.observe(after(61, queries=610, truths=1)).ended]


def test_a_pause_is_no_drought() -> None:
    """Slots that nobody was to fill do not starve."""
    health = Health(RULES)
    for minutes in range(0, 120, 5):
        assert [] == begun(health, after(minutes, is_hunting=False, busy_seconds=0.0))


def test_old_troubles_leave_the_window() -> None:
    """What counts is the last minutes."""
    health = Health(RULES)
    health.observe(WELL)
    health.observe(after(1, queries=100, timeouts=100))
    for minutes in range(2, 13):
        health.observe(after(minutes, queries=100 * minutes, timeouts=100))
    assert () == health.episodes


def test_each_subject_is_an_episode_of_its_own() -> None:
    """One suspect may come back while another is still away."""
    health = Health(RULES)
    health.observe(WELL)
    assert ["missing", "missing"] == begun(health, after(1, missing=("a", "b")))
    assert ["a"] == [each.subject for each in health.observe(after(2, missing=("b",))).ended]


def test_every_check_is_tried_here() -> None:
    """`barren` has a test of its own."""
    assert set(CHECKS) == {"barren", *WRONG}
