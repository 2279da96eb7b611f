"""`hornblower jobs`: what users have submitted, how far it has come, and what happens to one."""

from __future__ import annotations

import argparse
import time

import msgspec

from daemon.cli.socket_options import EXIT_CODES, add_options, connect
from daemon.following import Following, follow
from daemon.protocol import Cancel, Done, JobLine, JobList, Jobs

_EPILOG = f"""\
exit codes:
  0  done; `attach` ends like `hornblower submit`
  2  the command is misspelt
{EXIT_CODES}
"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "jobs",
        help="what was submitted, and what became of it",
        description="Lists the jobs that users have submitted; `attach` tells of one, from its beginning to its end.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser)
    parser.add_argument("--all", action="store_true", help="also those that are over")
    parser.set_defaults(command=list_jobs)
    actions = parser.add_subparsers(metavar="ACTION", title="actions")
    for name, words, command in (
        ("attach", "tell what happens to a job, from the beginning, until it is over", attach),
        ("cancel", "end a job; what is under way for it is finished", cancel),
    ):
        action = actions.add_parser(name, help=words, description=words)
        action.add_argument("job", metavar="JOB", help="its id, or the beginning of it")
        action.set_defaults(command=command)


def list_jobs(arguments: argparse.Namespace) -> int:
    with connect(arguments) as client:
        listed = client.ask(Jobs(client.next_id(), arguments.all), JobList).jobs
    for each in listed:
        print(msgspec.json.encode(each).decode() if arguments.json else _line(each))
    if not listed and not arguments.json:
        print("no jobs" if arguments.all else "no open jobs; see also: hornblower jobs --all")
    return 0


def attach(arguments: argparse.Namespace) -> int:
    with connect(arguments) as client:
        return follow(client, arguments.job, Following(arguments.job, arguments.json))


def cancel(arguments: argparse.Namespace) -> int:
    with connect(arguments) as client:
        words = client.ask(Cancel(client.next_id(), arguments.job), Done).words
    print(msgspec.json.encode({"done": words}).decode() if arguments.json else words)
    return 0


def _line(job: JobLine) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(job.submitted))
    asked = f"{job.judged}/{len(job.solvers)} judged"
    hunted = f", {job.queries} queries in {job.seconds:.0f} s, {job.findings} findings" if job.budget else ""
    return f"{job.job}  {job.state:<13}  {when}  {job.name or '-'}: {asked}{hunted}"
