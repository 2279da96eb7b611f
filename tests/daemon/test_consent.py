"""Whom clients may have asked: nobody reaches a file or a program through the socket that is not theirs."""

import os
from pathlib import Path

import pytest

from backends.answer import Configuration
from backends.places import BadSolver
from backends.store import find
from daemon.consent import NotAllowed, allowed
from daemon.listening import Peer

OWNER = Peer(1, os.getuid(), os.getgid())
STRANGER = Peer(1, os.getuid() + 4711, os.getgid())
LOGGING = "spacer,smtlib2_log=/tmp/anything"


def suspect(*options: tuple[str, str]) -> Configuration:
    return Configuration("spacer", "path:/opt/z3", "/opt/z3", options)


@pytest.mark.parametrize("peer", [OWNER, STRANGER])
def test_installed_releases_may_be_asked(peer: Peer) -> None:
    """By everybody."""
    assert find("spacer") == allowed("spacer", (), peer)


def test_a_stranger_names_no_program(tmp_path: Path) -> None:
    """It would be started as the user of the daemon; the owner may."""
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(NotAllowed, match="by its path"):
        allowed(f"spacer@path:{program}", (), STRANGER)
    assert str(program) == allowed(f"spacer@path:{program}", (), OWNER).program


def test_a_stranger_sets_no_option_that_is_not_known_to_be_harmless() -> None:
    """Such as one that writes a file; the owner may."""
    with pytest.raises(NotAllowed, match="smtlib2_log=/tmp/anything"):
        allowed(LOGGING, (), STRANGER)
    assert (("smtlib2_log", "/tmp/anything"),) == allowed(LOGGING, (), OWNER).options


def test_what_the_hunt_asks_anyway_may_be_asked_by_everybody() -> None:
    """By its label, as it stands in the log or with commas; and its options with other releases."""
    known = suspect(("fp.xform.slice", "false"))
    assert known == allowed("spacer@path:/opt/z3 fp.xform.slice=false", (known,), STRANGER)
    assert known == allowed("spacer@path:/opt/z3,fp.xform.slice=false", (known,), STRANGER)
    assert known.options == allowed("spacer,fp.xform.slice=false", (known,), STRANGER).options


def test_another_value_of_an_option_of_a_suspect_is_another_matter() -> None:
    """Only what was configured was looked at."""
    with pytest.raises(NotAllowed):
        allowed("spacer,dump.file=b", (suspect(("dump.file", "a")),), STRANGER)


def test_what_is_misspelt_is_told_as_on_the_command_line() -> None:
    """With examples."""
    with pytest.raises(BadSolver, match="no such solver"):
        allowed("nonsense", (), STRANGER)
