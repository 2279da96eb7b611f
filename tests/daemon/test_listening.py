"""The socket of the daemon: made with its rights, replaced when it is dead, and never taken from another daemon."""

import os
import socket
import stat
from pathlib import Path

import pytest

from daemon.listening import CannotListen, Peer, listen, may_connect, peer_of, socket_candidates
from daemon.state import state_directory

STRANGER = Peer(1, os.getuid() + 4711, 4711, (4712,))


def test_it_has_its_mode_from_the_beginning(tmp_path: Path) -> None:
    """And directories are made where they are missing."""
    path = tmp_path / "run" / "socket"
    with listen(path, 0o660):
        assert (True, 0o660) == (stat.S_ISSOCK(path.stat().st_mode), stat.S_IMODE(path.stat().st_mode))


def test_the_kernel_tells_who_is_there(tmp_path: Path) -> None:
    """Process, user and groups."""
    with listen(tmp_path / "socket") as listening, socket.socket(socket.AF_UNIX) as client:
        client.connect(str(tmp_path / "socket"))
        listening.setblocking(True)
        with listening.accept()[0] as connection:
            peer = peer_of(connection)
        assert (os.getpid(), os.getuid(), os.getgid()) == (peer.pid, peer.uid, peer.gid)
        assert set(os.getgroups()) == set(peer.groups)
        assert may_connect(peer, listening)


def test_what_a_killed_daemon_has_left_is_replaced(tmp_path: Path) -> None:
    """Nobody listens there any more."""
    listen(tmp_path / "socket").close()
    assert (tmp_path / "socket").exists()
    with listen(tmp_path / "socket"), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(tmp_path / "socket"))


def test_another_daemon_keeps_its_socket(tmp_path: Path) -> None:
    """And the message says so."""
    with listen(tmp_path / "socket"):
        with pytest.raises(CannotListen, match="another daemon listens"):
            listen(tmp_path / "socket")
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(tmp_path / "socket"))


def test_a_file_is_left_alone(tmp_path: Path) -> None:
    """Whatever it is."""
    (tmp_path / "socket").write_text("precious")
    with pytest.raises(CannotListen, match="is no socket"):
        listen(tmp_path / "socket")
    assert "precious" == (tmp_path / "socket").read_text()


def test_what_cannot_be_is_told_with_the_remedy(tmp_path: Path) -> None:
    """A path that is too long, a group that is not there."""
    with pytest.raises(CannotListen, match="name a shorter one"):
        listen(tmp_path / ("x" * 120))
    with pytest.raises(CannotListen, match="groupadd --system no-such-group"):
        listen(tmp_path / "socket", group="no-such-group")


@pytest.mark.parametrize(
    ("mode", "group", "expected"),
    [(0o660, 4711, True), (0o660, 4712, True), (0o660, 1, False), (0o600, 4711, False), (0o666, 1, True)],
)
@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file to a group")
def test_strangers_need_the_group(tmp_path: Path, mode: int, group: int, expected: bool) -> None:
    """Their own or one of the others that they are in; the mode has the last word."""
    with listen(tmp_path / "socket") as listening:
        os.chown(tmp_path / "socket", -1, group)
        os.chmod(tmp_path / "socket", mode)
        assert expected is may_connect(STRANGER, listening)


def test_a_socket_that_is_nowhere_lets_nobody_in(tmp_path: Path) -> None:
    """Except its owner and root, of whom there is no doubt."""
    with listen(tmp_path / "socket") as listening:
        (tmp_path / "socket").unlink()
        assert not may_connect(STRANGER, listening)
        assert may_connect(Peer(1, os.getuid(), 1), listening)


def test_where_a_client_looks() -> None:
    """What it was told; else the system's daemon, then its own."""
    assert (Path("/a/b"),) == socket_candidates({"HORNBLOWER_SOCKET": "/a/b", "XDG_RUNTIME_DIR": "/run/user/7"})
    assert Path("/run/user/7/hornblower/hornblower.sock") == socket_candidates({"XDG_RUNTIME_DIR": "/run/user/7"})[-1]
    assert state_directory() / "hornblower.sock" == socket_candidates({})[-1]
