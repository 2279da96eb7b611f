"""Slot time is shared evenly, however long the queries take."""

from random import Random

import pytest

from backends.answer import Configuration
from daemon.shares import Shares

SLOW, QUICK, FAILING = (Configuration(name, "1", f"/opt/{name}") for name in ("slow", "quick", "failing"))
SECONDS = {SLOW: 3.0, QUICK: 0.05, FAILING: 0.0}


def spent(shares: Shares, suspects: list[Configuration], jobs: int, under_way: int = 6) -> dict[Configuration, float]:
    """The time that each gets when so many jobs are always under way."""
    rng, time, open_jobs = Random(1), dict.fromkeys(suspects, 0.0), []
    for job in range(jobs):
        first = shares.order(suspects, rng)[0]
        shares.begin(job, first)
        open_jobs.append((job, first))
        if len(open_jobs) == under_way:
            done, asked = open_jobs.pop(0)
            shares.end(done, asked, SECONDS[asked])
            time[asked] += max(SECONDS[asked], 0.02)
    return time


def test_a_slow_solver_neither_starves_nor_is_starved() -> None:
    """Sixty times as slow, it is asked a sixtieth as often."""
    time = spent(Shares(), [SLOW, QUICK], 6000)
    assert 0.8 < time[SLOW] / time[QUICK] < 1.25


def test_one_that_fails_at_once_does_not_take_every_turn() -> None:
    """A query costs something, even if it takes no time."""
    time = spent(Shares(), [QUICK, FAILING], 3000)
    assert 0.8 < time[FAILING] / time[QUICK] < 1.25


def test_a_newcomer_has_no_claim_to_the_past() -> None:
    """It takes its turns beside the others from then on."""
    shares = Shares()
    spent(shares, [QUICK], 2000)
    time = spent(shares, [QUICK, FAILING], 1000)
    assert 0.8 < time[FAILING] / time[QUICK] < 1.25


def test_whoever_could_not_be_asked_for_long_catches_up_only_a_little() -> None:
    """A minute, not an hour."""
    shares = Shares()
    shares.order([SLOW, QUICK], Random(1))
    for job in range(2000):
        shares.begin(job, QUICK)
        shares.end(job, SLOW, 3.0)  # nothing suited the other one
    time = spent(shares, [SLOW, QUICK], 4000)
    assert 40.0 < time[QUICK] - time[SLOW] < 80.0


def test_who_was_asked_instead_pays() -> None:
    """Neither the first choice does, nor anybody where nobody was asked."""
    shares, rng = Shares(), Random(1)
    shares.begin(1, SLOW)
    shares.end(1, QUICK, 1.0)
    shares.begin(2, QUICK)
    shares.end(2, QUICK, None)
    assert {SLOW} == {shares.order([QUICK, SLOW], rng)[0] for _ in range(20)}


def test_all_are_named_each_time() -> None:
    """Equals in any order."""
    orders = {tuple(Shares().order([SLOW, QUICK, FAILING], Random(seed))) for seed in range(50)}
    assert 6 == len(orders)
    assert [3] * 6 == [len(set(order)) for order in orders]


def test_jobs_that_were_not_begun_are_not_ended() -> None:
    """That would be a mistake of ours."""
    with pytest.raises(KeyError):
        Shares().end(1, SLOW, 1.0)
