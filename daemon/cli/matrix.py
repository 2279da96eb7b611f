"""`hornblower solvers matrix`: a set of instances to all solvers, and how they agree."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TextIO

import anyio
import msgspec
from rich.console import Console
from rich.table import Table

from backends.adapters import adapter_of
from backends.answer import Configuration
from backends.examination import Examiner
from backends.limits import Limits
from backends.store import newest, parse_solver
from daemon.agreement import Cell, Contradiction, Line, Matrix, matrix_of
from daemon.bench import Bench
from daemon.cli.arguments import MEMORY, positive
from daemon.cli.errors import UserError
from daemon.cli.inputs import Input, from_path, read

AGREED: Final = 0
CONTRADICTED: Final = 3
BAD_INPUT: Final = 4
_EPILOG: Final = """\
Each solver is asked each instance once, with the options under which its witnesses can be checked. Who is wrong is
settled by certificates alone; where nobody has one, nobody is called wrong.

exit codes:
  0  no answer is wrong, no witness invalid, nobody contradicts anybody
  2  the command is misspelt
  3  there is something of this kind
  4  an input cannot be read (said on stderr); the others have been asked

examples:
  hornblower solvers matrix my/instances --timeout 20 --results answers.jsonl
  hornblower solvers matrix a.smt2 --solver spacer@4.8.14 --solver spacer --json
