"""The files that make Hornblower a service of systemd: where they come from, where they go, and what is put into them.

They lie in systemd/ of the sources, and in share/hornblower/systemd of an environment that it was installed into.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import msgspec

_SOURCES: Final = Path(__file__).resolve().parent.parent / "systemd"
_INSTALLED: Final = Path(sys.prefix) / "share" / "hornblower" / "systemd"
_PROGRAM: Final = "/opt/hornblower/bin/hornblower"
_HIDDEN: Final = (Path("/home"), Path("/root"), Path("/run/user"), Path("/tmp"), Path("/var/tmp"))
"""What the service cannot see."""


class NotInstalled(Exception):
    """The service cannot be installed; the message says why and what to do."""


class Unit(msgspec.Struct, frozen=True):
    """A file and where it goes."""

    source: str
    target: Path


def system_units(root: Path) -> tuple[Unit, ...]:
    units = root / "etc" / "systemd" / "system"
    return (
        Unit("hornblower.service", units / "hornblower.service"),
        Unit("hornblower.socket", units / "hornblower.socket"),
        Unit("hornblower.sysusers.conf", root / "etc" / "sysusers.d" / "hornblower.conf"),
    )


def user_units(config_home: Path) -> tuple[Unit, ...]:
    return (Unit("user/hornblower.service", config_home / "systemd" / "user" / "hornblower.service"),)


def text_of(unit: Unit, program: Path) -> str:
    """With the path of the program that is to be started."""
    home = _SOURCES if (_SOURCES / "hornblower.service").is_file() else _INSTALLED
    try:
        return (home / unit.source).read_text(encoding="utf-8").replace(_PROGRAM, str(program))
    except FileNotFoundError:
        raise NotInstalled(f"{home / unit.source} is missing; install hornblower again") from None


def require_visible(program: Path) -> None:
    """That the service, which sees nobody's home, can start the program."""
    for place in (program, Path(sys.base_prefix).resolve()):
        for hidden in _HIDDEN:
            if place.is_relative_to(hidden):
                raise NotInstalled(
                    f"{place} lies below {hidden}, which the service does not see: install hornblower into /opt with a "
                    "python that everybody has (python3 -m venv /opt/hornblower && /opt/hornblower/bin/pip install "
                    "SOURCES), or for yourself alone: hornblower systemd install --user"
                )


def own_program() -> Path:
    """The hornblower that is running."""
    program = Path(sys.prefix) / "bin" / "hornblower"
    if not program.is_file():
        raise NotInstalled(f"{program} is missing; install hornblower into this environment: pip install SOURCES")
    return program
