"""One process owns a state directory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge_base.lock import AlreadyOwned, StateLock
from knowledge_base.store import KnowledgeBase, open_knowledge_base


def test_a_second_owner_is_refused_with_the_pid_of_the_first(knowledge: KnowledgeBase) -> None:
    """Also inside one process, since the lock belongs to the open file."""
    with pytest.raises(AlreadyOwned, match=f"in use by the process with pid {os.getpid()};"):
        open_knowledge_base(knowledge.directory)


def test_another_process_is_refused_with_our_pid(tmp_path: Path) -> None:
    """The case that happens: the daemon runs, and somebody starts it again."""
    program = "import sys, pathlib, knowledge_base.lock as lock; lock.StateLock(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(tmp_path)]
    with StateLock(tmp_path):
        refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 1 == refused.returncode
    assert f"AlreadyOwned: {tmp_path} is in use by the process with pid {os.getpid()};" in refused.stderr
    assert 0 == subprocess.run(command, capture_output=True, check=False).returncode


def test_a_program_that_was_started_does_not_keep_the_lock(tmp_path: Path) -> None:
    """A solver that outlives the daemon must not keep it from starting again."""
    lock = StateLock(tmp_path)
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False) as solver:
        lock.release()
        StateLock(tmp_path).release()
        assert solver.stdin is not None
        solver.stdin.close()
    assert 0 == solver.returncode


def test_the_name_of_an_earlier_owner_is_overwritten(tmp_path: Path) -> None:
    """A longer pid of a process long dead leaves no digits behind."""
    (tmp_path / "lock").write_text("99999999999\n")
    with StateLock(tmp_path):
        assert f"{os.getpid()}\n" == (tmp_path / "lock").read_text()
