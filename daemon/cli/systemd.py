"""`hornblower systemd`: put the units in place, or take them away."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import anyio

from backends.limits import Limits
from backends.process import run
from daemon.cli.errors import UserError
from daemon.config import SYSTEM_CONFIG, default_text
from daemon.units import NotInstalled, Unit, own_program, require_visible, system_units, text_of, user_units

_RUNNING: Final = Path("/run/systemd/system")
_COMMAND_SECONDS: Final = 90.0


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "systemd",
        help="make the daemon a service of systemd",
        description="Installs the units of the service, or takes them away again. See docs/service.md.",
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION", title="actions")
    for name, help, command in (
        ("install", "write units and a configuration, and make their user", _install),
        ("uninstall", "stop the service and take its units away; configuration and state stay", _uninstall),
    ):
        action = actions.add_parser(name, help=help)
        action.add_argument("--user", action="store_true", help="for yourself, without being root")
        action.add_argument(
            "--root", type=Path, default=Path("/"), metavar="DIR", help="write below DIR, and start nothing"
        )
        action.set_defaults(command=command)


def _install(arguments: argparse.Namespace) -> int:
    try:
        program = own_program()
        if not arguments.user and arguments.root == Path("/"):
            require_visible(program)
        texts = {unit.target: text_of(unit, program) for unit in _units(arguments)}
    except NotInstalled as problem:
        raise UserError(str(problem)) from problem
    config = _config(arguments)
    if not config.exists():
        texts[config] = default_text()
    for target, text in texts.items():
        _write(target, text)
    if _may_start(arguments):
        _tell_systemd(arguments, ["systemd-sysusers"], ["systemctl", "daemon-reload"])
    systemctl = _systemctl(arguments)
    socket = "" if arguments.user else " hornblower.socket"
    print(f"edit {config}, then start it: {systemctl} enable --now{socket} hornblower.service")
    print(f"see what it does: journalctl {'--user ' if arguments.user else ''}-fu hornblower -o cat")
    return 0


def _uninstall(arguments: argparse.Namespace) -> int:
    there = [unit for unit in _units(arguments) if unit.target.exists()]
    if _may_start(arguments) and there:
        names = [unit.target.name for unit in there if unit.target.suffix in (".service", ".socket")]
        _tell_systemd(arguments, ["systemctl", "disable", "--now", *names])
    for unit in there:
        _remove(unit.target)
    if _may_start(arguments):
        _tell_systemd(arguments, ["systemctl", "daemon-reload"])
    print(f"{len(there)} files are removed; {_config(arguments)} and the state directory stay")
    return 0


def _units(arguments: argparse.Namespace) -> tuple[Unit, ...]:
    return user_units(_config_home(arguments.root)) if arguments.user else system_units(arguments.root)


def _config(arguments: argparse.Namespace) -> Path:
    if arguments.user:
        return _config_home(arguments.root) / "hornblower" / "hornblower.toml"
    root: Path = arguments.root
    return root / SYSTEM_CONFIG.relative_to("/")


def _config_home(root: Path) -> Path:
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home if root == Path("/") else root / home.relative_to("/")


def _write(target: Path, text: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UserError(
            f"{target} cannot be written: {problem.strerror}; be root, or install it for yourself alone: --user"
        ) from problem
    print(f"written: {target}")


def _remove(target: Path) -> None:
    try:
        target.unlink()
    except OSError as problem:
        raise UserError(f"{target} cannot be removed: {problem.strerror}; be root, or say --user") from problem
    print(f"removed: {target}")


def _may_start(arguments: argparse.Namespace) -> bool:
    """Whether there is a systemd that is meant."""
    return arguments.root == Path("/") and _RUNNING.is_dir()


def _systemctl(arguments: argparse.Namespace) -> str:
    return "systemctl --user" if arguments.user else "systemctl"


def _tell_systemd(arguments: argparse.Namespace, *commands: Sequence[str]) -> None:
    for command in commands:
        if arguments.user and command[0] == "systemd-sysusers":
            continue
        words = [command[0], *(["--user"] if arguments.user else []), *command[1:]]
        result = anyio.run(run, words, Limits(wall_seconds=_COMMAND_SECONDS))
        if result.exit_code != 0:
            said = result.stderr.decode("utf-8", "replace").strip() or result.message
            print(f"hornblower: {' '.join(words)}: {said}", file=sys.stderr)
