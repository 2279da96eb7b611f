"""Everything that a newcomer can have wrong, one small function for each, and the command that puts it right.

A checkup looks at what it is given and at the machine, changes nothing, and yields at least one diagnosis. To add one,
write the function and put it into `CHECKUPS`.
"""

from __future__ import annotations

import os
import resource
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Final

import anyio
import msgspec

from backends.adapters import ADAPTERS
from backends.examination import Examiner, Standing
from backends.places import directory as solver_directory
from backends.smt_checker import CHECKERS
from backends.store import installed
from daemon.client import Client, NoDaemon, Rejected
from daemon.config import SYSTEM_CONFIG, BadConfig, read_config
from knowledge_base.schema import MIGRATIONS, UnusableDatabase, require_ours
from knowledge_base.store import FILE_NAME, connect_to_read
from transformations.corpus import corpus

_MB: Final = 1024 * 1024
_LEAST_FREE: Final = 500 * _MB
_COMFORTABLE: Final = 5000 * _MB
_LEAST_DESCRIPTORS: Final = 1024
_LEAST_PROCESSES: Final = 512
_UNIT: Final = "hornblower.service"
RUNNING: Final = Path("/run/systemd/system")
"""Is there exactly where systemd is the init system."""


class Condition(StrEnum):
    well = "ok"
    warning = "warning"
    """Something will not work that not everybody needs."""
    problem = "problem"


class Diagnosis(msgspec.Struct, frozen=True):
    """What was found, and the command that puts it right, where something is wrong."""

    condition: Condition
    words: str
    remedy: str = ""


class Surroundings(msgspec.Struct, frozen=True):
    """What the checkups look at."""

    socket: Path
    state: Path
    environment: Mapping[str, str]
    slots: int
    config: Path = SYSTEM_CONFIG
    memory_mb: int = 2048
    """For each query."""


Checkup = Callable[[Surroundings], Iterator[Diagnosis]]


def _well(words: str) -> Diagnosis:
    return Diagnosis(Condition.well, words)


def _warning(words: str, remedy: str) -> Diagnosis:
    return Diagnosis(Condition.warning, words, remedy)


def _problem(words: str, remedy: str) -> Diagnosis:
    return Diagnosis(Condition.problem, words, remedy)


# Programs -----------------------------------------------------------------------------------------------------


def check_solvers(around: Surroundings) -> Iterator[Diagnosis]:
    found = installed()
    if not found:
        yield _problem("no solver is installed", "make setup, or: hornblower solvers install spacer@4.13.4")
    for each in found:
        if ADAPTERS[each.solver].version_of(each.program) is not None:
            yield _well(f"{each.solver}@{each.version} ({each.program})")
        else:
            remedy = f"hornblower solvers install {each.solver}@{each.version}"
            yield _problem(f"{each.program} does not run, or does not say its version", remedy)


def check_java(around: Surroundings) -> Iterator[Diagnosis]:
    java = shutil.which("java", path=around.environment.get("PATH"))
    remedy = "apt-get install default-jre-headless"
    if java is None:
        yield _warning("there is no java; solvers that are written in Java or Scala cannot be asked", remedy)
        return
    said = _output([java, "-version"])
    yield _warning(f"{java} does not run", remedy) if said is None else _well(f"{java}: {said.splitlines()[0]}")


def check_checkers(around: Surroundings) -> Iterator[Diagnosis]:
    """Each has to call a witness valid that is."""
    known = corpus()[0].known
    assert known.witness is not None
    for name in CHECKERS:
        standing = anyio.run(_examine, name)
        if standing is Standing.valid:
            yield _well(f"{name} decides")
        else:
            yield _problem(f"{name} calls a right witness {standing}", "rm -rf .venv && make setup")


async def _examine(name: str) -> Standing:
    known = corpus()[0].known
    assert known.witness is not None
    async with Examiner((name,)) as examiner:
        return (await examiner.examine(known.instance, known.witness)).standing


# Places -------------------------------------------------------------------------------------------------------


