"""`hornblower solvers`: which releases of which solvers are here; fetch more, or drop some."""

import argparse
import sys

import msgspec
from rich.console import Console
from rich.table import Table

from backends.adapters import ADAPTERS
from backends.places import BadSolver, Installed, InstallError, directory
from backends.store import add, installed, parse_release
from daemon.cli.errors import UserError


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "solvers",
        help="list, install and remove releases of solvers",
        description=f"Releases of solvers, kept side by side in {directory()} (set HORNBLOWER_SOLVERS to change).",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION", title="actions")
    listing = actions.add_parser("list", help="list the solvers that can be asked")
    listing.add_argument("--json", action="store_true", help="one JSON object per line")
    listing.set_defaults(command=show)
    for name, help_text, command in (
        ("install", "fetch releases, for instance spacer@4.13.4, or princess for its newest", install),
        ("remove", "delete releases, or forget programs that were added", remove),
    ):
        action = actions.add_parser(name, help=help_text)
        action.add_argument("releases", nargs="+", metavar="NAME@VERSION")
        action.set_defaults(command=command)
    adding = actions.add_parser("add", help="register a program that is there already, under the version that it says")
    adding.add_argument("name", choices=list(ADAPTERS), metavar="NAME", help=f"one of {', '.join(ADAPTERS)}")
    adding.add_argument("path", metavar="PATH", help="the program")
    adding.set_defaults(command=register_program)


def show(arguments: argparse.Namespace) -> int:
    releases = installed()
    if arguments.json:
        for each in releases:
            is_tried = ADAPTERS[each.solver].is_tried
            print(msgspec.json.encode({**msgspec.structs.asdict(each), "is_tried": is_tried}).decode())
    elif sys.stdout.isatty():
        Console().print(_table(releases))
    else:
        for each in releases:
            print("\t".join([f"{each.solver}@{each.version}", each.program, *_remarks(each)]))
    return 0


def _remarks(release: Installed) -> list[str]:
    return [] if ADAPTERS[release.solver].is_tried else ["never tried with the real program"]


def install(arguments: argparse.Namespace) -> int:
    """Each release that can be had is installed, whatever becomes of the others."""
    failures = []
    for name, version in _releases(arguments, may_lack_version=True):
        try:
            print(ADAPTERS[name].install(version, lambda line: print(line, file=sys.stderr)).program)
        except InstallError as problem:
            failures.append(str(problem))
        except OSError as problem:
            failures.append(f"{directory()} cannot be written: {problem.strerror}; set HORNBLOWER_SOLVERS to another")
    if failures:
        raise UserError("\nhornblower: ".join(failures))
    return 0


def register_program(arguments: argparse.Namespace) -> int:
    try:
        entry = add(arguments.name, arguments.path)
    except BadSolver as problem:
        raise UserError(str(problem)) from problem
    print(f"{entry.solver}@{entry.version}\t{entry.program}")
    return 0


def remove(arguments: argparse.Namespace) -> int:
    for name, version in _releases(arguments):
        ADAPTERS[name].remove(version)
    return 0


def _releases(arguments: argparse.Namespace, *, may_lack_version: bool = False) -> list[tuple[str, str]]:
    """All of them are read before the first is touched."""
    try:
        return [parse_release(text, may_lack_version=may_lack_version) for text in arguments.releases]
    except BadSolver as problem:
        raise UserError(str(problem)) from problem


def _table(releases: list[Installed]) -> Table:
    table = Table("solver", "version", "program", "remarks")
    for each in releases:
        table.add_row(each.solver, each.version, each.program, *_remarks(each))
    return table
