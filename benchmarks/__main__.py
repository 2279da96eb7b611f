"""`python -m benchmarks`: measures, and shows each figure with its aim and whether it is met."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console

from benchmarks import checking, eldarica, hunt, memory, overhead, printing, reading
from benchmarks.figures import Report, show, to_json
from benchmarks.inputs import FULL, QUICK, Inputs, Scale, make_inputs
from daemon.collector import relax

MEASUREMENTS: Final[dict[str, Callable[[Inputs, Scale], Report]]] = {
    "reading": reading.measure,
    "printing": printing.measure,
    "memory": memory.measure,
    "overhead": overhead.measure,
    "checking": checking.measure,
    "eldarica": eldarica.measure,
    "hunt": hunt.measure,
}
"""In the order in which they run. A new measurement is a file with a `measure`, and a line here."""

_WIDTH: Final = 120


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.split(": ", 1)[-1])
    parser.add_argument("measurement", nargs="*", help=f"all of them, or some of: {', '.join(MEASUREMENTS)}")
    parser.add_argument("--quick", action="store_true", help="fewer files and runs: less than a minute")
    parser.add_argument("--json", action="store_true", help="print one JSON list instead of tables")
    chosen = parser.parse_args(arguments)
    for name in chosen.measurement:
        if name not in MEASUREMENTS:
            parser.error(f"no measurement is called {name}; there are {', '.join(MEASUREMENTS)}")
    return chosen


def main(arguments: Sequence[str]) -> None:
    chosen = parse(arguments)
    relax()  # as the programs that are measured do
    progress = Console(stderr=True)
    names = list(dict.fromkeys(chosen.measurement)) or list(MEASUREMENTS)
    scale = QUICK if chosen.quick else FULL
    with progress.status("making the inputs") as status:
        inputs = make_inputs()
        reports = []
        for name in names:
            status.update(f"measuring: {name}")
            reports.append(MEASUREMENTS[name](inputs, scale))
    if chosen.json:
        sys.stdout.buffer.write(to_json(reports) + b"\n")
    else:
        show(reports, _console())


def _console() -> Console:
    """As wide as the terminal; in a file or a pipe as wide as the tables are."""
    console = Console()
    return console if console.is_terminal else Console(width=_WIDTH)


if __name__ == "__main__":
    main(sys.argv[1:])
