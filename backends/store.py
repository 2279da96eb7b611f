"""The releases of solvers that are installed side by side, and how people name them.

A release of Spacer lies in SOLVERS/spacer/VERSION/ as its wheel lays it out. SOLVERS is $HORNBLOWER_SOLVERS, or
else hornblower/solvers below $XDG_DATA_HOME. The z3 of the environment that Hornblower runs in is always there.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from backends.answer import Configuration

SOLVERS = ("spacer",)
_EXAMPLES = "spacer, spacer@4.13.4, spacer@4.13.4,fp.xform.slice=false, spacer@path:/opt/z3/bin/z3"
_VERSION = re.compile(r"\d+(?:\.\d+){1,3}")
_OPTION = re.compile(r"([A-Za-z][\w.-]*)=(\S+)")
_PATH_PREFIX = "path:"
_PATIENCE_SECONDS = 20.0


class SolverMissing(Exception):
    """A solver that was asked for is not here; the message says how to get it."""


class BadSolver(Exception):
    """A solver is misspelt; the message gives an example."""


class InstallError(Exception):
    """A release could not be installed or removed; the message says why."""


class Installed(msgspec.Struct, frozen=True):
    solver: str
    version: str
    program: str
    is_own: bool
    """Whether it belongs to the environment that Hornblower runs in, and so cannot be removed."""


def directory() -> Path:
    if given := os.environ.get("HORNBLOWER_SOLVERS"):
        return Path(given).absolute()
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data).absolute() / "hornblower" / "solvers"


def installed() -> list[Installed]:
    """What can be asked, the newest release last. Of two equal releases the environment's own is listed."""
    found = {(each.solver, each.version): each for each in (*_stored(), *_own())}
    return sorted(found.values(), key=lambda each: (each.solver, _order(each.version)))


def find(name: str, version: str | None = None) -> Configuration:
    """A solver without options; the newest release where none is named."""
    require_known(name)
    candidates = [each for each in installed() if each.solver == name and version in (None, each.version)]
    if not candidates:
        wanted = name if version is None else f"{name}@{version}"
        raise SolverMissing(
            f"{wanted} is not installed; type: hornblower solvers install {name}@{version or 'VERSION'}"
        )
    return Configuration(name, candidates[-1].version, candidates[-1].program)


def own_spacer() -> Configuration:
    """The Spacer of the environment that Hornblower runs in."""
    for each in _own():
        return Configuration(each.solver, each.version, each.program)
    raise SolverMissing("the environment of hornblower has no z3; repair it: make setup")


def parse_solver(text: str) -> Configuration:
    """A solver as people write it: NAME[@VERSION or @path:PROGRAM][,OPTION=VALUE...]."""
    head, *settings = text.strip().split(",")
    name, at, release = head.partition("@")
    require_known(name)
    if at and not release:
        raise _misspelt(text, "no version follows the @")
    options = _options(text, settings)
    if release.startswith(_PATH_PREFIX):
        return Configuration(name, release, _program(text, release.removeprefix(_PATH_PREFIX)), options)
    if at and not _VERSION.fullmatch(release):
        raise _misspelt(text, f"{release} is not a version")
    return msgspec.structs.replace(find(name, release or None), options=options)


def parse_release(text: str) -> tuple[str, str]:
    """NAME@VERSION, as it is installed and removed."""
    name, _, version = text.strip().partition("@")
    require_known(name)
    if not _VERSION.fullmatch(version):
        raise BadSolver(f"{text}: name one release, for instance {name}@4.13.4")
    return name, version


def require_known(name: str) -> None:
    if name not in SOLVERS:
        raise BadSolver(f"{name or 'an empty name'}: no such solver; write one of these: {_EXAMPLES}")


def install_spacer(version: str, progress: Callable[[str], None]) -> Installed:
    """Fetch a release with pip, see that it runs, and only then give it its place."""
    home = directory() / "spacer"
    if (present := _release(home / version)) is not None:
        progress(f"spacer@{version} is installed already")
        return present
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as scratch:
        fresh = Path(scratch) / version
        progress(f"installing spacer@{version} (z3-solver {version}.0, some 30 MB)")
        _pip_install(version, fresh)
        _require_answer(fresh, version)
        _move_in(fresh, home / version)
    return Installed("spacer", version, str(_program_of(home / version)), is_own=False)


