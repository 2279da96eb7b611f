"""`hornblower solvers`: which releases of which solvers are here; fetch more, or drop some."""

import argparse
import sys

import msgspec
from rich.console import Console
from rich.table import Table

from backends.store import (
    BadSolver,
    Installed,
    InstallError,
    directory,
    install_spacer,
    installed,
    parse_release,
    remove_spacer,
)
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
        ("install", "fetch releases, for instance spacer@4.13.4", install),
        ("remove", "delete releases", remove),
    ):
        action = actions.add_parser(name, help=help_text)
        action.add_argument("releases", nargs="+", metavar="NAME@VERSION")
        action.set_defaults(command=command)


def show(arguments: argparse.Namespace) -> int:
    releases = installed()
    if arguments.json:
        for each in releases:
            print(msgspec.json.encode(each).decode())
    elif sys.stdout.isatty():
        Console().print(_table(releases))
    else:
        for each in releases:
            print(f"{each.solver}@{each.version}\t{each.program}")
    return 0


def install(arguments: argparse.Namespace) -> int:
    """Each release that can be had is installed, whatever becomes of the others."""
    failures = []
    for _, version in _releases(arguments):
        try:
            print(install_spacer(version, lambda line: print(line, file=sys.stderr)).program)
        except InstallError as problem:
            failures.append(str(problem))
    if failures:
        raise UserError("\nhornblower: ".join(failures))
    return 0


def remove(arguments: argparse.Namespace) -> int:
    for _, version in _releases(arguments):
        remove_spacer(version)
    return 0


def _releases(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """All of them are read before the first is touched."""
    try:
        return [parse_release(text) for text in arguments.releases]
    except BadSolver as problem:
        raise UserError(str(problem)) from problem


def _table(releases: list[Installed]) -> Table:
    table = Table("solver", "version", "program")
    for each in releases:
        table.add_row(each.solver, each.version, each.program)
    return table
