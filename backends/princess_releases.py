"""Releases of Princess, named by their dates: each lies in SOLVERS/princess/DATE/ with its jars, fetched by Maven.

Beside the jars lies `princess`, which starts them; options for the JVM come in $JAVA_OPTS.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backends.java import fetch, missing, require_java_and_maven
from backends.places import (
    Installed,
    InstallError,
    Progress,
    SolverMissing,
    directory,
    fresh_place,
    order_of,
    registered,
    said_by,
)

NAME: Final = "princess"
_GROUP, _ARTIFACT = "io.github.uuverifiers", "princess_2.13"
_ANY: Final = "[2021-01-01,)"
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
# A deep stack, because terms nest deep.
_LAUNCHER: Final = """\
#!/bin/sh
exec java -Xss20m $JAVA_OPTS -cp "$(dirname "$0")/*" ap.CmdlMain "$@"
"""


def releases() -> Iterator[Installed]:
    yield from registered(NAME)
    home = directory() / NAME
    for place in home.iterdir() if home.is_dir() else ():
        if (release := _release(place)) is not None:
            yield release


def newest() -> Installed:
    """Raises `SolverMissing`, with what to type, where there is none, or no Java to run it."""
    if "java" in missing():
        raise SolverMissing(
            "princess needs java, not found on PATH; on Debian or Ubuntu, as root: apt-get install default-jre-headless"
        )
    if found := sorted(releases(), key=lambda each: order_of(each.version)):
        return found[-1]
    raise SolverMissing("princess is not installed; type: hornblower solvers install princess")


def install(version: str, progress: Progress) -> Installed:
    """Fetch a release with Maven, the newest if none is named; see that it runs, and only then give it its place."""
    home = directory() / NAME
    if version and (present := _release(home / version)) is not None:
        progress(f"princess@{version} is installed already")
        return present
    if version and not _DATE.fullmatch(version):
        raise InstallError(f"princess@{version}: its releases are dates, for instance princess@2025-11-17")
    require_java_and_maven(NAME)
    with fresh_place(home) as fresh:
        progress(f"installing {f'princess@{version}' if version else 'the newest princess'} with Maven (some 12 MB)")
        _fetch(version, fresh)
        found = _date_of(fresh)
        _add_launcher(fresh)
        _require_answer(fresh, found)
        if _release(home / found) is None:
            fresh.rename(home / found)
    return Installed(NAME, found, str(_program_of(home / found)))


def remove(version: str) -> bool:
    """Whether there was such a release."""
    place = directory() / NAME / version
    if not place.is_dir():
        return False
    shutil.rmtree(place)
    return True


@functools.cache
def version_of(program: str) -> str | None:
    """What a Princess says about its version; None if it does not run."""
    said = (said_by((program, "+version")) or "").strip()
    return said if _DATE.fullmatch(said) else None


def _release(place: Path) -> Installed | None:
    program = _program_of(place)
    if not _DATE.fullmatch(place.name) or not os.access(program, os.X_OK):
        return None
    return Installed(NAME, place.name, str(program))


def _program_of(place: Path) -> Path:
    return place / "princess"


def _fetch(version: str, folder: Path) -> None:
    try:
        fetch(_GROUP, _ARTIFACT, version or _ANY, folder)
    except InstallError as problem:
        hint = "the newest there is: hornblower solvers install princess"
        raise InstallError(f"{problem}; {hint}" if version else str(problem)) from problem


def _date_of(folder: Path) -> str:
    """The release that has come, by the name of its jar."""
    for jar in folder.glob(f"{_ARTIFACT}-*.jar"):
        if _DATE.fullmatch(date := jar.stem.removeprefix(f"{_ARTIFACT}-")):
            return date
    raise InstallError(f"Maven has fetched no {_ARTIFACT}, but {', '.join(sorted(os.listdir(folder))) or 'nothing'}")


def _add_launcher(folder: Path) -> None:
    launcher = _program_of(folder)
    launcher.write_text(_LAUNCHER, encoding="utf-8")
    launcher.chmod(0o755)


def _require_answer(folder: Path, version: str) -> None:
    answered = version_of(str(_program_of(folder)))
    if answered != version:
        said = "does not run on this machine" if answered is None else f"says that it is {answered}"
        raise InstallError(f"princess@{version} was fetched, but it {said}; see: java -version")
