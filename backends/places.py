"""Where solvers lie: the directory of installed releases, and programs that the user has registered.

SOLVERS is $HORNBLOWER_SOLVERS, or else hornblower/solvers below $XDG_DATA_HOME. A release that Hornblower has
installed lies in SOLVERS/NAME/VERSION/; programs that were there before are listed in SOLVERS/registered.json.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

Progress = Callable[[str], None]
_REGISTER: Final = "registered.json"
_PATIENCE_SECONDS: Final = 60.0


class SolverMissing(Exception):
    """A solver that was asked for is not here; the message says how to get it."""


class BadSolver(Exception):
    """A solver is misspelt; the message gives an example."""


class InstallError(Exception):
    """A release could not be installed, registered or removed; the message says why."""


class Installed(msgspec.Struct, frozen=True):
    solver: str
    version: str
    program: str
    is_own: bool = False
    """Whether it belongs to the environment that Hornblower runs in, and so cannot be removed."""


def directory() -> Path:
    if given := os.environ.get("HORNBLOWER_SOLVERS"):
        return Path(given).absolute()
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data).absolute() / "hornblower" / "solvers"


def order_of(version: str) -> tuple[int, ...]:
    """What sorts 4.13 behind 4.9."""
    return tuple(int(number) for number in re.findall(r"\d+", version))


@contextmanager
def fresh_place(home: Path) -> Iterator[Path]:
    """A folder below `home` to lay a release in, before it is renamed into its place; what is left of it goes away."""
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as scratch:
        yield Path(scratch) / "release"


def registered(name: str) -> Iterator[Installed]:
    """The programs that the user has registered as this solver, as far as they are still there."""
    return (each for each in _register() if each.solver == name and os.path.exists(each.program))


def on_path(name: str, program: str, version_of: Callable[[str], str | None]) -> Iterator[Installed]:
    """The program of this name that the shell would find, if it says a version."""
    found = shutil.which(program)
    version = None if found is None else version_of(os.path.abspath(found))
    if found is not None and version is not None:
        yield Installed(name, version, os.path.abspath(found))


def said_by(command: Sequence[str]) -> str | None:
    """What a program prints that is only asked who it is; None if it does not run."""
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=True, stdin=subprocess.DEVNULL
        ).stdout
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None


def register(entry: Installed) -> None:
    """Remember a program; it takes the place of one of the same name and version."""
    _keep([*(each for each in _register() if not _is_same(each, entry.solver, entry.version)), entry])


def unregister(name: str, version: str) -> None:
    known = _register()
    left = [each for each in known if not _is_same(each, name, version)]
    if len(left) == len(known):
        raise InstallError(f"{name}@{version} is not installed; see what is: hornblower solvers list")
    _keep(left)


def _is_same(entry: Installed, name: str, version: str) -> bool:
    return (entry.solver, entry.version) == (name, version)


def _register() -> list[Installed]:
    path = directory() / _REGISTER
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Installed])
    except FileNotFoundError:
        return []
    except msgspec.MsgspecError as problem:
        raise InstallError(f"{path} is not the list of programs that it should be ({problem}); delete it") from problem


def _keep(entries: list[Installed]) -> None:
    """Written beside the old list and then put into its place, so that a kill leaves one of the two."""
    path = directory() / _REGISTER
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(entries), indent=2))
    fresh.replace(path)
