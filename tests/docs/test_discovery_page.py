"""docs/discovery.md names the options of the command that there are, and shows commands that it takes."""

import re
from pathlib import Path

import pytest

from benchmarks.discovery import Discovery, First, parse

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "discovery.md").read_text(encoding="utf-8")


def test_every_option_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """In the table; no more and no fewer."""
    with pytest.raises(SystemExit):
        parse(["--help"])
    options = set(re.findall(r"(--[a-z]+)", capsys.readouterr().out)) - {"--help"}
    rows = [line for line in PAGE.splitlines() if line.startswith("| `--")]
    assert options == set(re.findall(r"(--[a-z]+)", " ".join(row.split(" | ")[0] for row in rows)))


@pytest.mark.parametrize("field", [*Discovery.__struct_fields__, *First.__struct_fields__])
def test_every_field_is_named(field: str) -> None:
    """Those of the JSON."""
    assert f"`{field}`" in PAGE


def test_the_commands_are_taken() -> None:
    """With the newest Spacer in the place of the releases, which need not be here."""
    commands = re.findall(r"^    \S+ -m benchmarks\.discovery (.*)$", PAGE, re.MULTILINE)
    assert 2 == len(commands)
    for command in commands:
        assert 1800 == parse(re.sub(r"spacer@\S+", "spacer", command).split()).limit
