"""docs/run.md names every option, severity, status and schedule that there is."""

import re
from pathlib import Path

import pytest

from daemon.cli.main import parser
from knowledge_base.records import Severity, Status
from knowledge_base.schedules import SCHEDULES

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "run.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["run", "findings", "findings list"])
def test_every_option_is_named(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that the command itself lists."""
    with pytest.raises(SystemExit):
        parser().parse_args([*command.split(), "--help"])
    options = set(re.findall(r"(?<!\S)\[?(--[a-z-]+)", capsys.readouterr().out)) - {"--help"}
    assert "--state" in options
    assert set() == {option for option in options if option not in PAGE}


@pytest.mark.parametrize("action", ["list", "show", "replay", "export"])
def test_every_action_is_shown(action: str) -> None:
    """With what it takes."""
    assert re.search(rf"hornblower findings \[?{action}", PAGE)


@pytest.mark.parametrize("word", [*Severity, *Status])
def test_severities_and_statuses_are_explained(word: str) -> None:
    """Own faults are not findings: they are kept apart."""
    assert re.search(rf"^\| (?:[\w-]+, )*{word}(?:, [\w-]+)* \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", list(SCHEDULES))
def test_schedules_are_explained(name: str) -> None:
    """By their names."""
    assert f"`{name}`" in PAGE
