"""docs/service.md names every check of the health; its exit codes are looked at with those of the gate."""

import re
from pathlib import Path

from daemon.cli.main import parser
from daemon.health import CHECKS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "service.md").read_text(encoding="utf-8")


def test_every_check_has_its_row() -> None:
    """And there are no others."""
    table = PAGE[PAGE.index("| check | what is wrong |") : PAGE.index("The daemon measures")]
    assert set(CHECKS) == set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE))


def test_the_commands_of_hornblower_are_commands() -> None:
    """As far as their line can be taken apart without being carried out."""
    lines = re.findall(r"^    (?:\w+=\S+ )?hornblower (.*)$", PAGE, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        parser().parse_args(line.split())
