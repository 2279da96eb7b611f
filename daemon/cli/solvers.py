"""`hornblower solvers`: which releases of which solvers are here; fetch more, or drop some."""

import argparse
import sys

import msgspec
from rich.console import Console
from rich.table import Table

from backends.abilities import Abilities, abilities_of
from backends.adapters import ADAPTERS, OWN
from backends.description import write_example
from backends.places import BadSolver, Installed, InstallError, directory
from backends.store import add, installed, parse_release
from backends.support import EVERYTHING
from daemon.cli import matrix, solvers_doctor
from daemon.cli.errors import UserError


def register(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "solvers",
        help="list, install, remove, try and compare releases of solvers",
        description=f"Releases of solvers, kept side by side in {directory()} (set HORNBLOWER_SOLVERS to change).",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION", title="actions")
    listing = actions.add_parser("list", help="list the solvers that can be asked, and what each can do")
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
    adding.add_argument("name", choices=list(OWN), metavar="NAME", help=f"one of {', '.join(OWN)}")
    adding.add_argument("path", metavar="PATH", help="the program")
    adding.set_defaults(command=register_program)
    describing = actions.add_parser("describe", help="write a table to fill in, for a solver without an adapter")
    describing.add_argument("name", metavar="NAME", help="what it is to be called")
    describing.set_defaults(command=describe)
    solvers_doctor.register(actions)
    matrix.register(actions)


def show(arguments: argparse.Namespace) -> int:
    releases = installed()
    if arguments.json:
        for each in releases:
            print(msgspec.json.encode({**msgspec.structs.asdict(each), "can": _abilities(each)}).decode())
    elif sys.stdout.isatty():
        Console().print(_table(releases))
    else:
        for each in releases:
            print(f"{each.solver}@{each.version}\t{each.program}\t{in_words(_abilities(each))}")
    return 0


def _abilities(release: Installed) -> Abilities:
    return abilities_of(ADAPTERS[release.solver], release.version)


def in_words(can: Abilities) -> str:
    """What a solver can do, in a line."""
    theories = "everything" if set(can.theories) == EVERYTHING else " + ".join(can.theories)
    parts = [
        theories,
        "" if can.nonlinear_clauses else "linear clauses only",
        "models" if can.models else "no models",
        "refutations" if can.refutations else "no refutations",
        "warm" if can.warm else "",
        "trace" if can.trace else "",
        f"{can.fair_options} options" if can.fair_options else "",
        "never tried by us" if can.never_tried else "",
    ]
    return ", ".join(part for part in parts if part)


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


def describe(arguments: argparse.Namespace) -> int:
    if arguments.name in OWN:
        raise UserError(f"hornblower knows {arguments.name}; type: hornblower solvers add {arguments.name} PATH")
    print(write_example(arguments.name))
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
    table = Table("solver", "version", "can do", "program")
    for each in releases:
        table.add_row(each.solver, each.version, in_words(_abilities(each)), each.program)
    return table
