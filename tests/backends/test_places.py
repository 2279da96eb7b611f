"""Programs that the user has registered."""

from pathlib import Path

import pytest

from backends.places import Installed, InstallError, order_of, register, registered, unregister


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    return tmp_path / "solvers"


def program(folder: Path, name: str = "solver") -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_registered_programs_are_remembered(tmp_path: Path, home: Path) -> None:
    """By name, the newest of one version in the place of the older, and no scraps beside the list."""
    old, new = (Installed("spacer", "1.0", program(tmp_path, name)) for name in ("old", "new"))
    register(old)
    register(Installed("spacer", "1.1", old.program))
    register(new)
    assert {"1.0": new.program, "1.1": old.program} == {each.version: each.program for each in registered("spacer")}
    assert [] == list(registered("golem"))
    assert ["registered.json"] == [path.name for path in home.iterdir()]


def test_programs_that_have_gone_are_not_listed(tmp_path: Path) -> None:
    register(Installed("spacer", "1.0", program(tmp_path)))
    (tmp_path / "solver").unlink()
    assert [] == list(registered("spacer"))


def test_forgetting(tmp_path: Path) -> None:
    """What was never there cannot be forgotten, and the program itself is not touched."""
    register(Installed("spacer", "1.0", program(tmp_path)))
    unregister("spacer", "1.0")
    assert (tmp_path / "solver").exists()
    with pytest.raises(InstallError, match=r"spacer@1\.0 is not installed"):
        unregister("spacer", "1.0")


def test_broken_register_is_said_with_its_path(home: Path) -> None:
    home.mkdir()
    (home / "registered.json").write_text("[1")
    with pytest.raises(InstallError, match=r"registered\.json.*delete it"):
        list(registered("spacer"))


def test_order_of_versions() -> None:
    """By number, not by letter; dates too."""
    versions = ["2.3", "2.2.1", "2.10", "2024-11-08", "2025-06-25"]
    assert ["2.2.1", "2.3", "2.10", "2024-11-08", "2025-06-25"] == sorted(versions, key=order_of)
