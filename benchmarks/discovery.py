"""How long a hunt takes to find the first wrong answer of a solver that is known to give some.

python -m benchmarks.discovery --suspect spacer@4.13.4 --severity 2 --seeds 5 --limit 30m

One hunt for each random seed, one after the other; each is interrupted when it has found what is looked for.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from backends.store import parse_solver
from benchmarks.inputs import SEEDS
from daemon.cli.arguments import SLOTS, duration, place, positive
from daemon.cli.main import USER_ERRORS
from daemon.cli.run import FOUND, NOTHING_FOUND
from knowledge_base.records import Severity

_COLUMNS: Final = (
    "seed",
    "first news",
    "after queries",
    "by",
    "first known trouble",
    "after queries",
    "queries in all",
)


class Line(msgspec.Struct):
    """What is read of any event."""

    event: str
    at: float


class Finding(Line):
    """What is read of a finding."""

    finding: str
    severity: str
    known: str | None
    flaky: bool
    chain: tuple[str, ...]


class First(msgspec.Struct, frozen=True):
    """The first finding of its kind, with the seconds and the queries that went before it."""

    seconds: float
    queries: int
    finding: str
    chain: tuple[str, ...]


class Discovery(msgspec.Struct, frozen=True):
    """What one hunt came upon; None where there was nothing until its end."""

    suspect: str
    severity: str
    seed: int
    news: First | None
    known: First | None
    queries: int
    seconds: float


class Search:
    """Follows the events of a hunt."""

    def __init__(self, severity: str, *, takes_known: bool) -> None:
        self._severity, self._takes_known = severity, takes_known
        self._began: float | None = None
        self.seconds = 0.0
        self.queries = 0
        self.news: First | None = None
        self.known: First | None = None

    @property
    def is_over(self) -> bool:
        return self.news is not None or (self._takes_known and self.known is not None)

    def hear(self, line: Line) -> None:
        self._began = line.at if self._began is None else self._began
        self.seconds = round(line.at - self._began, 1)
        self.queries += line.event == "query"
        if isinstance(line, Finding) and line.severity == self._severity and not line.flaky:
            self._note(line)

    def _note(self, line: Finding) -> None:
        first = First(self.seconds, self.queries, line.finding, line.chain)
        if line.known is None:
            self.news = self.news or first
        else:
            self.known = self.known or first


def read(line: bytes) -> Line:
    told = msgspec.json.decode(line, type=Line)
    return msgspec.json.decode(line, type=Finding) if told.event == "finding" else told


def search(arguments: argparse.Namespace, seed: int, state: Path) -> Discovery:
    """One hunt from a random seed, until it has found what is looked for or its time is up."""
    found = Search(arguments.severity, takes_known=arguments.known)
    with subprocess.Popen(_command(arguments, seed, state), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            was_over = found.is_over
            found.hear(read(line))
            if found.is_over and not was_over:
                process.send_signal(signal.SIGINT)
    if process.returncode not in (NOTHING_FOUND, FOUND):
        sys.exit(process.returncode)  # it has said why
    return Discovery(arguments.suspect, arguments.severity, seed, found.news, found.known, found.queries, found.seconds)


def _command(arguments: argparse.Namespace, seed: int, state: Path) -> list[str]:
    words = [sys.executable, "-m", "daemon.cli.main", "run", "--json", "--solver", arguments.suspect]
    words += ["--seed", str(seed), "--for", f"{arguments.limit}s", "--state", str(state)]
    words += [word for path in _instances(arguments) for word in ("--seeds", path)]
    options = {"--slots": arguments.slots, "--schedule": arguments.schedule, "--only": arguments.only}
    return words + [word for name, value in options.items() if value is not None for word in (name, str(value))]


def _instances(arguments: argparse.Namespace) -> list[str]:
    return arguments.instances or ([str(SEEDS)] if SEEDS.is_dir() else [])


def table(found: Iterable[Discovery]) -> str:
    """In Markdown, one line for each hunt."""
    return "\n".join([_row(_COLUMNS), _row(["---:"] * len(_COLUMNS)), *(_row(_cells(each)) for each in found)])


def _cells(found: Discovery) -> Iterator[str]:
    yield str(found.seed)
    yield from _moment(found.news)
    yield "—" if found.news is None else " > ".join(found.news.chain) or "no transformation"
    yield from _moment(found.known)
    yield f"{found.queries} in {found.seconds:.0f} s"


def _moment(first: First | None) -> tuple[str, str]:
    return ("none", "—") if first is None else (f"{first.seconds:.0f} s", str(first.queries))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.discovery", description=__doc__.splitlines()[0])
    parser.add_argument("--suspect", required=True, metavar="SOLVER", help="for instance spacer@4.13.4")
    severities = [each.value for each in Severity]
    parser.add_argument("--severity", required=True, choices=severities, help="of the finding that is looked for")
    parser.add_argument("--known", action="store_true", help="known trouble is enough")
    parser.add_argument("--seeds", type=positive(int), default=5, metavar="N", help="random seeds 1 to N (5)")
    parser.add_argument("--limit", type=duration, default=1800.0, metavar="30m", help="of each hunt (30m)")
    parser.add_argument(
        "--instances",
        action="append",
        metavar="DIR|FILE",
        help="beside the embedded ones, repeatable; ../shared/seeds unless told, where it is there",
    )
    parser.add_argument("--slots", type=SLOTS, metavar="N", help="as for hornblower run, like the next two")
    parser.add_argument("--schedule", metavar="NAME")
    parser.add_argument("--only", metavar="TRANSFORMATION")
    parser.add_argument("--state", type=place, metavar="DIR", help="keep what each hunt has learnt in DIR/SEED")
    parser.add_argument("--json", action="store_true", help="one JSON object for each hunt instead of the table")
    chosen = parser.parse_args(arguments)
    if chosen.state is not None and chosen.state.exists():
        parser.error(f"{chosen.state} exists already; what an earlier hunt has learnt would shorten the search")
    try:
        parse_solver(chosen.suspect)
    except USER_ERRORS as problem:
        parser.error(str(problem))
    return chosen


@contextmanager
def _place(state: Path | None) -> Iterator[Path]:
    if state is not None:
        yield state
        return
    with tempfile.TemporaryDirectory(prefix="hornblower-benchmarks-") as folder:
        yield Path(folder)


def main(arguments: Sequence[str]) -> None:
    chosen = parse(arguments)
    found = []
    with _place(chosen.state) as place:
        for seed in range(1, chosen.seeds + 1):
            found.append(search(chosen, seed, place / str(seed)))
            if chosen.json:
                print(msgspec.json.encode(found[-1]).decode(), flush=True)
            else:
                print(f"seed {seed}: {'found' if found[-1].news else 'not found'}", file=sys.stderr)
    if not chosen.json:
        print(table(found))


if __name__ == "__main__":
    main(sys.argv[1:])
