"""Where Eldarica lies and how it is started: releases in SOLVERS/eldarica/VERSION/, or whatever the user has.

A program for Eldarica is its script `eld`, or a directory of jars. The script sets limits of its own to the JVM, so
the jars that lie with it are started directly; without any, as for a build to native code, the program itself is.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backends.java import fetch, jvm_options, missing, require_java_and_maven
from backends.places import (
    Installed,
    InstallError,
    Progress,
    directory,
    fresh_place,
    on_path,
    registered,
    said_by,
)

NAME: Final = "eldarica"
MAIN: Final = "lazabs.Main"
SERVER: Final = "lazabs.ServerMain"
JAVA_MISSING: Final = "eldarica needs java; on Debian or Ubuntu, as root: apt-get install default-jre-headless"
_GROUP: Final = "io.github.uuverifiers"
_ARTIFACT: Final = "eldarica_2.13"
_OTHER_WAYS: Final = (
    "unpack a release of its developers by hand, then type: hornblower solvers add eldarica /path/to/its/eld"
)
_JARS: Final = ("*.jar", "lib/*.jar", "dist/*.jar", "target/scala-*/*assembly*.jar")
_IS_ELDARICA: Final = re.compile(r"eldarica|lazabs", re.IGNORECASE)
_IN_NAME: Final = re.compile(r"eldarica(?:_2\.\d+|-assembly)?-(\d[\w.]*?)\.jar", re.IGNORECASE)
_GREETING: Final = re.compile(r"Eldarica v(\d[\w.]*\w)")
# Terms nest deep, and it recurses over them.
_STACK: Final = "-Xss20000k"


def launcher(program: str, memory_mb: int | None, main: str) -> tuple[str, ...]:
    """The words that start one of its classes, or the program itself where there are no jars with it."""
    jars = class_path(program)
    if jars is None:
        return (program,)
    return ("java", *jvm_options(memory_mb), _STACK, "-cp", jars, main)


@functools.cache
def class_path(program: str) -> str | None:
    jars = _jars(program)
    return ":".join(map(str, jars)) if jars else None


def _jars(program: str) -> list[Path]:
    """All jars of the first folder that has Eldarica's own."""
    place = Path(program).resolve()
    home = place if place.is_dir() else place.parent
    for pattern in _JARS:
        jars = sorted(home.glob(pattern))
        if any(_IS_ELDARICA.search(jar.name) for jar in jars):
            return jars
    return []


def is_program(path: str) -> bool:
    """Whether the path names a program or a directory with jars of Eldarica."""
    return bool(_jars(path)) if os.path.isdir(path) else os.access(path, os.X_OK)


@functools.cache
def version_of(program: str) -> str | None:
    """The version in the name of its jar, or the one that it greets with; None if it is not Eldarica."""
    for jar in _jars(program):
        if (found := _IN_NAME.fullmatch(jar.name)) is not None:
            return found[1]
    greeting = _GREETING.search(said_by((*launcher(program, None, MAIN), "-h")) or "")
    return None if greeting is None else greeting[1]


def releases() -> Iterator[Installed]:
    yield from on_path(NAME, "eld", version_of)
    yield from registered(NAME)
    home = directory() / NAME
    for place in home.iterdir() if home.is_dir() else ():
        if _jars(str(place)):
            yield Installed(NAME, place.name, str(place))


def install(version: str, progress: Progress) -> Installed:
    """Fetch a release with Maven, see that it runs, and only then give it its place."""
    home = directory() / NAME
    place = home / version
    if _jars(str(place)):
        progress(f"{NAME}@{version} is installed already")
        return Installed(NAME, version, str(place))
    require_java_and_maven(NAME)
    with fresh_place(home) as fresh:
        progress(f"installing {NAME}@{version} with Maven (some 40 MB)")
        try:
            fetch(_GROUP, _ARTIFACT, version, fresh)
        except InstallError as problem:
            raise InstallError(f"{problem}; some mirrors do not have it: {_OTHER_WAYS}") from problem
        _require_answer(fresh, version)
        fresh.rename(place)
    return Installed(NAME, version, str(place))


def _require_answer(place: Path, version: str) -> None:
    """The name of its jar says a version before it has run, so it is asked for its help."""
    if _GREETING.search(said_by((*launcher(str(place), None, MAIN), "-h")) or "") is None:
        raise InstallError(f"{NAME}@{version} was fetched, but does not run on this machine; see: java -version")


def remove(version: str) -> bool:
    """Whether there was such a release."""
    place = directory() / NAME / version
    if not place.is_dir():
        return False
    shutil.rmtree(place)
    return True


def java_is_missing() -> bool:
    return "java" in missing()
