"""docs/run.md names every option, event, field, severity, status and schedule that there is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.cli.main import parser
from daemon.events import Summary, Yield
from daemon.jobs import Kind
from knowledge_base.records import Severity, Status
from knowledge_base.schedules import SCHEDULES

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs" / "run.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| `(\w+)` \| .*? \| (.*) \|$", re.MULTILINE)


def events_in(source: str) -> Iterator[tuple[str, set[str]]]:
    """The name of each event that the source makes, with the fields that can be read off at once."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Event" and node.args:
            name, *rest = node.args
            if isinstance(name, ast.Constant):
                yield str(name.value), {key for part in rest for key in _keys(part)}


def _keys(part: ast.expr) -> Iterator[str]:
    if isinstance(part, ast.Dict):
        yield from (str(key.value) for key in part.keys if isinstance(key, ast.Constant))


EVENTS = [
    event for path in sorted((REPOSITORY / "daemon").rglob("*.py")) for event in events_in(path.read_text("utf-8"))
]
EVENT_TABLE = PAGE[PAGE.index("## Events of `--json`") : PAGE.index("The fields of `query`:")]
QUERY_TABLE = PAGE[PAGE.index("The fields of `query`:") : PAGE.index("The fields of `summary`.")]
SUMMARY_TABLE = PAGE[PAGE.index("The fields of `summary`.") : PAGE.index("## State, and starting again")]


def test_the_events_are_those_of_the_code() -> None:
    """No more and no fewer."""
    assert {name for name, _ in EVENTS} == {name for name, _ in _ROW.findall(EVENT_TABLE)}


@pytest.mark.parametrize(("name", "fields"), EVENTS)
def test_the_fields_of_events_are_named(name: str, fields: set[str]) -> None:
    """In the row of the event, or in the table for queries."""
    told = QUERY_TABLE if name == "query" else dict(_ROW.findall(EVENT_TABLE))[name]
    assert set() == {field for field in fields if f"`{field}`" not in told}


def test_fields_are_found_in_the_code() -> None:
    """Otherwise the test above would compare nothing."""
    found = dict(EVENTS)
    assert {"seed", "reason"} == found["doubtful_seed"]
    assert {"verdict", "transported", "chain"} <= found["query"]


@pytest.mark.parametrize("field", [*Summary.__struct_fields__, *Yield.__struct_fields__])
def test_the_fields_of_the_summary_are_named(field: str) -> None:
    """All of them."""
    assert f"`{field}`" in SUMMARY_TABLE


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


@pytest.mark.parametrize("name", [*SCHEDULES, *Kind])
def test_schedules_and_kinds_are_explained(name: str) -> None:
    """By their names."""
    assert f"`{name}`" in PAGE
