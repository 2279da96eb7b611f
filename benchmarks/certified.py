"""Counts the rows of `hornblower check --json` by directory, as a table in Markdown.

hornblower check ../shared/seeds --timeout 10 --json > answers.jsonl
python -m benchmarks.certified answers.jsonl
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from backends.smt_checker import CHECKERS
from daemon.cli.rows import Row

COLUMNS: Final[dict[str, Callable[[Row], bool]]] = {
    "asked": lambda row: True,
    "decided": lambda row: row.verdict in ("sat", "unsat"),
    "truth certified": lambda row: row.truth is not None,
    "decided and certified": lambda row: row.is_certified,
    "of these by all checkers": lambda row: row.is_certified and set(row.certified_by) >= set(CHECKERS),
    "wrong": lambda row: row.is_wrong,
    "known trouble": lambda row: row.known is not None,
}
_ALL: Final = "all"


def read_rows(lines: Iterable[bytes]) -> list[Row]:
    decoder = msgspec.json.Decoder(Row)
    return [decoder.decode(line) for line in lines if line.strip()]


def table(rows: Sequence[Row]) -> str:
    """One line for each directory that the instances lie in, and one for all of them."""
    directories = sorted({_directory(row) for row in rows})
    groups = {name: [row for row in rows if _directory(row) == name] for name in directories}
    lines = [_line("instances in", COLUMNS), _line("---", ["---:"] * len(COLUMNS))]
    lines.extend(_line(name, _counts(found)) for name, found in {**groups, _ALL: rows}.items())
    return "\n".join(lines)


def _directory(row: Row) -> str:
    return Path(row.file).parent.name or "."


def _counts(rows: Sequence[Row]) -> list[str]:
    return [str(sum(map(counts, rows))) for counts in COLUMNS.values()]


def _line(first: str, cells: Iterable[str]) -> str:
    return f"| {' | '.join([first, *cells])} |"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("name one file with rows; make one: hornblower check --embedded --json > answers.jsonl", file=sys.stderr)
        return 2
    print(table(read_rows(Path(arguments[0]).read_bytes().splitlines())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
