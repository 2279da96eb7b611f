"""`hornblower findings`: list, show, replay and export what hunts have found."""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

import anyio
import msgspec

from daemon.case import Case, open_case
from daemon.cli.arguments import place
from daemon.cli.errors import UserError
from daemon.export import export
from daemon.lookup import OLD_NEWS, rank
from daemon.replay import replay
from daemon.state import state_directory
from daemon.story import MEANING, story
from knowledge_base import findings, instances
from knowledge_base.findings import UnknownFinding
from knowledge_base.lock import AlreadyOwned
from knowledge_base.records import Severity, Status, StoredFinding
from knowledge_base.schema import MIGRATIONS, UnusableDatabase, version_of
from knowledge_base.store import FILE_NAME, connect_to_read, open_knowledge_base

T = TypeVar("T")
STILL_HAPPENS: Final = 3
HAPPENS_NO_MORE: Final = 0


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "findings",
        help="what hunts have found",
        description="Lists, shows, replays and exports findings; without an action it lists them. Works while a hunt is"
        " running.",
    )
    _add_options(parser, {"state": None, "json": False})
    parser.set_defaults(command=list_findings, severity=None, status=None, all=False)
    actions = parser.add_subparsers(metavar="ACTION", title="actions")
    listing = _action(actions, "list", "all findings, the worst first", list_findings)
    listing.add_argument("--severity", choices=[each.value for each in Severity], help="only these")
    listing.add_argument("--status", choices=[each.value for each in Status], help="only these")
    listing.add_argument("--all", action="store_true", help="known trouble and what was dismissed, too")
    for name, help_text, command in (
        ("show", "one finding: instance, chain, command, answer, truth with its certificate", show),
        ("replay", "run it again exactly, and say whether it still happens (exit code 3) or not (0)", run_again),
    ):
        _add_key(_action(actions, name, help_text, command))
    exporting = _action(actions, "export", "write a directory that stands alone", write_out)
    _add_key(exporting)
    exporting.add_argument("directory", type=Path, nargs="?", metavar="DIR", help="finding-KEY unless told")


def _add_key(parser: argparse.ArgumentParser) -> None:
    words = "the beginning is enough; the worst finding, and of several the smallest, unless told"
    parser.add_argument("key", metavar="KEY", nargs="?", help=words)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    help_text: str,
    command: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=help_text, description=help_text)
    # What is not given here must not undo what was given before the action.
    _add_options(parser, {"state": argparse.SUPPRESS, "json": argparse.SUPPRESS})
    parser.set_defaults(command=command)
    return parser


def _add_options(parser: argparse.ArgumentParser, defaults: dict[str, str | bool | None]) -> None:
    where = f"the state directory ({state_directory()})"
    parser.add_argument("--state", type=place, default=defaults["state"], metavar="DIR", help=where)
    parser.add_argument("--json", action="store_true", default=defaults["json"], help="for programs")


def _read(arguments: argparse.Namespace, work: Callable[[sqlite3.Connection], T]) -> T:
    path = (arguments.state or state_directory()) / FILE_NAME
    if not path.exists():
        raise UserError(f"there is no knowledge base in {path.parent}; make one: hornblower run --state {path.parent}")
    _bring_up_to_date(path)
    try:
        with closing(connect_to_read(path)) as connection:
            return work(connection)
    except UnknownFinding as problem:
        raise UserError(str(problem)) from problem
    except sqlite3.DatabaseError as problem:
        raise UserError(f"{path} cannot be read: {problem}") from problem


def _bring_up_to_date(path: Path) -> None:
    """What an older version of this program has left gets the newest schema, unless somebody is at work with it."""
    try:
        with closing(connect_to_read(path)) as connection:
            is_old = 0 < version_of(connection) < len(MIGRATIONS)
        if is_old:
            open_knowledge_base(path.parent).close()
    except (AlreadyOwned, UnusableDatabase, OSError, sqlite3.DatabaseError) as problem:
        raise UserError(f"{path} cannot be read: {problem}") from problem


def _case(arguments: argparse.Namespace) -> Case:
    def look_up(connection: sqlite3.Connection) -> Case:
        return open_case(connection, arguments.key or _worst(connection))

    return _read(arguments, look_up)


def _worst(connection: sqlite3.Connection) -> str:
    """The key of the worst finding, the smallest of several."""
    found = [each for each in findings.select(connection) if each.finding.status not in OLD_NEWS]
    if not found:
        raise UserError("there are no findings; hunt for some: hornblower run")
    worst = min(found, key=rank)
    alike = [each for each in found if rank(each) == rank(worst)]
    return min(alike, key=lambda each: _size(connection, each)).key


def _size(connection: sqlite3.Connection, stored: StoredFinding) -> int:
    record = instances.get(connection, stored.finding.instance)
    return 0 if record is None else len(record.text)


def list_findings(arguments: argparse.Namespace) -> int:
    severity = None if arguments.severity is None else Severity(arguments.severity)
    status = None if arguments.status is None else Status(arguments.status)
    found = _read(arguments, lambda connection: findings.select(connection, status=status, severity=severity))
    if status is None and not arguments.all:
        found = [each for each in found if each.finding.status not in OLD_NEWS]
    for stored in sorted(found, key=lambda each: (rank(each), each.finding.at)):
        print(msgspec.json.encode(stored).decode() if arguments.json else _line(stored))
    if not found and not arguments.json:
        print("no findings")
    return 0


def _line(stored: StoredFinding) -> str:
    finding = stored.finding
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(finding.at))
    words = finding.evidence or MEANING[finding.severity]
    return (
        f"{stored.key[:12]}  {finding.severity:>3}  {finding.status:<10}  {when}"
        f"  {finding.configuration.label}: {words[:160]}"
    )


def show(arguments: argparse.Namespace) -> int:
    case = _case(arguments)
    print(msgspec.json.encode(case).decode() if arguments.json else story(case))
    return 0


def run_again(arguments: argparse.Namespace) -> int:
    case = _case(arguments)
    result = anyio.run(replay, case)
    if arguments.json:
        print(msgspec.json.encode(result).decode())
    else:
        print("it still happens" if result.happens else "it does not happen any more")
        truth = f"{result.truth}, certified by {', '.join(result.certified_by)}" if result.truth else "not certified"
        print(f"answer: {result.verdict}; truth: {truth}; severity now: {result.severity or 'none'}")
        if result.evidence:
            print(result.evidence)
        if result.remakes is not None:
            print(f"the recorded chain makes {'the same text' if result.remakes else 'ANOTHER text'} again")
    return STILL_HAPPENS if result.happens else HAPPENS_NO_MORE


def write_out(arguments: argparse.Namespace) -> int:
    case = _case(arguments)
    directory = arguments.directory or Path(f"finding-{case.stored.key[:12]}")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UserError(f"{directory} exists and is not an empty directory; name another directory")
    try:
        paths = export(case, directory)
    except OSError as problem:
        raise UserError(f"{directory} cannot be written: {problem.strerror}; name another directory") from problem
    if arguments.json:
        print(msgspec.json.encode([str(path) for path in paths]).decode())
    else:
        print("\n".join(str(path) for path in paths))
    return 0