"""
_LINE_SECONDS: Final = 10.0
_COLUMNS: Final = (
    ("asked", "asked"),
    ("unsupported", "unsupported"),
    ("sat", "sat"),
    ("unsat", "unsat"),
    ("certified", "certified"),
    ("confirmed", "confirmed"),
    ("wrong", "wrong"),
    ("invalid", "invalid witness"),
    ("alone", "alone"),
    ("failed", "failed"),
    ("median_seconds", "median s"),
)


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "matrix",
        help="ask all solvers about a set of instances, and compare them",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="DIR|FILE", help="an instance, or a directory with *.smt2")
    parser.add_argument(
        "--solver",
        action="append",
        dest="solvers",
        metavar="NAME[@VERSION][,OPTION=VALUE]",
        help="whom to ask, repeatable; the newest release of each that is here unless told",
    )
    parser.add_argument("--timeout", type=positive(float), default=10.0, metavar="S", help="for each query (10)")
    parser.add_argument("--memory", type=MEMORY, default=2048, metavar="MB", help="for each query (2048)")
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="keep each answer there; what it holds already is not asked again"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per answer, the last one a summary")
    parser.set_defaults(command=compare)


def compare(arguments: argparse.Namespace) -> int:
    configurations = [parse_solver(text) for text in arguments.solvers or []] or newest()
    inputs, all_readable = _read(arguments.files)
    known = _recall(arguments.results)
    limits = Limits(wall_seconds=arguments.timeout, memory_mb=arguments.memory)
    with _Record(arguments.results, as_json=arguments.json) as record:
        cells = anyio.run(_ask_all, inputs, configurations, limits, known, record)
    matrix = matrix_of(cells, [each.label for each in configurations])
    if arguments.json:
        print(msgspec.json.encode({"summary": matrix}).decode())
    else:
        _show(matrix)
    if matrix.contradictions or matrix.invalid or any(line.wrong for line in matrix.lines):
        return CONTRADICTED
    return AGREED if all_readable else BAD_INPUT


def _read(paths: Sequence[str]) -> tuple[list[Input], bool]:
    """What can be read, each text once; the rest is complained about."""
    found: dict[str, Input] = {}
    problems = 0
    for source in [source for path in paths for source in from_path(path)]:
        try:
            given = read(source)
        except UserError as problem:
            print(f"hornblower: {problem}", file=sys.stderr)
            problems += 1
        else:
            found.setdefault(given.instance.address, given)
    return list(found.values()), problems == 0


def _recall(path: Path | None) -> dict[tuple[str, str, float], Cell]:
    """The answers of an earlier run; a last line that was cut off is left out."""
    known: dict[tuple[str, str, float], Cell] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else ():
        try:
            cell = msgspec.json.decode(line, type=Cell)
        except msgspec.DecodeError as problem:
            if line.endswith("}"):
                raise UserError(f"{path} does not hold answers of a matrix ({problem}); name another file") from problem
        else:
            known[cell.instance, cell.solver, cell.timeout] = cell
    return known


class _Record:
    """Keeps each answer as soon as it is there, and says how far things are."""

    def __init__(self, path: Path | None, *, as_json: bool) -> None:
        self._path, self._as_json = path, as_json
        self._file: TextIO | None = None
        self._done, self._began = 0, time.monotonic()
        self._said = self._began

    def __enter__(self) -> _Record:
        if self._path is not None:
            try:
                self._file = self._path.open("a", encoding="utf-8")
            except OSError as problem:
                raise UserError(f"{self._path}: {problem.strerror}; name another file") from problem
            if self._file.tell() and not self._path.read_bytes().endswith(b"\n"):
                self._file.write("\n")
        return self

    def __exit__(self, *problem: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, cell: Cell, total: int, *, is_new: bool) -> None:
        self._done += 1
        line = msgspec.json.encode(cell).decode()
        if self._as_json:
            print(line, flush=True)
        if is_new and self._file is not None:
            print(line, file=self._file, flush=True)
        if time.monotonic() - self._said >= _LINE_SECONDS:
            self._said = time.monotonic()
            print(f"[{self._said - self._began:6.0f} s] {self._done} of {total} answers", file=sys.stderr, flush=True)


async def _ask_all(
    inputs: Sequence[Input],
    configurations: Sequence[Configuration],
    limits: Limits,
    known: dict[tuple[str, str, float], Cell],
    record: _Record,
) -> list[Cell]:
    size = os.cpu_count() or 1
    limiter = anyio.CapacityLimiter(size)
    cells: list[Cell] = []
    total = len(inputs) * len(configurations)

    async def ask(given: Input, configuration: Configuration) -> None:
        cell = known.get((given.instance.address, configuration.label, limits.wall_seconds))
        is_new = cell is None
        if cell is None:
            async with limiter:
                cell = await _cell(given, configuration, limits, bench)
        cells.append(cell)
        record.add(cell, total, is_new=is_new)

    async with Bench(thorough=Examiner(processes=size)) as bench, anyio.create_task_group() as group:
        for given in inputs:
            for configuration in configurations:
                group.start_soon(ask, given, configuration)
    return cells


async def _cell(given: Input, configuration: Configuration, limits: Limits, bench: Bench) -> Cell:
    adapter, instance = adapter_of(configuration), given.instance
    cell = partial(Cell, instance.address, given.name, configuration.label, timeout=limits.wall_seconds)
    refusal = adapter.refusal(instance)
    if refusal is not None:
        return cell(None, reason=refusal)
    answer = await bench.ask(adapter.for_witnesses(configuration), instance, limits)
    found = await bench.thorough.examine_answer(instance, answer)
    return cell(answer.verdict, round(answer.seconds, 3), found.standing, found.reason or answer.detail)


# Showing --------------------------------------------------------------------------------------------------


def _show(matrix: Matrix) -> None:
    print(f"{matrix.instances} instances")
    if sys.stdout.isatty():
        Console().print(_table(matrix.lines))
    else:
        print("\t".join(["solver", *(title for _, title in _COLUMNS)]))
        for line in matrix.lines:
            print("\t".join(_words(line)))
    for words in in_words(matrix):
        print(words)


def _table(lines: Iterable[Line]) -> Table:
    table = Table("solver", *(title for _, title in _COLUMNS))
    for line in lines:
        table.add_row(*_words(line))
    return table


def _words(line: Line) -> list[str]:
    return [line.solver, *(str(getattr(line, name)) for name, _ in _COLUMNS)]


def in_words(matrix: Matrix) -> list[str]:
    """What is wrong, a line for each."""
    invalid = (f"{cell.file}: {cell.solver} says {cell.verdict}; {cell.reason}" for cell in matrix.invalid)
    return [*map(_contradiction, matrix.contradictions), *(f"INVALID WITNESS {words}" for words in invalid)]


def _contradiction(found: Contradiction) -> str:
    settled = "unresolved: nobody has proved either"
    if found.truth is not None:
        settled = f"it is {found.truth}, certified by the witness of {', '.join(found.certified_by)}"
    sides = f"{', '.join(found.sat)} say sat; {', '.join(found.unsat)} say unsat"
    return f"CONTRADICTION {found.file}: {sides}; {settled}"
