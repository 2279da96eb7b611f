"""Stalls of the event loop are noticed, with a clock that is pushed by hand."""

import pytest

from daemon.heartbeat import INTERVAL, Heartbeat

pytestmark = pytest.mark.anyio


class Over(Exception):
    """The end of the play."""


async def test_late_beats_are_counted_and_the_longest_kept() -> None:
    """Of three beats, one on time, one late by 60 ms and one by 200 ms, two are stalls."""
    delays = iter([0.0, 0.06, 0.2])
    now = 0.0

    def clock() -> float:
        return now

    async def sleep(seconds: float) -> None:
        nonlocal now
        delay = next(delays, None)
        if delay is None:
            raise Over
        now += seconds + delay

    heartbeat = Heartbeat(sleep, clock)
    with pytest.raises(Over):
        await heartbeat.run()
    assert 2 == heartbeat.stalls
    assert heartbeat.longest == pytest.approx(0.2)
    assert INTERVAL < 0.05
