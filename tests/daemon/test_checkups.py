"""The doctor: each checkup finds what is planted for it, and names a command that puts it right."""

import json
import os
import resource
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from backends.places import Installed
from daemon import checkups
from daemon.checkups import CHECKUPS, Condition, Diagnosis, Surroundings
from daemon.cli.doctor import examine
from daemon.cli.main import main
from daemon.listening import listen
from knowledge_base.store import FILE_NAME, open_knowledge_base

WELL, WARNING, PROBLEM = Condition.well, Condition.warning, Condition.problem


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    environment = {"PATH": str(tmp_path / "bin"), "TMPDIR": str(tmp_path)}
    (tmp_path / "bin").mkdir()
    return Surroundings(tmp_path / "socket", tmp_path / "state", environment, slots=1, memory_mb=1)


def look(name: str, around: Surroundings) -> list[Diagnosis]:
    return list(CHECKUPS[name](around))


def worst(name: str, around: Surroundings) -> Diagnosis:
    return max(look(name, around), key=lambda each: list(Condition).index(each.condition))


def tool(around: Surroundings, name: str, words: str) -> None:
    path = Path(around.environment["PATH"]) / name
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o755)


def test_a_healthy_machine(around: Surroundings) -> None:
    """What does not depend on the machine of the test is well, and what is well needs no remedy."""
    for name in ("solvers", "state", "knowledge", "permissions", "processes", "sockets", "memory"):
        found = look(name, around)
        assert found
        assert {(WELL, "")} == {(each.condition, each.remedy) for each in found}, name


@pytest.mark.slow
def test_checkers_decide(around: Surroundings) -> None:
    """Both, on a witness that is right."""
    assert ["z3 decides", "cvc5 decides"] == [each.words for each in look("checkers", around)]


