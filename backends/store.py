"""The solvers that can be asked, and how people name them."""

from __future__ import annotations

import os
import re
from typing import Final

import msgspec

from backends.adapter import Adapter
from backends.adapters import ADAPTERS
from backends.answer import Configuration
from backends.places import BadSolver, Installed, InstallError, SolverMissing, order_of, register

_EXAMPLES: Final = "spacer, spacer@4.13.4, spacer@4.13.4,fp.xform.slice=false, spacer@path:/opt/z3/bin/z3"
_VERSION: Final = re.compile(r"\d[\w.+-]*")
_OPTION: Final = re.compile(r"([A-Za-z][\w.:-]*)=(\S+)")
_PATH_PREFIX: Final = "path:"


def installed() -> list[Installed]:
    """What can be asked, the newest release of each solver last. Of two equal releases the last found is listed."""
    found = {(each.solver, each.version): each for adapter in ADAPTERS.values() for each in adapter.releases()}
    return sorted(found.values(), key=lambda each: (list(ADAPTERS).index(each.solver), order_of(each.version)))


def find(name: str, version: str | None = None) -> Configuration:
    """A solver without options; the newest release where none is named."""
    require_known(name)
    candidates = [each for each in installed() if each.solver == name and version in (None, each.version)]
    if not candidates:
        raise SolverMissing(how_to_get(name, version))
    return Configuration(name, candidates[-1].version, candidates[-1].program)


def newest() -> list[Configuration]:
    """The newest release of each solver that is here, without options; those that start quickly first."""
    releases = {each.solver: Configuration(each.solver, each.version, each.program) for each in installed()}
    return sorted(releases.values(), key=lambda each: ADAPTERS[each.solver].starts_slowly)


def how_to_get(name: str, version: str | None = None) -> str:
    """That it is missing, and what to type."""
    adapter = ADAPTERS[name]
    release = name if version is None else f"{name}@{version}"
    if type(adapter).install is Adapter.install:
        return f"{release} is not here; if you have it, type: hornblower solvers add {name} /path/to/its/program"
    wanted = release if version is not None or adapter.installs_newest else f"{name}@VERSION"
    return f"{release} is not installed; type: hornblower solvers install {wanted}"


def add(name: str, path: str) -> Installed:
    """Register a program that somebody already has, under the version that it says it has."""
    require_known(name)
    program = os.path.abspath(path)
    if not ADAPTERS[name].is_program(program):
        raise InstallError(f"{path} is not a program that can be run; see: ls -l {path}")
    version = ADAPTERS[name].version_of(program)
    if version is None:
        raise InstallError(f"{path} does not say a version of {name}; is it {name}, and does it run on this machine?")
    entry = Installed(name, version, program)
    register(entry)
    return entry


def parse_solver(text: str) -> Configuration:
    """A solver as people write it: NAME[@VERSION or @path:PROGRAM][,OPTION=VALUE...]."""
    head, *settings = text.strip().split(",")
    name, at, release = head.partition("@")
    require_known(name)
    if at and not release:
        raise _misspelt(text, "no version follows the @")
    options = _options(text, name, settings)
    if release.startswith(_PATH_PREFIX):
        return Configuration(name, release, _program(text, name, release.removeprefix(_PATH_PREFIX)), options)
    if at and not _VERSION.fullmatch(release):
        raise _misspelt(text, f"{release} is not a version")
    return msgspec.structs.replace(find(name, release or None), options=options)


def parse_release(text: str, *, may_lack_version: bool = False) -> tuple[str, str]:
    """NAME@VERSION, as it is installed and removed; the bare name where the newest can be installed."""
    name, _, version = text.strip().partition("@")
    require_known(name)
    if not version and "@" not in text and may_lack_version and ADAPTERS[name].installs_newest:
        return name, ""
    if not _VERSION.fullmatch(version):
        raise BadSolver(f"{text}: name one release, for instance spacer@4.13.4")
    return name, version


def require_known(name: str) -> None:
    if name not in ADAPTERS:
        raise BadSolver(
            f"{name or 'an empty name'}: no such solver; there are {', '.join(ADAPTERS)}; "
            f"write for instance one of these: {_EXAMPLES}"
        )


def _options(text: str, name: str, settings: list[str]) -> tuple[tuple[str, str], ...]:
    options: dict[str, str] = {}
    for setting in settings:
        match = _OPTION.fullmatch(setting.strip())
        if match is None:
            raise _misspelt(text, f"{setting.strip() or 'nothing'} is not of the form option=value")
        option = ADAPTERS[name].option_name(match[1])
        if option in options:
            raise _misspelt(text, f"{option} is given twice")
        options[option] = match[2]
    return tuple(options.items())


def _program(text: str, name: str, path: str) -> str:
    if not os.path.isabs(path):
        raise _misspelt(text, f"{path or 'nothing'} is not an absolute path")
    if not ADAPTERS[name].is_program(path):
        raise SolverMissing(f"{path} is not a program that can be run; see: ls -l {path}")
    return path


def _misspelt(text: str, reason: str) -> BadSolver:
    return BadSolver(f"{text}: {reason}; write for instance one of these: {_EXAMPLES}")
