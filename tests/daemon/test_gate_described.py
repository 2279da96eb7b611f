"""Suspects that the daemon's configuration describes by tables: the gate lets them in, and the workers know them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backends.description import VARIABLE
from daemon import gate

TABLE = f"""program = "{sys.executable}"
version = "1.0"
command = ["{{program}}", "{{file}}"]
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration that names a solver with a table beside it."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    monkeypatch.setenv(VARIABLE, "")  # so that it is as before when the test is over
    (tmp_path / "tables").mkdir()
    path = tmp_path / "hornblower.toml"
    path.write_text('[hunt]\nsolvers = ["mine"]\ndescribed = ["tables"]\n')
    return path


def test_described_suspects_are_found(config: Path) -> None:
    """By the daemon, and by every process that it starts."""
    (config.parent / "tables" / "mine.toml").write_text(TABLE)
    (sighting,) = gate.admit(config).sightings
    assert sighting.configuration is not None
    assert ("mine", "1.0") == (sighting.configuration.solver, sighting.configuration.version)
    ask = "from backends.store import find; print(find('mine').version)"
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, env=os.environ)
    assert "1.0\n" == said.stdout


def test_mistakes_in_tables_are_told(config: Path) -> None:
    """Before anything starts."""
    (config.parent / "tables" / "mine.toml").write_text(TABLE.replace("{file}", "{fiel}"))
    with pytest.raises(gate.Refused, match=r"mine\.toml: command: \{fiel\} means nothing here") as caught:
        gate.admit(config)
    assert gate.Code.no_solver is caught.value.code
