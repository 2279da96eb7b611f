"""A hundred kills: nothing that was told or accepted is lost, and nothing is left running or lying about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.daemon.kills import kill

KILLS = 100


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_hundred_kills(tmp_path: Path) -> None:
    """In as many lanes as there are processors; more of them: python -m tests.daemon.kills --kills 1000."""
    lanes = min(4, os.cpu_count() or 1)
    home = tmp_path / "home"
    home.mkdir()
    tables = kill(-(-KILLS // lanes), lanes, home, seed=1)
    assert [] == [problem for table in tables for problem in table.wrong]
    assert sum(table.kills for table in tables) >= KILLS
    assert all(table.findings and table.jobs and table.queries for table in tables)
