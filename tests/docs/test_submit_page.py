"""docs/submit.md names every option, checkup, exit code and limit that there is."""

import re
from pathlib import Path

import pytest

from daemon.checkups import CHECKUPS
from daemon.cli.main import parser
from daemon.cli.socket_options import NO_DAEMON
from daemon.lines import SocketRules
from daemon.reading import LIMITS, TEXT_LIMITS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "submit.md").read_text(encoding="utf-8")
COMMANDS = ("submit", "jobs", "jobs attach", "jobs cancel", "status", "pause", "resume", "drain", "explain", "metrics",
            "doctor")  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_named(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that the command itself lists; and the command is shown."""
    with pytest.raises(SystemExit):
        parser().parse_args([*command.split(), "--help"])
    options = set(re.findall(r"(?<!\S)\[?(--[a-z-]+)", capsys.readouterr().out)) - {"--help"}
    assert set() == {option for option in options if option not in PAGE}
    assert command.split()[-1] in PAGE


def test_every_checkup_is_explained() -> None:
    """In their order, and no other."""
    assert list(CHECKUPS) == re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)


def test_the_code_for_no_daemon_is_told() -> None:
    """As it is."""
    assert f"| {NO_DAEMON} | no daemon answers" in PAGE


def test_the_limits_are_those_of_the_code() -> None:
    """All that the last section speaks of."""
    assert (8 * 1024 * 1024, 10.0, 1024) == (SocketRules().largest_line, LIMITS.cpu_seconds, LIMITS.memory_mb)
    assert (20_000, 1000, 100_000) == (TEXT_LIMITS.nesting, TEXT_LIMITS.numeral_digits, TEXT_LIMITS.clauses)
    for words in ("8 MiB", "ten seconds", "1 GB", "20,000", "1,000 digits", "100,000 clauses"):
        assert words in PAGE
