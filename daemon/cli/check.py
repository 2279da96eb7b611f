"""`hornblower check`: ask solvers and settle by certificates whether their answers are right."""

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import anyio

from backends.answer import Configuration
from backends.checker_programs import Effort, program_of
from backends.examination import Examiner
from backends.limits import Limits
from backends.smt_checker import ALL_CHECKERS, CHECKERS
from backends.store import newest, parse_solver
from daemon.bench import Bench
from daemon.certify import certify
from daemon.cli.arguments import MEMORY, positive
from daemon.cli.errors import UserError
from daemon.cli.inputs import Input, Source, embedded, from_path, read
from daemon.cli.rows import Row, RowPrinter, printer_for

CERTIFIED: Final = 0
UNDECIDED: Final = 1
WRONG: Final = 3
BAD_INPUT: Final = 4
_EPILOG: Final = """\
exit codes:
  0  every answer is certified (a known trouble of the solver does not count, if the truth is certified)
  1  something is undecided: no verdict, or no certificate for it
  2  the command is misspelt
  3  something is wrong: a finding that is not known trouble
  4  an input cannot be read (said on stderr); the others have been checked
of several, the first of 3, 4, 1, 0 counts

examples:
  hornblower check --embedded
  hornblower check bad.smt2 --solver spacer@4.13.4,fp.xform.slice=false --solver spacer --timeout 60
"""


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "check",
        help="ask solvers and certify their answers",
        description="Asks each solver each instance and settles by certificates whether the answer is right.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="an instance, or a directory with *.smt2")
    parser.add_argument("--embedded", action="store_true", help="the instances that come with Hornblower")
    parser.add_argument(
        "--solver",
        action="append",
        dest="solvers",
        metavar="NAME[@VERSION][,OPTION=VALUE]",
        help="whom to ask, repeatable; the newest spacer unless told",
    )
    parser.add_argument(
        "--timeout", type=positive(float), default=10.0, metavar="S", help="seconds for each query (10)"
    )
    parser.add_argument("--memory", type=MEMORY, default=2048, metavar="MB", help="memory for each query (2048)")
    parser.add_argument("--json", action="store_true", help="one JSON object per line, as the answers come")
    parser.add_argument(
        "--checkers", type=_checkers, default=CHECKERS, metavar="NAMES", help="who certifies (z3,cvc5), also princess"
    )
    parser.set_defaults(command=partial(_command, parser))


def _command(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    if not arguments.files and not arguments.embedded:
        parser.error("name a file or a directory, or take the instances that come along: --embedded")
    return check(arguments)


def check(arguments: argparse.Namespace) -> int:
    configurations = [parse_solver(text) for text in arguments.solvers or ["spacer"]]
    for name in arguments.checkers:
        program_of(name, Effort())  # one that is missing is complained about before anything is asked
    inputs, all_readable = _read_inputs(arguments)
    limits = Limits(wall_seconds=arguments.timeout, memory_mb=arguments.memory)
    pairs = [(each, configuration) for each in inputs for configuration in configurations]
    with _interruptible(), printer_for(len(pairs), as_json=arguments.json) as printer:
        rows = anyio.run(_check_all, pairs, limits, arguments.checkers, printer)
    return exit_code(rows, all_readable=all_readable)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Whoever ends us in another way than by Ctrl-C wants us to clean up all the same."""
    deadly = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(each, lambda *_: signal.raise_signal(signal.SIGINT)) for each in deadly]
    try:
        yield
    finally:
        for each, handler in zip(deadly, before, strict=True):
            signal.signal(each, handler)


def exit_code(rows: Sequence[Row], *, all_readable: bool) -> int:
    """The worst that happened: something wrong weighs more than an unreadable file, that more than doubt."""
    if any(row.is_wrong for row in rows):
        return WRONG
    if not all_readable:
        return BAD_INPUT
    return CERTIFIED if all(row.is_certified for row in rows) else UNDECIDED


def _read_inputs(arguments: argparse.Namespace) -> tuple[list[Input], bool]:
    """What could be read, and whether that was all; the rest is complained about at once."""
    inputs: list[Input] = []
    problems = 0
    for search in (
        *((embedded,) if arguments.embedded else ()),
        *(partial(from_path, path) for path in arguments.files),
    ):
        try:
            for source in search():
                problems += _read_into(inputs, source)
        except UserError as problem:
            print(problem, file=sys.stderr)
            problems += 1
    return inputs, problems == 0


def _read_into(inputs: list[Input], source: Source) -> bool:
    """Whether there was a problem with this one."""
    try:
        inputs.append(read(source))
    except UserError as problem:
        print(problem, file=sys.stderr)
        return True
    return False


async def _check_all(
    pairs: Sequence[tuple[Input, Configuration]],
    limits: Limits,
    checkers: tuple[str, ...],
    printer: RowPrinter,
) -> list[Row]:
    """The rows in the order of the pairs, as many queries at once as there are processors."""
    size = os.cpu_count() or 1
    rows: dict[int, Row] = {}
    limiter = anyio.CapacityLimiter(size)

    async def check_one(number: int, given: Input, configuration: Configuration) -> None:
        async with limiter:
            judgement = await certify(given.instance, configuration, limits, bench)
        rows[number] = Row.of(given.name, configuration, judgement)
        printer.add(number, rows[number])

    async with Bench(thorough=Examiner(checkers, size), helpers=newest()) as bench, anyio.create_task_group() as group:
        for number, pair in enumerate(pairs):
            group.start_soon(check_one, number, *pair)
    return [rows[number] for number in range(len(pairs))]


def _checkers(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(ALL_CHECKERS) or len(set(names)) < len(names):
        known = ",".join(ALL_CHECKERS)
        raise argparse.ArgumentTypeError(f"{text} does not name checkers; write {known} or some of them")
    return names
