"""Releases of Spacer: each lies in SOLVERS/spacer/VERSION/ as its wheel lays it out, installed by pip.

The z3 of the environment that Hornblower runs in is always there.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backends.answer import Configuration
from backends.places import Installed, InstallError, Progress, SolverMissing, directory, fresh_place, said_by

_VERSION: Final = re.compile(r"\d+(?:\.\d+){1,3}")


def releases() -> Iterator[Installed]:
    """What is installed; of two equal releases the environment's own comes last."""
    home = directory() / "spacer"
    places = home.iterdir() if home.is_dir() else ()
    yield from (release for place in places if (release := _release(place)) is not None)
    yield from _own()


def own_spacer() -> Configuration:
    """The Spacer of the environment that Hornblower runs in."""
    for each in _own():
        return Configuration(each.solver, each.version, each.program)
    raise SolverMissing("the environment of hornblower has no z3; repair it: make setup")


def install(version: str, progress: Progress) -> Installed:
    """Fetch a release with pip, see that it runs, and only then give it its place."""
    home = directory() / "spacer"
    if (present := _release(home / version)) is not None:
        progress(f"spacer@{version} is installed already")
        return present
    with fresh_place(home) as fresh:
        progress(f"installing spacer@{version} (z3-solver {version}.0, some 30 MB)")
        _pip_install(version, fresh)
        _require_answer(fresh, version)
        _move_in(fresh, home / version)
    return Installed("spacer", version, str(_program_of(home / version)))


def remove(version: str) -> bool:
    """Whether there was such a release."""
    place = directory() / "spacer" / version
    if place.is_dir():
        shutil.rmtree(place)
        return True
    if any(each.version == version for each in _own()):
        raise InstallError(f"spacer@{version} belongs to the environment of hornblower and cannot be removed")
    return False


@functools.cache
def version_of(program: str) -> str | None:
    """What a z3 says about its version; None if it does not run."""
    match = re.match(r"Z3 version (\S+)", said_by((program, "--version")) or "")
    return match[1] if match else None


def _release(place: Path) -> Installed | None:
    program = _program_of(place)
    if not _VERSION.fullmatch(place.name) or not os.access(program, os.X_OK):
        return None
    return Installed("spacer", place.name, str(program))


def _own() -> Iterator[Installed]:
    """The z3 of the running environment's wheel."""
    for folder in (Path(sys.executable).parent, Path(sys.prefix) / "bin"):
        program = folder / "z3"
        if os.access(program, os.X_OK) and (version := version_of(str(program))) is not None:
            yield Installed("spacer", version, str(program), is_own=True)
            return


def _program_of(place: Path) -> Path:
    return place / "bin" / "z3"


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


def _pip(*arguments: str) -> subprocess.CompletedProcess[str]:
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
