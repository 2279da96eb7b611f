"""`hornblower submit`: have the daemon certify what solvers say of an instance, and interrogate its neighbourhood."""

from __future__ import annotations

import argparse
import sys
from typing import Final

import msgspec

from daemon.cli.arguments import duration, positive
from daemon.cli.errors import UserError
from daemon.cli.inputs import Source, from_paths
from daemon.cli.socket_options import add_options, connect
from daemon.client import Client, Rejected
from daemon.following import Following, follow
from daemon.protocol import Submit, Taken
from knowledge_base.errands import Budget, Priority

BAD_INPUT: Final = 4
_EPILOG: Final = """\
exit codes:
  0  every answer is certified, and the interrogation has found nothing; or, with --detach, every file was taken
  1  an answer is undecided: no verdict, or nobody could prove it
  2  the command is misspelt
  3  something is wrong: an answer, or a finding of the interrogation
  4  a file cannot be read, or the daemon refuses it; the others went their way
  5  no daemon answers
of several, the first of 3, 4, 1, 0 counts

examples:
  hornblower submit my.smt2
  hornblower submit my.smt2 --solver spacer --solver spacer@4.13.4 --interrogate 5m
  hornblower submit big/*.smt2 --detach && hornblower jobs
"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "submit",
        help="have the daemon certify answers to an instance",
        description="Sends instances to the daemon, which certifies what solvers say of them and then, if told to,"
        " interrogates the solvers about their neighbourhood. A job that was taken goes on whatever happens here.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="an instance, or a directory with *.smt2")
    parser.add_argument(
        "--solver",
        action="append",
        dest="solvers",
        default=[],
        metavar="NAME[@VERSION][,OPTION=VALUE]",
        help="whom to ask, repeatable; those of the hunt unless told",
    )
    parser.add_argument(
        "--timeout", type=positive(float), default=10.0, metavar="S", help="seconds for each query (10)"
    )
    parser.add_argument(
        "--interrogate", type=duration, metavar="5m", help="then ask about the neighbourhood for so long"
    )
    parser.add_argument("--queries", type=positive(int), metavar="N", help="or with so many queries")
    parser.add_argument(
        "--priority",
        choices=[each.value for each in Priority],
        default=Priority.normal.value,
        help="how much of the solvers' time the interrogation gets: an eighth, half, or all of it (normal)",
    )
    waiting = parser.add_mutually_exclusive_group()
    waiting.add_argument("--follow", action="store_true", default=True, help="tell what happens, to the end (default)")
    waiting.add_argument("--detach", dest="follow", action="store_false", help="only hand in; see: hornblower jobs")
    add_options(parser)
    parser.set_defaults(command=submit)


def submit(arguments: argparse.Namespace) -> int:
    sources = from_paths(arguments.files)
    with connect(arguments) as client:
        taken = [_hand_in(client, source, arguments) for source in sources]
        jobs = [(source, job) for source, job in zip(sources, taken, strict=True) if job is not None]
        if not arguments.follow:
            for source, job in jobs:
                _say_taken(source, job, arguments)
            return 0 if len(jobs) == len(sources) else BAD_INPUT
        outcomes = [follow(client, job.job, Following(source.name, arguments.json)) for source, job in jobs]
    codes = [*outcomes, *([BAD_INPUT] if len(jobs) < len(sources) else [])]
    return next((code for code in (3, BAD_INPUT, 1) if code in codes), 0)


def _say_taken(source: Source, taken: Taken, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(msgspec.json.encode({"file": source.name, "job": taken.job}).decode(), flush=True)
    else:
        print(f"{source.name}: job {taken.job}; hear of it: hornblower jobs attach {taken.job}", flush=True)


def _hand_in(client: Client, source: Source, arguments: argparse.Namespace) -> Taken | None:
    """What the daemon says; None where it refuses, which is complained about at once."""
    try:
        request = Submit(
            client.next_id(),
            text=_text(source, client),
            name=source.name[-200:],
            solvers=tuple(arguments.solvers),
            seconds=arguments.timeout,
            interrogate=_budget(arguments),
            priority=Priority(arguments.priority),
        )
        taken = client.ask(request, Taken)
    except Rejected as problem:
        print(f"{source.name}: {problem}", file=sys.stderr)
        return None
    except UserError as problem:
        print(problem, file=sys.stderr)
        return None
    if taken.is_paused:
        print(f"{source.name}: the hunt is paused, and the job waits; go on: hornblower resume", file=sys.stderr)
    return taken


def _text(source: Source, client: Client) -> str:
    try:
        text = source.file.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise UserError(f"{source.name}: not text in UTF-8; see: file {source.name}") from problem
    except OSError as problem:
        raise UserError(f"{source.name}: {problem.strerror}") from problem
    most = client.hello.largest_line
    if len(text) > most:
        words = f"{source.name}: {len(text)} characters are more than the {most} that the daemon takes"
        raise UserError(f"{words}; check it without: hornblower check {source.name}")
    return text


def _budget(arguments: argparse.Namespace) -> Budget | None:
    if arguments.interrogate is None and arguments.queries is None:
        return None
    return Budget(arguments.interrogate, arguments.queries)
