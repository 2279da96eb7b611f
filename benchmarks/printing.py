"""How fast instances are printed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.figures import Figure, Report, Row
from benchmarks.inputs import MEGABYTE, Input, Inputs, Scale
from benchmarks.timing import timed
from chc.printer import show_instance
from chc.script import read_instance


def measure(inputs: Inputs, scale: Scale) -> Report:
    """One row for each large text, and one for the whole collection."""
    rows = [_row(each.name, [each], scale.repeats) for each in inputs.seeds[: scale.files]]
    if inputs.seeds:
        rows.append(_row(f"all {len(inputs.seeds)} seeds, one after the other", inputs.seeds, scale.repeats))
    rows.extend(_row(each.name, [each], scale.repeats) for each in (inputs.generated, inputs.nested))
    return Report("printing", tuple(rows), (f"processor time, best of {scale.repeats}", *inputs.notes))


def _row(subject: str, texts: Sequence[Input], repeats: int) -> Row:
    size = printing = 0.0
    for each in texts:
        instance = read_instance(each.text)
        runs = [timed(partial(show_instance, instance)) for _ in range(repeats)]
        printing += min(seconds for seconds, _ in runs)
        size += len(runs[0][1]) / MEGABYTE
    return Row(subject, (Figure("printed", size, "MB"), Figure("printing", size / printing, "MB/s")))
