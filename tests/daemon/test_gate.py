"""The gate: each problem has its exit code, and its message says what to do."""

from __future__ import annotations

import os
import socket
import sqlite3
from pathlib import Path

import pytest

from daemon.cli.main import main
from daemon.config import Config
from daemon.gate import MEANINGS, Code, lack_of_room, open_socket
from knowledge_base.store import FILE_NAME, open_knowledge_base


def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str = "") -> tuple[int, str]:
    config = tmp_path / "hornblower.toml"
    config.write_text('[knowledge]\nstate = "state"\n[socket]\npath = "socket"\n' + text)
    code = main(["daemon", "--config", str(config)])
    return code, capsys.readouterr().err


def test_no_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Code.bad_config == main(["daemon", "--config", str(tmp_path / "none")])
    assert "hornblower config init" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "code", "remedy"),
    [
        ("[hunt]\nslot = 1", Code.bad_config, "did you mean slots?"),
        ('[hunt]\nsolvers = ["spacer@0.1"]', Code.no_solver, "hornblower solvers install spacer@0.1"),
        ('[hunt]\nsolvers = ["spacer@path:/nowhere/z3"]', Code.no_solver, "ls -l /nowhere/z3"),
        ('[hunt]\nsolvers = ["space"]', Code.no_solver, "no such solver"),
        ('[seeds]\ndirectories = ["none"]', Code.no_seeds, "mkdir -p"),
    ],
)
def test_a_configuration_that_cannot_be_used(
    text: str, code: Code, remedy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is made before all of it is right."""
    found, said = refused(tmp_path, capsys, text)
    assert code == found
    assert remedy in said
    assert not (tmp_path / "state").exists()


def test_a_state_directory_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state").write_text("")
    code, said = refused(tmp_path, capsys)
    assert Code.bad_state == code
    assert "ls -ld" in said


def test_a_state_directory_that_is_in_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the process."""
    with open_knowledge_base(tmp_path / "state"):
        code, said = refused(tmp_path, capsys)
    assert Code.locked == code
    assert f"pid {os.getpid()}" in said


@pytest.mark.parametrize(("version", "code"), [(1000, Code.newer_schema), (None, Code.damaged)])
def test_a_knowledge_base_that_cannot_be_used(
    version: int | None, code: Code, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a newer version, or no database at all."""
    open_knowledge_base(tmp_path / "state").close()
    path = tmp_path / "state" / FILE_NAME
    if version is None:
        path.write_bytes(b"not a database at all " * 100)
    else:
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
    found, said = refused(tmp_path, capsys)
    assert code == found
    assert str(tmp_path / "state") in said


def test_a_disk_that_is_nearly_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """More is wanted than any disk has."""
    config = tmp_path / "hornblower.toml"
    config.write_text('[knowledge]\nstate = "state"\ndisk_reserve_mb = 1000000000000\n')
    assert Code.disk_full == main(["daemon", "--config", str(config)])
    assert "df -h" in capsys.readouterr().err
    assert lack_of_room(tmp_path, 100 * 1024**2, 100) is None
    assert "99 MB are free" in (lack_of_room(tmp_path, 100 * 1024**2 - 1, 100) or "")


def test_a_socket_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Something else lies there; the state directory is free again afterwards."""
    (tmp_path / "socket").write_text("mine")
    code, said = refused(tmp_path, capsys)
    assert Code.no_socket == code
    assert "is no socket" in said
    open_knowledge_base(tmp_path / "state").close()


def test_a_socket_that_is_handed_over_must_be_one(tmp_path: Path) -> None:
    """Without any, the daemon makes its own."""
    config = Config()
    own, is_activated = open_socket(config, {"RUNTIME_DIRECTORY": str(tmp_path)}, os.getpid())
    with own:
        assert not is_activated
        assert str(tmp_path / "hornblower.sock") == own.getsockname()
        assert own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)


def test_every_code_has_a_meaning_and_stands_on_the_page() -> None:
    """With the same words, and differs from those that all commands have."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "service.md").read_text()
    assert set(Code) == set(MEANINGS)
    assert set() == {0, 1, 2, 3, 4, 5} & {int(code) for code in Code}
    for code, words in MEANINGS.items():
        assert f"| {code:d} | {words}" in page
