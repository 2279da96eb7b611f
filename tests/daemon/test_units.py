"""The units: systemd finds nothing wrong with them, nearly all is forbidden, and they are put where they belong."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from daemon.cli.main import main
from daemon.gate import Code
from daemon.units import NotInstalled, own_program, require_visible, system_units, text_of

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs: apt-get install systemd")
MOST_EXPOSURE = 2.0


def analysed(*words: str) -> str:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    assert 0 == main(["systemd", "install", "--root", str(tmp_path)])
    return tmp_path


@needs_systemd
def test_systemd_finds_nothing_wrong(installed: Path) -> None:
    """It is silent about both."""
    units = installed / "etc" / "systemd" / "system"
    assert "" == analysed("verify", *(str(units / f"hornblower.{kind}") for kind in ("service", "socket")))


@needs_systemd
def test_a_planted_mistake_is_found(installed: Path) -> None:
    """Otherwise the test above would say nothing."""
    service = installed / "etc" / "systemd" / "system" / "hornblower.service"
    service.write_text(service.read_text().replace("[Service]\n", "[Service]\nProtectHme=yes\n"))
    assert "ProtectHme" in analysed("verify", str(service))


@needs_systemd
def test_what_is_exposed_is_little(installed: Path) -> None:
    service = installed / "etc" / "systemd" / "system" / "hornblower.service"
    said = analysed("security", "--offline=true", str(service))
    found = re.search(r"Overall exposure level for hornblower.service: ([\d.]+)", said)
    assert found is not None, said
    assert float(found[1]) <= MOST_EXPOSURE


def test_what_is_installed_goes_away_again(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The configuration stays, since somebody may have changed it."""
    files = {unit.target for unit in system_units(installed)}
    config = installed / "etc" / "hornblower" / "hornblower.toml"
    assert {*files, config} == {path for path in installed.rglob("*") if path.is_file()}
    assert f"ExecStart={own_program()} daemon" in (
        installed / "etc" / "systemd" / "system" / "hornblower.service"
    ).read_text(encoding="utf-8")
    config.write_text("# mine")
    assert [0, 0] == [main(["systemd", action, "--root", str(installed)]) for action in ("install", "uninstall")]
    assert [config] == [path for path in installed.rglob("*") if path.is_file()]
    assert "# mine" == config.read_text()
    assert "systemctl enable --now hornblower.socket hornblower.service" in capsys.readouterr().out


def test_for_one_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing goes where only root may write."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "/home/somebody/.config")
    assert 0 == main(["systemd", "install", "--user", "--root", str(tmp_path)])
    home = tmp_path / "home" / "somebody" / ".config"
    assert {home / "systemd" / "user" / "hornblower.service", home / "hornblower" / "hornblower.toml"} == {
        path for path in tmp_path.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("place", ["/home/me/.venv/bin/hornblower", "/root/.venv/bin/hornblower", "/tmp/x/hornblower"])
def test_a_program_that_the_service_cannot_see_is_refused(place: str) -> None:
    """With what to do instead."""
    with pytest.raises(NotInstalled, match="--user"):
        require_visible(Path(place))


def test_what_has_to_be_repaired_by_somebody_is_not_started_again() -> None:
    """The unit and the exit codes of the gate agree."""
    text = text_of(system_units(Path("/"))[0], own_program())
    prevented = re.search(r"^RestartPreventExitStatus=(.*)$", text, re.MULTILINE)
    assert prevented is not None
    passing = {Code.locked, Code.disk_full, Code.failed}
    assert {int(code) for code in set(Code) - passing} == set(map(int, prevented[1].split()))
