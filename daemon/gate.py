"""What has to be right before the daemon starts: each problem is one message with its remedy, and an exit code."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
from collections.abc import Mapping, MutableMapping
from enum import IntEnum
from pathlib import Path
from typing import Final

import msgspec

from backends.description import VARIABLE
from daemon.activation import BadActivation, inherited_socket
from daemon.config import BadConfig, Config, read_config, socket_of
from daemon.listening import CannotListen, listen
from daemon.suspects import Sighting, look
from knowledge_base.lock import AlreadyOwned
from knowledge_base.schema import UnusableDatabase
from knowledge_base.store import KnowledgeBase, open_knowledge_base

_MB: Final = 1024 * 1024


class Code(IntEnum):
    """The exit codes of the daemon."""

    bad_config = 10
    no_solver = 11
    bad_state = 12
    locked = 13
    newer_schema = 14
    disk_full = 15
    no_socket = 16
    no_seeds = 17
    damaged = 18
    failed = 20


MEANINGS: Final[dict[Code, str]] = {
    Code.bad_config: "the configuration cannot be read, or something in it is wrong",
    Code.no_solver: "a suspect is not installed, or misspelt",
    Code.bad_state: "the state directory cannot be used",
    Code.locked: "another process works in the state directory",
    Code.newer_schema: "the knowledge base is of a newer Hornblower, or the database of something else",
    Code.disk_full: "the disk of the state directory is nearly full",
    Code.no_socket: "the socket cannot be listened at",
    Code.no_seeds: "a directory of seeds is not there, or may not be read",
    Code.damaged: "the knowledge base is damaged",
    Code.failed: "the hunt could not go on",
}


class Refused(Exception):
    """The daemon does not start. The message says what is wrong and what to do."""

    def __init__(self, code: Code, problem: str) -> None:
        super().__init__(problem)
        self.code = code


class Admitted(msgspec.Struct, frozen=True):
    """A configuration that can be used, and the suspects that it names."""

    config: Config
    sightings: tuple[Sighting, ...]


def admit(path: Path) -> Admitted:
    """Everything that can be said of the configuration alone: so much is looked at again when it is reloaded."""
    config = configured(path)
    require_seeds(config)
    if config.hunt.described:
        os.environ[VARIABLE] = ":".join(config.hunt.described)  # the workers inherit it
    sightings = look(config.hunt.solvers)
    for each in sightings:
        if each.configuration is None:
            raise Refused(Code.no_solver, f"{each.problem}; or change [hunt] solvers in {path}")
    return Admitted(config, sightings)


def configured(path: Path) -> Config:
    try:
        return read_config(path)
    except BadConfig as problem:
        raise Refused(Code.bad_config, str(problem)) from problem


def require_seeds(config: Config) -> None:
    """That every directory is there. What lies in it is looked at while the hunt goes on."""
    for name in config.seeds.directories:
        if not os.path.isdir(name):
            raise Refused(Code.no_seeds, f"{name}, of [seeds] directories, is no directory; make it: mkdir -p {name}")
        if not os.access(name, os.R_OK | os.X_OK):
            raise Refused(Code.no_seeds, f"{name}, of [seeds] directories, may not be read; see: ls -ld {name}")


def open_state(directory: Path, config: Config) -> KnowledgeBase:
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        if problem := lack_of_room(directory, shutil.disk_usage(directory).free, config.knowledge.disk_reserve_mb):
            raise Refused(Code.disk_full, problem)
        return open_knowledge_base(directory)
    except AlreadyOwned as problem:
        raise Refused(Code.locked, str(problem)) from problem
    except UnusableDatabase as problem:
        raise Refused(Code.newer_schema, str(problem)) from problem
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise Refused(Code.bad_state, _unusable(directory, reason)) from problem
    except sqlite3.OperationalError as problem:
        raise Refused(Code.bad_state, _unusable(directory, str(problem))) from problem
    except sqlite3.DatabaseError as problem:
        words = f"the knowledge base in {directory} is damaged: {problem}; move it away, or bring back a copy of it"
        raise Refused(Code.damaged, words) from problem


def lack_of_room(directory: Path, free_bytes: int, reserve_mb: int) -> str | None:
    """What there is to be said where too little is free."""
    if free_bytes >= reserve_mb * _MB:
        return None
    return (
        f"only {free_bytes // _MB} MB are free where {directory} lies, and {reserve_mb} are wanted: make room, "
        "name another directory ([knowledge] state), or want less ([knowledge] disk_reserve_mb); "
        f"see: df -h {directory}"
    )


def _unusable(directory: Path, reason: str) -> str:
    return f"{directory} cannot be the state directory: {reason}; see: ls -ld {directory}; or set [knowledge] state"


def open_socket(config: Config, environment: MutableMapping[str, str], pid: int) -> tuple[socket.socket, bool]:
    """The one that systemd has handed over, or one of our own; and whether it was handed over."""
    try:
        given = inherited_socket(environment, pid)
        return (_own_socket(config, environment), False) if given is None else (given, True)
    except (CannotListen, BadActivation) as problem:
        raise Refused(Code.no_socket, str(problem)) from problem


def _own_socket(config: Config, environment: Mapping[str, str]) -> socket.socket:
    return listen(socket_of(config, environment), int(config.socket.mode, 8), config.socket.group or None)
