"""The socket from outside: whoever comes is answered or refused with a reason, and hurts nobody."""

import os
from pathlib import Path

import pytest

from daemon.lines import SocketRules
from tests.daemon.serving import standing

pytestmark = pytest.mark.anyio

TEXT = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (p x))))\n(check-sat)\n"


async def test_the_daemon_speaks_first(tmp_path: Path) -> None:
    """Version, process, and how much it takes."""
    async with standing(tmp_path) as stand:
        talk = await stand.connect()
        hello = await talk.hear()
        assert ("hello", 1, os.getpid()) == (hello["reply"], hello["protocol"], hello["pid"])
        assert SocketRules().largest_line == hello["largest_line"]
        talk.close()


async def test_a_submission_is_on_the_disk_before_the_reply(tmp_path: Path) -> None:
    """And its first event is there for whoever attaches."""
    async with standing(tmp_path) as stand:
        talk = await stand.connect()
        await talk.hear()
        taken = await talk.ask("submit", text=TEXT, name="a.smt2", solvers=["spacer"])
        assert "taken" == taken["reply"], taken
        listed = await talk.ask("jobs")
        assert [taken["job"]] == [job["job"] for job in listed["jobs"]]
        first = await talk.ask("attach", job=taken["job"])
        assert ("happened", 1, "accepted") == (first["reply"], first["number"], first["event"]["event"])
        talk.close()
