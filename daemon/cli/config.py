"""`hornblower config`: make the configuration of the daemon, look at it, check it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from daemon import gate
from daemon.cli.errors import UserError
from daemon.config import SECTIONS, SYSTEM_CONFIG, default_text
from daemon.gate import Refused


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "config",
        help="make or check the configuration of the daemon",
        description="Makes, checks and shows the file that `hornblower daemon` is configured by.",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION", title="actions")
    making = actions.add_parser("init", help="write a file in which every option is explained")
    making.add_argument("file", nargs="?", type=Path, default=SYSTEM_CONFIG, metavar="FILE", help="- prints it")
    making.add_argument("--force", action="store_true", help="also if there is such a file already")
    making.set_defaults(command=_init)
    for name, help, command in (
        ("check", "say what is wrong with a file; the exit codes are those of the daemon", _check),
        ("show", "print what is in force, defaults included", _show),
    ):
        action = actions.add_parser(name, help=help)
        action.add_argument("file", nargs="?", type=Path, default=SYSTEM_CONFIG, metavar="FILE")
        action.set_defaults(command=command)


def _init(arguments: argparse.Namespace) -> int:
    path: Path = arguments.file
    if str(path) == "-":
        print(default_text(), end="")
        return 0
    if path.exists() and not arguments.force:
        raise UserError(f"{path} is there already; to write it anew: hornblower config init --force {path}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(default_text(), encoding="utf-8")
    except OSError as problem:
        raise UserError(f"{path} cannot be written: {problem.strerror}; name another file") from problem
    print(f"{path} is written; edit it, then type: hornblower config check {path}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    try:
        admitted = gate.admit(arguments.file.absolute())
    except Refused as refusal:
        print(f"hornblower: {refusal}", file=sys.stderr)
        return refusal.code
    labels = [each.configuration.label for each in admitted.sightings if each.configuration is not None]
    print(f"{arguments.file} is in order; the suspects are {', '.join(labels)}")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    try:
        config = gate.configured(arguments.file.absolute())
    except Refused as refusal:
        print(f"hornblower: {refusal}", file=sys.stderr)
        return refusal.code
    for section in SECTIONS:
        print(f"[{section}]")
        for name, value in msgspec.to_builtins(getattr(config, section)).items():
            print(f"{name} = {msgspec.json.encode(value).decode()}")
        print()
    return 0
