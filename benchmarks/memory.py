"""How much memory an instance takes while it is read, and while it is printed again, in a fresh process.

The peak is the kernel's high-water mark of resident memory (VmHWM). `ru_maxrss` would not do: in a process that
has just been started it still counts what the starting one had.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from backends.limits import high_water_mb
from benchmarks.figures import Aim, Figure, Report, Row
from benchmarks.inputs import MEGABYTE, Input, Inputs, Scale
from chc.script import read_instance

_AIM: Final = Aim(150)
_HERE: Final = Path(__file__).resolve().parent.parent


class Peaks(msgspec.Struct, frozen=True):
    """High-water marks in MB: before any text was there, after all were read, after all were printed."""

    before: float
    read: float
    printed: float


def measure(inputs: Inputs, scale: Scale) -> Report:
    """The collection at once, since one small file would be lost among the pages of the interpreter."""
    rows = [_row("all seeds, held at once", inputs.seeds)] if inputs.seeds else []
    rows.extend(_row(each.name, [each]) for each in (inputs.generated, inputs.nested))
    notes = ("peak resident memory (VmHWM) of a fresh process, less what it had before the text", *inputs.notes)
    return Report("memory", tuple(rows), notes)


def _row(subject: str, texts: Sequence[Input]) -> Row:
    peaks = in_fresh_process(texts)
    size = sum(each.megabytes for each in texts)
    return Row(
        subject,
        (
            Figure("size", size, "MB"),
            Figure("peak of reading", (peaks.read - peaks.before) / size, "MB per MB", _AIM),
            Figure("and of printing", (peaks.printed - peaks.before) / size, "MB per MB", _AIM),
        ),
    )


def in_fresh_process(texts: Sequence[Input]) -> Peaks:
    """What a process of its own says of these texts, which it reads and keeps."""
    with tempfile.TemporaryDirectory(prefix="hornblower-benchmarks-") as folder:
        for number, each in enumerate(texts):
            (Path(folder) / f"{number}.smt2").write_text(each.text, encoding="utf-8")
        command = [sys.executable, "-m", "benchmarks.memory", folder]
        done = subprocess.run(command, cwd=_HERE, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Peaks)


def own_peaks(folder: Path) -> Peaks:
    """Reads and prints what lies in the folder; the marks of this process only ever rise."""
    read_instance("(set-logic HORN)\n(check-sat)\n")
    gc.collect()
    before = high_water_mb(os.getpid())
    instances = [read_instance(file.read_text(encoding="utf-8")) for file in folder.iterdir()]
    read = high_water_mb(os.getpid())
    printed = sum(len(instance.text) for instance in instances) / MEGABYTE
    assert printed > 0
    return Peaks(before, read, high_water_mb(os.getpid()))


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(own_peaks(Path(sys.argv[1]))))
