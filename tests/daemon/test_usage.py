"""How busy slots were, while their number changes."""

from __future__ import annotations

import pytest

from daemon.usage import Usage


def test_pauses_do_not_count() -> None:
    """Nor slots that were not there yet."""
    usage = Usage()
    assert 0.0 == usage.share(5.0)
    usage.set_slots(2, 10.0)
    usage.add(15.0)
    assert pytest.approx(0.75) == usage.share(20.0)
    usage.set_slots(0, 20.0)
    assert pytest.approx(0.75) == usage.share(1000.0)
    usage.set_slots(4, 1000.0)
    assert pytest.approx(15.0 / 60.0) == usage.share(1010.0)
