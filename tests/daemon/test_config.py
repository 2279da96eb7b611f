"""The configuration: the default is what the code says, mistakes are told with their place, paths are whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from daemon.cli.main import main
from daemon.config import (
    BadConfig,
    Config,
    Difference,
    SeedsSection,
    default_text,
    difference,
    parse_config,
    read_config,
    socket_of,
    state_of,
)  # fmt: skip

HERE = Path("/etc/hornblower/hornblower.toml")


def parsed(text: str) -> Config:
    return parse_config(text, HERE)


def test_the_default_file_says_what_is_the_default() -> None:
    """As it is, and with every option uncommented."""
    text = default_text()
    assert Config() == parsed(text)
    uncommented = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    assert uncommented.count(" = ") > 25
    assert Config() == parsed(uncommented)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[hunt]\nslot = 3", "hunt.slot: no such option; did you mean slots?"),
        ("[hnt]", "hnt: no such section; did you mean hunt?"),
        ("[hunt]\nquux = 3", "hunt.quux: no such option; there are solvers, slots"),
        ("[hunt]\nslots = 'two'", "hunt.slots: Expected `int`, got `str`"),
        ("[hunt]\nsolvers = []", "hunt.solvers: Expected `array` of length >= 1"),
        ("[hunt]\nschedule = 'best'", "hunt.schedule: there is no schedule best; choose "),
        ("[limits]\nquery_seconds = 0", "limits.query_seconds: Expected `float` > 0"),
        ("[socket]\nmode = '660'", "socket.mode: Expected `str` matching regex"),
        ("[health]\ntimeouts = 2.0", "health.timeouts: Expected `float` <= 1"),
        ("[log]\nlevel = 'loud'", "log.level: Invalid enum value 'loud'"),
        ("slots =", "Invalid value"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, message: str) -> None:
    """And with what may have been meant."""
    with pytest.raises(BadConfig, match=re.escape(f"{HERE}: ")) as caught:
        parsed(text)
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The message says how to make one."""
    with pytest.raises(BadConfig, match="hornblower config init"):
        read_config(tmp_path / "none.toml")


def test_relative_paths_are_meant_from_the_file() -> None:
    """What is empty stays so."""
    config = parsed('[seeds]\ndirectories = ["seeds", "/srv"]\n[knowledge]\nstate = "state"\n')
    assert SeedsSection(directories=("/etc/hornblower/seeds", "/srv")) == config.seeds
    assert ("/etc/hornblower/state", "") == (config.knowledge.state, config.socket.path)


def test_where_things_lie() -> None:
    """What is said, or what systemd says, or what is usual."""
    said = parsed('[knowledge]\nstate = "/a"\n[socket]\npath = "/b"\n')
    systemd = {"STATE_DIRECTORY": "/var/lib/hornblower", "RUNTIME_DIRECTORY": "/run/hornblower"}
    assert (Path("/a"), Path("/b")) == (state_of(said, systemd), socket_of(said, systemd))
    assert Path("/var/lib/hornblower") == state_of(Config(), systemd)
    assert Path("/run/hornblower/hornblower.sock") == socket_of(Config(), systemd)
    assert Path("/run/user/1/hornblower/hornblower.sock") == socket_of(Config(), {"XDG_RUNTIME_DIR": "/run/user/1"})


def test_what_a_reload_changes() -> None:
    """Some of it at once, the rest at the next start."""
    old, new = parsed(""), parsed('[hunt]\nslots = 3\n[log]\nlevel = "error"\n[knowledge]\nstate = "/a"\n')
    assert Difference(("hunt.slots", "log.level"), ("knowledge.state",)) == difference(old, new)
    assert Difference() == difference(new, new)


def test_making_checking_and_showing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is there already is not overwritten unless one says so."""
    path = tmp_path / "new" / "hornblower.toml"
    assert [0, 4, 0, 0] == [
        main(["config", *words, str(path)]) for words in (["init"], ["init"], ["init", "--force"], ["check"])
    ]
    assert "is in order; the suspects are spacer@" in capsys.readouterr().out
    assert 0 == main(["config", "show", str(path)])
    assert "query_seconds = 10.0" in capsys.readouterr().out
    path.write_text("[hnt]")
    assert [10, 10] == [main(["config", action, str(path)]) for action in ("check", "show")]
