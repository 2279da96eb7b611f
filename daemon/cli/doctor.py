"""`hornblower doctor`: look at everything that can be wrong, and name the command that puts it right."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from daemon.checkups import CHECKUPS, Checkup, Condition, Diagnosis, Surroundings
from daemon.cli.arguments import positive
from daemon.cli.socket_options import add_options, socket_path
from daemon.config import SYSTEM_CONFIG
from daemon.state import state_directory

_EPILOG = """\
exit codes:
  0  no problem (there may be warnings)
  1  at least one problem
  2  the command is misspelt
"""
_SIGNS = {Condition.well: "ok     ", Condition.warning: "warning", Condition.problem: "PROBLEM"}


class Finding(msgspec.Struct, frozen=True):
    """A line of `--json`."""

    checkup: str
    condition: Condition
    words: str
    remedy: str


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "doctor",
        help="what can be wrong on this machine, and how to put it right",
        description="Looks at solvers, Java, checkers, permissions, systemd, the socket, the disk and limits.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "checkups", nargs="*", metavar="CHECKUP", help=f"only these: {', '.join(CHECKUPS)} (all unless told)"
    )
    add_options(parser)
    parser.add_argument("--state", type=Path, metavar="DIR", help=f"the state directory ({state_directory()})")
    parser.add_argument(
        "--config", type=Path, default=SYSTEM_CONFIG, metavar="FILE", help=f"of the daemon ({SYSTEM_CONFIG})"
    )
    slots = os.cpu_count() or 1
    parser.add_argument("--slots", type=positive(int), default=slots, metavar="N", help=f"solvers at once ({slots})")
    parser.set_defaults(command=lambda arguments: doctor(parser, arguments))


def doctor(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    unknown = set(arguments.checkups) - set(CHECKUPS)
    if unknown:
        parser.error(f"there is no checkup {', '.join(sorted(unknown))}; there are: {', '.join(CHECKUPS)}")
    around = Surroundings(
        socket=arguments.socket or socket_path(),
        state=(arguments.state or state_directory()).absolute(),
        environment=dict(os.environ),
        slots=int(arguments.slots),
        config=arguments.config.absolute(),
    )
    chosen = {name: check for name, check in CHECKUPS.items() if name in (arguments.checkups or CHECKUPS)}
    return examine(around, chosen, as_json=arguments.json)


def examine(around: Surroundings, checkups: Mapping[str, Checkup], *, as_json: bool) -> int:
    """Tell what each finds, as it finds it."""
    worst = 0
    for name, check in checkups.items():
        for diagnosis in check(around):
            worst = max(worst, diagnosis.condition is Condition.problem)
            finding = Finding(name, diagnosis.condition, diagnosis.words, diagnosis.remedy)
            print(msgspec.json.encode(finding).decode() if as_json else line_of(name, diagnosis), flush=True)
    return worst


def line_of(name: str, diagnosis: Diagnosis) -> str:
    remedy = f"\n{'':22}  type: {diagnosis.remedy}" if diagnosis.remedy else ""
    return f"{_SIGNS[diagnosis.condition]}  {name:<13}  {diagnosis.words}{remedy}"
