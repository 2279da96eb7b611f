"""The benchmarks measure texts that are what they claim, and show what they find with its aim."""

import io
import json
import weakref
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks import memory, reading
from benchmarks.__main__ import MEASUREMENTS, parse
from benchmarks.figures import Aim, Figure, Report, Row, show, to_json
from benchmarks.inputs import Input, Inputs, Scale, evenly, make_inputs
from benchmarks.timing import timed
from chc.script import read_instance
from chc.terms import Term

DEPTH = 3000
_MEMORY_GRAIN_MB = 1.0
TINY = Scale(files=1, repeats=1, queries=1, checked=1)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    return make_inputs(tmp_path_factory.mktemp("no-seeds"), characters=30_000, depth=DEPTH)


def depth_of(term: Term) -> int:
    """How many applications lie around one another along the deepest argument, which is always the last."""
    depth = 0
    while term.args:
        term = term.args[-1]
        depth += 1
    return depth


def test_the_generated_text_is_an_instance_of_its_size(inputs: Inputs) -> None:
    """It is accepted by the reader, is as long as asked for, and has clauses of every theory."""
    instance = read_instance(inputs.generated.text)
    assert 30_000 <= len(inputs.generated.text) < 40_000
    assert {"Int", "Bool", "Real", "BitVec", "Array"} <= {s.name for p in instance.predicates for s in p.sorts}
    assert inputs.generated.text.count("(assert") == len(instance.clauses)


def test_the_nested_text_is_as_deep_as_it_says(inputs: Inputs) -> None:
    """The reader must not flatten it away."""
    (constraint,) = read_instance(inputs.nested.text).clauses[0].constraint
    assert DEPTH + 1 == depth_of(constraint)


def test_the_inputs_are_the_same_each_time(inputs: Inputs, tmp_path: Path) -> None:
    """Two runs are compared by their figures, so they must measure the same."""
    assert inputs == make_inputs(tmp_path, characters=30_000, depth=DEPTH)


def test_seeds_come_largest_first(tmp_path: Path) -> None:
    """The first ones have rows of their own."""
    for name, size in (("a", 1), ("b__c", 3), ("d", 2)):
        (tmp_path / f"{name}.smt2").write_text("(check-sat)\n" * size)
    found = make_inputs(tmp_path, characters=1, depth=1)
    assert ["c", "d", "a"] == [each.name for each in found.seeds]
    assert () == found.notes


def test_an_absent_collection_is_said(inputs: Inputs) -> None:
    """What is skipped is not passed over in silence."""
    (note,) = inputs.notes
    assert "skipped" in note
    assert note in reading.measure(inputs, TINY).notes


@pytest.mark.parametrize("name", ["reading", "printing"])
def test_computation_takes_time(inputs: Inputs, name: str) -> None:
    """A quick measurement gives a row for each text, and positive numbers."""
    report = MEASUREMENTS[name](inputs, TINY)
    assert [inputs.generated.name, inputs.nested.name] == [row.subject for row in report.rows]
    assert all(figure.value > 0 for row in report.rows for figure in row.figures)


def test_eldarica_is_skipped_with_a_word_where_it_is_absent(
    inputs: Inputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report without figures says what to type."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    report = MEASUREMENTS["eldarica"](inputs, TINY)
    assert () == report.rows
    assert "hornblower solvers install eldarica" in report.notes[0]


def test_memory_rises_with_the_text(inputs: Inputs) -> None:
    """More after reading than before, and no less after printing, but for what the kernel rounds."""
    peaks = memory.in_fresh_process([inputs.generated, inputs.nested])
    assert 0 < peaks.before < peaks.read < peaks.printed + _MEMORY_GRAIN_MB


def test_nothing_of_an_earlier_run_is_left_when_time_is_taken() -> None:
    """Terms in a cycle of garbage would be found by the next reading, which would then look fast."""

    class Ring:
        def __init__(self) -> None:
            self.me = self

    left_behind = weakref.ref(Ring())
    assert timed(left_behind)[1] is None


def test_items_are_drawn_evenly() -> None:
    """All of the collection has its share, also with few draws."""
    items = [Input(str(number), "") for number in range(10)]
    assert ["0", "2", "5", "7"] == [each.name for each in evenly(items, 4)]
    assert items == evenly(items, 20)


@pytest.mark.parametrize(
    ("aim", "value", "met"),
    [
        (Aim(12), 11.9, True),
        (Aim(12), 12.1, False),
        (Aim(3, at_least=True), 3.1, True),
        (Aim(3, at_least=True), 2.9, False),
    ],
)
def test_an_aim_is_met_or_missed(aim: Aim, value: float, met: bool) -> None:
    """On the right side of its bound, whichever that is."""
    assert met is Figure("speed", value, "MB/s", aim).is_met


def test_a_missed_aim_is_shown() -> None:
    """In the table and once more at the end, where it cannot be overlooked."""
    row = Row("a file", (Figure("slower", 13.0, "times", Aim(12)), Figure("memory", 2.0, "MB", Aim(150))))
    reports = [Report("reading", (row,), ("a note",))]
    shown = io.StringIO()
    show(reports, Console(file=shown, width=120))
    for words in ("13 MISSED", "2 met", "a note", "1 of 2 aims are met", "missed: reading, a file: slower 13 times"):
        assert words in shown.getvalue()
    assert [False, True] == [line["met"] for line in json.loads(to_json(reports))]


def test_an_unknown_measurement_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With the names of those that there are."""
    with pytest.raises(SystemExit):
        parse(["speed"])
    assert "checking" in capsys.readouterr().err
    assert ["memory"] == parse(["memory", "--quick"]).measurement