def check_state(around: Surroundings) -> Iterator[Diagnosis]:
    state = around.state
    if not state.exists():
        parent = next(each for each in state.parents if each.exists())
        if os.access(parent, os.W_OK):
            yield _well(f"{state} will be made")
        else:
            yield _problem(f"{state} cannot be made", f"install -d -m 0700 -o $USER {state}")
        return
    if not os.access(state, os.R_OK | os.W_OK | os.X_OK):
        yield _problem(f"{state} is not yours to write", f"chown -R $USER {state}, or name another: --state DIR")
        return
    if stat.S_IMODE(state.stat().st_mode) & 0o077:
        yield _warning(f"others may look into {state}", f"chmod 0700 {state}")
    else:
        yield _well(f"{state} is yours alone")


def check_knowledge(around: Surroundings) -> Iterator[Diagnosis]:
    path = around.state / FILE_NAME
    if not path.exists():
        yield _well("there is no knowledge base yet; the first hunt makes one")
        return
    try:
        with closing(connect_to_read(path)) as connection:
            schema = require_ours(connection, str(path), len(MIGRATIONS))
            (damage,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except (UnusableDatabase, sqlite3.Error) as problem:
        yield _problem(str(problem), f"mv {path} {path}.old, or name another: --state DIR")
        return
    if damage != "ok":
        yield _problem(f"{path} is damaged: {damage}", f"mv {path} {path}.old")
    else:
        yield _well(f"{path} has schema {schema} of {len(MIGRATIONS)} and is sound")


def check_permissions(around: Surroundings) -> Iterator[Diagnosis]:
    """Of the places that commands write into."""
    for words, place in (
        ("solvers are installed", solver_directory()),
        ("temporary files are made", _temporary(around)),
    ):
        existing = next(each for each in (place, *place.parents) if each.exists())
        if os.access(existing, os.W_OK | os.X_OK):
            yield _well(f"{place}, where {words}, can be written")
        else:
            yield _warning(f"{place}, where {words}, cannot be written", f"install -d -o $USER {place}")


def check_disk(around: Surroundings) -> Iterator[Diagnosis]:
    for place in dict.fromkeys((around.state, _temporary(around))):
        existing = next(each for each in (place, *place.parents) if each.exists())
        usage, nodes = shutil.disk_usage(existing), os.statvfs(existing)
        free = f"{usage.free // _MB} MB are free for {place}"
        if usage.free < _LEAST_FREE:
            yield _problem(free, f"make room; see what takes it: du -xh {existing} | sort -h | tail")
        elif nodes.f_files and nodes.f_ffree < nodes.f_files // 100:
            yield _problem(f"hardly any file can be made for {place}", f"see: df -i {existing}")
        elif usage.free < _COMFORTABLE:
            yield _warning(free, f"enough for now; see: df -h {existing}")
        else:
            yield _well(free)


# The machine --------------------------------------------------------------------------------------------------


def check_limits(around: Surroundings) -> Iterator[Diagnosis]:
    yield _at_least(
        resource.RLIMIT_NOFILE, _LEAST_DESCRIPTORS, "open files", "ulimit -n 4096 (in the unit: LimitNOFILE=)"
    )
    yield _at_least(resource.RLIMIT_NPROC, _LEAST_PROCESSES, "processes", "ulimit -u 4096 (in the unit: LimitNPROC=)")
    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        yield _warning("the size of files is limited; a knowledge base may grow large", "ulimit -f unlimited")


def _at_least(which: int, least: int, words: str, remedy: str) -> Diagnosis:
    soft, _ = resource.getrlimit(which)
    if soft != resource.RLIM_INFINITY and soft < least:
        return _problem(f"only {soft} {words} are allowed; {least} are needed", remedy)
    return _well(f"{'any number of' if soft == resource.RLIM_INFINITY else soft} {words} are allowed")


def check_memory(around: Surroundings) -> Iterator[Diagnosis]:
    available, needed = _available_mb(), around.slots * around.memory_mb
    words = f"{available} MB of memory are available; {around.slots} solvers may take {needed} MB"
    if available < around.memory_mb:
        yield _problem(words, f"hornblower run --memory {max(256, available // 2)} --slots 1")
    elif available < needed:
        yield _warning(words, f"hornblower run --slots {max(1, available // around.memory_mb)}")
    else:
        yield _well(words)


def check_processes(around: Surroundings) -> Iterator[Diagnosis]:
    """What the killing of runaway processes relies on."""
    try:
        os.close(os.pidfd_open(os.getpid()))
        readable = bool(Path("/proc/self/environ").stat())
        yield _well("processes can be watched") if readable else _problem("/proc is hidden", "mount /proc")
    except (OSError, AttributeError) as problem:
        yield _problem(f"processes cannot be watched: {problem}", "use Linux 5.4 or newer, with /proc mounted")


def check_configuration(around: Surroundings) -> Iterator[Diagnosis]:
    if not around.config.exists():
        yield _warning(f"there is no {around.config}", f"hornblower config init {around.config}")
        return
    try:
        read_config(around.config)
        yield _well(f"{around.config} is in order")
    except BadConfig as problem:
        yield _problem(str(problem), f"hornblower config check {around.config}")


# The service --------------------------------------------------------------------------------------------------


def check_systemd(around: Surroundings) -> Iterator[Diagnosis]:
    systemctl = shutil.which("systemctl", path=around.environment.get("PATH"))
    if systemctl is None or not RUNNING.exists():
        yield _warning("systemd does not run here", "run the daemon by other means: hornblower daemon")
        return
    states = {scope: _unit_state(systemctl, scope) for scope in ("system", "user")}
    present = {scope: state for scope, state in states.items() if state != "not-found"}
    if not present:
        yield _warning("the service is not installed", "hornblower systemd install")
    for scope, state in present.items():
        option = " --user" if scope == "user" else ""
        if state == "active":
            yield _well(f"{_UNIT} is active ({scope})")
        else:
            yield _warning(f"{_UNIT} is {state} ({scope})", f"systemctl{option} enable --now hornblower")


def _unit_state(systemctl: str, scope: str) -> str:
    said = _output([systemctl, f"--{scope}", "show", "--property=LoadState,ActiveState", _UNIT]) or ""
    values = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    loaded = values.get("LoadState") == "loaded"
    return values.get("ActiveState", "not-found") if loaded else "not-found"


def check_socket(around: Surroundings) -> Iterator[Diagnosis]:
    path = around.socket
    if not path.exists():
        yield _warning(f"no daemon listens at {path}", "systemctl start hornblower, or: hornblower daemon")
        return
    try:
        with Client(path) as client:
            yield _well(f"hornblower {client.hello.version} answers at {path}, process {client.hello.pid}")
    except (NoDaemon, Rejected) as problem:
        yield _problem(str(problem), f"ls -l {path}; systemctl status hornblower")
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & stat.S_IWOTH:
        yield _warning(f"everybody may use {path} (mode {mode:04o})", "set the mode of the socket to 0660")


def check_sockets_can_be_made(around: Surroundings) -> Iterator[Diagnosis]:
    if len(os.fsencode(around.socket)) > 107:
        yield _problem(f"{around.socket} is too long for a socket", "name a shorter one: --socket PATH")
        return
    try:
        socket.socket(socket.AF_UNIX).close()
        yield _well("Unix sockets can be made")
    except OSError as problem:
        yield _problem(f"Unix sockets cannot be made: {problem}", "see: ulimit -n")


CHECKUPS: Final[Mapping[str, Checkup]] = {
    "solvers": check_solvers,
    "java": check_java,
    "checkers": check_checkers,
    "state": check_state,
    "knowledge": check_knowledge,
    "permissions": check_permissions,
    "disk": check_disk,
    "limits": check_limits,
    "memory": check_memory,
    "processes": check_processes,
    "configuration": check_configuration,
    "systemd": check_systemd,
    "sockets": check_sockets_can_be_made,
    "daemon": check_socket,
}


def _output(command: list[str]) -> str | None:
    """What a command says, on whichever stream; None if it does not run."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout or None


def _temporary(around: Surroundings) -> Path:
    return Path(around.environment.get("TMPDIR") or "/tmp")


def _available_mb() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) // 1024
    return sys.maxsize