def remove_spacer(version: str) -> None:
    place = directory() / "spacer" / version
    if place.is_dir():
        shutil.rmtree(place)
    elif any(each.version == version for each in _own()):
        raise InstallError(f"spacer@{version} belongs to the environment of hornblower and cannot be removed")
    else:
        raise InstallError(f"spacer@{version} is not installed; see what is: hornblower solvers list")


def _options(text: str, settings: list[str]) -> tuple[tuple[str, str], ...]:
    options: dict[str, str] = {}
    for setting in settings:
        match = _OPTION.fullmatch(setting.strip())
        if match is None:
            raise _misspelt(text, f"{setting.strip() or 'nothing'} is not of the form option=value")
        # z3 takes these spellings for the same; so that one option has one name, we do too.
        name = match[1].lower().replace("-", "_")
        if name in options:
            raise _misspelt(text, f"{name} is given twice")
        options[name] = match[2]
    return tuple(options.items())


def _program(text: str, path: str) -> str:
    if not os.path.isabs(path):
        raise _misspelt(text, f"{path or 'nothing'} is not an absolute path")
    if not os.access(path, os.X_OK) or os.path.isdir(path):
        raise SolverMissing(f"{path} is not a program that can be run; see: ls -l {path}")
    return path


def _misspelt(text: str, reason: str) -> BadSolver:
    return BadSolver(f"{text}: {reason}; write for instance one of these: {_EXAMPLES}")


def _stored() -> Iterator[Installed]:
    home = directory() / "spacer"
    places = home.iterdir() if home.is_dir() else ()
    return (release for place in places if (release := _release(place)) is not None)


def _release(place: Path) -> Installed | None:
    program = _program_of(place)
    if not _VERSION.fullmatch(place.name) or not os.access(program, os.X_OK):
        return None
    return Installed("spacer", place.name, str(program), is_own=False)


def _own() -> Iterator[Installed]:
    """The z3 of the running environment's wheel."""
    for folder in (Path(sys.executable).parent, Path(sys.prefix) / "bin"):
        program = folder / "z3"
        if os.access(program, os.X_OK) and (version := version_of(str(program))) is not None:
            yield Installed("spacer", version, str(program), is_own=True)
            return


def _program_of(place: Path) -> Path:
    return place / "bin" / "z3"


@functools.cache
def version_of(program: str) -> str | None:
    """What a z3 says about its version; None if it does not run."""
    try:
        said = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    match = re.match(r"Z3 version (\S+)", said)
    return match[1] if match else None


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))


def _pip_install(version: str, target: Path) -> None:
    wheel = f"z3-solver=={version}.0"
    arguments = [
        "install",
        "--no-input",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--target",
        str(target),
        wheel,
    ]
    result = _pip(*arguments)
    if result.returncode == 0:
        return
    if "No matching distribution" in result.stderr:
        raise InstallError(f"there is no ready-made spacer@{version} for this machine; {_what_there_is()}")
    reason = next((line for line in result.stderr.splitlines() if line.startswith("ERROR")), "it gave no reason")
    raise InstallError(f"pip could not install {wheel}: {reason}; see more: {_pip_command(*arguments)}")


def _what_there_is() -> str:
    listed = re.search(r"Available versions: (.*)", _pip("index", "versions", "z3-solver").stdout)
    if listed is None:
        return "see which there are: pip index versions z3-solver"
    releases = [each.strip().removesuffix(".0") for each in listed[1].split(",") if "post" not in each]
    return f"there are: {', '.join(releases)}"


def _pip(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


def _pip_command(*arguments: str) -> str:
    return " ".join([sys.executable, "-m", "pip", *arguments])


def _require_answer(place: Path, version: str) -> None:
    answered = version_of(str(_program_of(place)))
    if answered is None:
        raise InstallError(f"spacer@{version} was fetched, but its program does not run on this machine")
    if answered != version:
        raise InstallError(f"spacer@{version} was fetched, but its program says that it is {answered}")


def _move_in(fresh: Path, place: Path) -> None:
    try:
        fresh.rename(place)
    except OSError as problem:
        if _release(place) is None:  # otherwise somebody else has installed the same at the same time
            raise InstallError(f"cannot move the release to {place}: {problem.strerror}") from problem