def test_a_checker_that_does_not_decide(around: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a broken installation."""
    monkeypatch.setattr(checkups, "CHECKERS", ("z3",))
    monkeypatch.setattr("anyio.run", lambda *_: "undecided")
    found = worst("checkers", around)
    assert (PROBLEM, "z3 calls a right witness undecided") == (found.condition, found.words)
    assert "make setup" in found.remedy


def test_no_solver(around: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing could be asked."""
    monkeypatch.setattr(checkups, "installed", list)
    found = worst("solvers", around)
    assert (PROBLEM, True) == (found.condition, "hornblower solvers install" in found.remedy)


def test_a_solver_that_does_not_run(around: Surroundings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is there, but says nothing of itself."""
    tool(around, "z3", "exit 1")
    broken = Installed("spacer", "1.0", str(tmp_path / "bin" / "z3"))
    monkeypatch.setattr(checkups, "installed", lambda: [broken])
    found = worst("solvers", around)
    assert (PROBLEM, "hornblower solvers install spacer@1.0") == (found.condition, found.remedy)


def test_java_is_missing_broken_or_there(around: Surroundings) -> None:
    """It is no problem to have none: only some solvers need it."""
    assert WARNING is worst("java", around).condition
    tool(around, "java", "exit 1")
    assert WARNING is worst("java", around).condition
    tool(around, "java", 'echo "openjdk 21" >&2')
    assert (WELL, True) == ((found := worst("java", around)).condition, "openjdk 21" in found.words)


def test_a_state_directory_that_others_may_look_into(around: Surroundings) -> None:
    """The remedy is the command that hides it."""
    around.state.mkdir(mode=0o755)
    found = worst("state", around)
    assert (WARNING, f"chmod 0700 {around.state}") == (found.condition, found.remedy)
    around.state.chmod(0o700)
    assert WELL is worst("state", around).condition


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_state_directory_that_cannot_be_written(around: Surroundings) -> None:
    """Neither made nor used."""
    around.state.mkdir(mode=0o500)
    assert PROBLEM is worst("state", around).condition
    inner = msgspec.structs.replace(around, state=around.state / "inner")
    assert PROBLEM is worst("state", inner).condition


def test_a_knowledge_base_that_is_none(around: Surroundings) -> None:
    """Damaged, of something else, or newer than the program."""
    with open_knowledge_base(around.state):
        pass
    assert WELL is worst("knowledge", around).condition
    path = around.state / FILE_NAME
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")
    assert (PROBLEM, True) == ((found := worst("knowledge", around)).condition, "newer hornblower" in found.words)
    path.write_bytes(b"x" * 5000)
    assert PROBLEM is worst("knowledge", around).condition


@pytest.mark.parametrize(("free", "expected"), [(10, PROBLEM), (1000, WARNING), (100_000, WELL)])
def test_a_full_disk(around: Surroundings, monkeypatch: pytest.MonkeyPatch, free: int, expected: Condition) -> None:
    """Nearly full, rather full, and with room."""
    usage = type("Usage", (), {"free": free * 1024 * 1024})
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    assert expected is worst("disk", around).condition


def test_too_few_descriptors(around: Surroundings) -> None:
    """The limit of this very process, as it would be that of the daemon."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        found = worst("limits", around)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (PROBLEM, True) == (found.condition, "256 open files" in found.words)
    assert "LimitNOFILE" in found.remedy


def test_too_little_memory(around: Surroundings) -> None:
    """For one solver, or for as many as there are slots."""
    starving = msgspec.structs.replace(around, memory_mb=10**9)
    assert PROBLEM is worst("memory", starving).condition
    crowded = msgspec.structs.replace(around, slots=10**9)
    assert (WARNING, True) == ((found := worst("memory", crowded)).condition, "--slots" in found.remedy)


def test_a_service_that_is_not_installed_not_started_or_active(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what systemctl says; without systemd the daemon runs by other means."""
    assert "hornblower daemon" in worst("systemd", around).remedy
    monkeypatch.setattr(checkups, "RUNNING", Path("/"))
    tool(around, "systemctl", "echo LoadState=not-found; echo ActiveState=inactive")
    assert "hornblower systemd install" == worst("systemd", around).remedy
    tool(around, "systemctl", "echo LoadState=loaded; echo ActiveState=failed")
    assert "systemctl enable --now hornblower" in [each.remedy for each in look("systemd", around)]
    tool(around, "systemctl", "echo LoadState=loaded; echo ActiveState=active")
    assert [WELL, WELL] == [each.condition for each in look("systemd", around)]


def test_a_configuration_that_is_missing_or_wrong(around: Surroundings, tmp_path: Path) -> None:
    """A daemon would not start with it."""
    config = tmp_path / "hornblower.toml"
    looking = msgspec.structs.replace(around, config=config)
    assert f"hornblower config init {config}" == worst("configuration", looking).remedy
    config.write_text("[hunt]\nslotz = 1\n")
    assert (PROBLEM, True) == ((found := worst("configuration", looking)).condition, "slotz" in found.words)
    config.write_text("[hunt]\nslots = 1\n")
    assert WELL is worst("configuration", looking).condition


def test_no_daemon_and_a_dead_one(around: Surroundings) -> None:
    """Nobody has started one; one was killed; something else listens."""
    assert (WARNING, True) == ((found := worst("daemon", around)).condition, "systemctl start" in found.remedy)
    listen(around.socket).close()
    assert PROBLEM is worst("daemon", around).condition


def test_a_path_that_is_too_long_for_a_socket(around: Surroundings) -> None:
    """The kernel takes 107 bytes."""
    long = msgspec.structs.replace(around, socket=Path("/tmp") / ("x" * 110))
    assert (PROBLEM, True) == ((found := worst("sockets", long)).condition, "--socket" in found.remedy)


def test_a_problem_is_the_exit_code(around: Surroundings, capsys: pytest.CaptureFixture[str]) -> None:
    """A warning is not; every line has its checkup, and every complaint its remedy."""
    assert 0 == examine(around, {"java": CHECKUPS["java"]}, as_json=False)
    assert "type: apt-get install" in capsys.readouterr().out
    starving = msgspec.structs.replace(around, memory_mb=10**9)
    assert 1 == examine(starving, {"java": CHECKUPS["java"], "memory": CHECKUPS["memory"]}, as_json=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [("java", "warning"), ("memory", "problem")] == [(line["checkup"], line["condition"]) for line in lines]
    assert all(line["remedy"] for line in lines)


def test_the_command_takes_names_of_checkups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And refuses others."""
    options = ["--state", str(tmp_path), "--socket", str(tmp_path / "socket")]
    assert 0 == main(["doctor", "processes", "sockets", *options])
    assert 2 == len(capsys.readouterr().out.splitlines())
    with pytest.raises(SystemExit):
        main(["doctor", "nothing", *options])
    assert "there are: solvers" in capsys.readouterr().err


def test_unix_sockets_are_tried_out(around: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that is hardened too much may not make any."""

    def refuse(*_: object) -> socket.socket:
        raise OSError("Address family not supported")

    monkeypatch.setattr("socket.socket", refuse)
    assert PROBLEM is worst("sockets", around).condition
