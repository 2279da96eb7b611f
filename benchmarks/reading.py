"""How fast instances are read, sorts checked, next to a bare tokenizer on the same texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from benchmarks.figures import Aim, Figure, Report, Row
from benchmarks.inputs import MEGABYTE, Input, Inputs, Scale
from benchmarks.timing import best_seconds
from chc.script import read_instance

_AIM: Final = Aim(12)
_TOKEN: Final = re.compile(r"""[()]|[^\s()|";]+|\|[^|]*\||"[^"]*"|;[^\n]*""")
"""Not the expression of the reader, lest a reader that slows down its own tokens look better for it."""


def measure(inputs: Inputs, scale: Scale) -> Report:
    """One row for each large text, and one for the whole collection."""
    rows = [_row(each.name, [each], scale.repeats) for each in inputs.seeds[: scale.files]]
    if inputs.seeds:
        rows.append(_row(f"all {len(inputs.seeds)} seeds, one after the other", inputs.seeds, scale.repeats))
    rows.extend(_row(each.name, [each], scale.repeats) for each in (inputs.generated, inputs.nested))
    note = (
        f"processor time, best of {scale.repeats}; the bare tokenizer is one regular expression that finds all tokens"
    )
    return Report("reading", tuple(rows), (note, *inputs.notes))


def _row(subject: str, texts: Sequence[Input], repeats: int) -> Row:
    bare = reading = 0.0
    for each in texts:
        tokens, terms = best_seconds(repeats, partial(_TOKEN.findall, each.text), partial(read_instance, each.text))
        bare, reading = bare + tokens, reading + terms
    size = sum(len(each.text) for each in texts) / MEGABYTE
    return Row(
        subject,
        (
            Figure("size", size, "MB"),
            Figure("bare tokenizer", size / bare, "MB/s"),
            Figure("reading", size / reading, "MB/s"),
            Figure("slower than tokens", reading / bare, "times", _AIM),
        ),
    )
