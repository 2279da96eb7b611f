"""The recipes of docs/log.md do what they say, asked with the real jq of a log that the real code has written."""

import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from backends.answer import Verdict
from backends.examination import Standing
from chc.witness import Truth
from daemon.events import Event, Finding, Query, Unwell, Well
from daemon.jobs import Kind
from daemon.log import as_json
from knowledge_base.records import Severity

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "log.md").read_text(encoding="utf-8")
RECIPES = [line.strip() for line in PAGE.splitlines() if re.match(r"    jq .* LOG", line)]
QUERY = Query(
    run="ab", id=1, kind=Kind.trick, instance="14e5" + "0" * 60, parents=("cd",), chain=("rename",),
    configuration="spacer@5 fp.xform.slice=false", warm=False, verdict=Verdict.sat, seconds=0.5, cpu_seconds=0.5,
    memory_mb=20.0, limit=10.0, detail="", expected=Truth.sat, truth=Truth.sat, transported=Standing.valid,
    witness=Standing.valid, findings=(), preparation=0.1, trace=None,
)  # fmt: skip
FINDING = Finding(
    finding="key", severity=Severity.unsound, known=None, flaky=False, instance="14e5", configuration="spacer@5",
    verdict=Verdict.sat, truth=Truth.unsat, evidence="clause 3 is violated", chain=(), run="ab", query=1, needs=(),
)  # fmt: skip
EVENTS: list[Event] = [
    QUERY,
    msgspec.structs.replace(QUERY, id=2, instance="ff" * 32, seconds=7.0, verdict=Verdict.timeout),
    FINDING,
    msgspec.structs.replace(FINDING, finding="old", known="inliners"),
    msgspec.structs.replace(FINDING, finding="once", flaky=True),
    Unwell("disk", "", "full", "make room"),
    Unwell("missing", "spacer", "gone", "install it"),
    Well("disk", "", 3.0),
]


def asked(recipe: str, tmp_path: Path) -> str:
    log = tmp_path / "log"
    log.write_text("".join(f"{as_json(event, 1.0)}\n" for event in EVENTS))
    command = recipe.replace(" LOG", f" {log}")
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout


def test_there_are_five_recipes() -> None:
    """As many as there are questions."""
    assert 5 == len(RECIPES) == PAGE[PAGE.index("## Five") : PAGE.index("## Ids")].count("?\n") + 1


@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq: apt-get install jq")
@pytest.mark.parametrize(
    ("place", "answer"),
    [
        (0, '["1","spacer@5","clause 3 is violated","key"]\n'),
        (1, "      1 spacer@5\tsat\n      1 spacer@5\ttimeout\n"),
        (2, '[7.0,"timeout","ffffffffffff",["rename"]]\n[0.5,"sat","14e500000000",["rename"]]\n'),
        (3, '{"id":1,"kind":"trick","parents":["cd"],"chain":["rename"],'
            '"configuration":"spacer@5 fp.xform.slice=false","verdict":"sat","truth":"sat"}\n'),
        (4, '{"missingspacer":"install it"}\n'),
    ],
)  # fmt: skip
def test_a_recipe_answers_its_question(place: int, answer: str, tmp_path: Path) -> None:
    """What is news and what is not, what is slow, what is over."""
    said = asked(RECIPES[place], tmp_path)
    assert answer.replace("7.0", "7") == said.replace("7.0", "7")
