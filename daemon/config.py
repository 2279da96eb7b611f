"""The configuration of the daemon: one TOML file, typed; what is not known is refused with its path.

`hornblower config init` writes a default in which every option is explained. It is made from this file, like the table
in docs/configuration.md: the line below a field is what is said of it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from daemon.documented import summary_of, words_of
from daemon.health import HealthRules
from daemon.listening import socket_candidates
from daemon.state import state_directory
from knowledge_base.schedules import DEFAULT, SCHEDULES

Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0)]
ADDRESS: Final = "hornblower.sock"
SYSTEM_CONFIG: Final = Path("/etc/hornblower/hornblower.toml")


class LogLevel(StrEnum):
    debug = "debug"
    info = "info"
    warning = "warning"
    error = "error"


class LogFormat(StrEnum):
    auto = "auto"
    json = "json"
    console = "console"


class HuntSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to ask, and how."""

    solvers: Annotated[tuple[str, ...], Meta(min_length=1)] = ("spacer",)
    """The suspects, as on the command line: NAME[@VERSION][,OPTION=VALUE...], or NAME@path:PROGRAM."""
    slots: Annotated[int, Meta(ge=0)] = 0
    """Solvers at the same time; 0 means one for each processor."""
    seed: Annotated[int, Meta(ge=0)] = 0
    """Of all random choices; 0 means that one is drawn at each start, and logged."""
    schedule: str = DEFAULT
    """What to ask next: adaptive, uniform, simple or complex."""
    described: tuple[str, ...] = ()
    """Tables of solvers that Hornblower has no adapter for, files NAME.toml or folders of them, besides those in the
    directory of solvers. See docs/add-a-solver.md."""


class SeedsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The instances to begin with."""

    corpus: bool = True
    """Whether those that come with Hornblower are used."""
    directories: tuple[str, ...] = ()
    """Directories of .smt2 files. They are watched: what is put there is asked soon. (To take a file away again changes
    nothing: its instance is known by then.)"""
    look_seconds: Seconds = 10.0
    """How often to look for new files."""
    largest_kb: Count = 1024
    """Larger files are left out."""


class LimitsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What queries may take at most."""

    query_seconds: Seconds = 10.0
    """At most so long for a query; the schedule may set a shorter limit."""
    query_memory_mb: Count = 2048
    """Memory for each query."""
    stop_seconds: Seconds = 30.0
    """When told to stop, the daemon finishes what is under way, but no longer than this."""


class KnowledgeSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept, where, and how much of it."""

    state: str = ""
    """The state directory. Empty means what systemd says ($STATE_DIRECTORY), or else hornblower below $XDG_STATE_HOME
    or ~/.local/state."""
    budget_mb: Count = 256
    """Size of the knowledge base. Beyond it, instances that are worth least are dropped, never what a finding needs.
    For each megabyte of it the daemon holds up to two in memory."""
    disk_reserve_mb: Annotated[int, Meta(ge=0)] = 512
    """With less room than this on its disk the daemon does not start, and complains while it runs."""


class SocketSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where clients reach the daemon. A socket that systemd has opened is used instead of this one."""

    path: str = ""
    """Empty means hornblower.sock in the runtime directory: what systemd says ($RUNTIME_DIRECTORY), or else
    $XDG_RUNTIME_DIR/hornblower, or else the state directory of your own. Commands look there, too."""
    mode: Annotated[str, Meta(pattern="^0[0-7]{3}$")] = "0660"
    """Who may connect, as for chmod."""
    group: str = ""
    """The group of the socket; empty means that of the daemon."""


class LogSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said, and where. See docs/log.md."""

    level: LogLevel = LogLevel.info
    """debug, info, warning or error; queries are told at info."""
    format: LogFormat = LogFormat.auto
    """json, console, or auto: console on a terminal, json elsewhere."""
    file: str = ""
    """Empty means the standard output, which systemd passes on to its journal."""
    file_mb: Count = 100
    """A file that grows beyond this is given another name; three old ones are kept."""
    vitals_seconds: Seconds = 300.0
    """How often to tell how things stand."""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    hunt: HuntSection = HuntSection()
    seeds: SeedsSection = SeedsSection()
    limits: LimitsSection = LimitsSection()
    knowledge: KnowledgeSection = KnowledgeSection()
    socket: SocketSection = SocketSection()
    log: LogSection = LogSection()
    health: HealthRules = HealthRules()


SECTIONS: Final[dict[str, type[msgspec.Struct]]] = {
    name: type(getattr(Config(), name)) for name in Config.__struct_fields__
}
NEEDS_RESTART: Final = ("knowledge.state", "socket", "log.file", "log.format", "hunt.seed", "hunt.described")
"""What a reload cannot change."""
_UNKNOWN: Final = re.compile(r"unknown field `(.+?)`(?: - at `\$\.?(.*)`)?")


class BadConfig(Exception):
    """The file cannot be used; the message says what is wrong, where, and what to do."""


def read_config(path: Path) -> Config:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadConfig(
            f"{path} cannot be read: {problem.strerror}; make one: hornblower config init {path}"
        ) from problem
    except UnicodeDecodeError as problem:
        raise BadConfig(f"{path} is not text in UTF-8") from problem
    return parse_config(text, path)


def parse_config(text: str, path: Path) -> Config:
    """Relative paths are meant from where the file lies."""
    try:
        config = msgspec.convert(tomllib.loads(text), Config)
    except tomllib.TOMLDecodeError as problem:
        raise BadConfig(f"{path}: {problem}; see for the syntax: hornblower config init -") from problem
    except msgspec.ValidationError as problem:
        raise BadConfig(f"{path}: {_in_words(str(problem))}; see: hornblower config init -") from problem
    if config.hunt.schedule not in SCHEDULES:
        raise BadConfig(
            f"{path}: hunt.schedule: there is no schedule {config.hunt.schedule}; choose {', '.join(SCHEDULES)}"
        )
    return _with_whole_paths(config, path.absolute().parent)


def _in_words(problem: str) -> str:
    """The message of msgspec with the path first, and with what may have been meant."""
    unknown = _UNKNOWN.search(problem)
    if unknown is None:
        reason, _, place = problem.partition(" - at ")
        return f"{place.strip('`').removeprefix('$.')}: {reason}" if place else reason
    name, section = unknown[1], unknown[2] or ""
    known = SECTIONS[section].__struct_fields__ if section else tuple(SECTIONS)
    close = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
    return f"{section}{'.' if section else ''}{name}: no such {'option' if section else 'section'}; {hint}"


def _with_whole_paths(config: Config, home: Path) -> Config:
    def whole(path: str) -> str:
        return str(home / Path(path).expanduser()) if path else ""

    replace = msgspec.structs.replace
    return replace(
        config,
        hunt=replace(config.hunt, described=tuple(map(whole, config.hunt.described))),
        seeds=replace(config.seeds, directories=tuple(map(whole, config.seeds.directories))),
        knowledge=replace(config.knowledge, state=whole(config.knowledge.state)),
        socket=replace(config.socket, path=whole(config.socket.path)),
        log=replace(config.log, file=whole(config.log.file)),
    )


# Where things lie ---------------------------------------------------------------------------------------------


def state_of(config: Config, environment: Mapping[str, str]) -> Path:
    if config.knowledge.state:
        return Path(config.knowledge.state)
    given = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(given) if given else state_directory()


def socket_of(config: Config, environment: Mapping[str, str]) -> Path:
    if config.socket.path:
        return Path(config.socket.path)
    given = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(given) / ADDRESS if given else socket_candidates(environment)[-1]


# What a reload changes ----------------------------------------------------------------------------------------


class Difference(msgspec.Struct, frozen=True):
    """The options that differ: those that take effect at once, and those that need a restart."""

    at_once: tuple[str, ...] = ()
    at_restart: tuple[str, ...] = ()


def difference(old: Config, new: Config) -> Difference:
    changed = [name for name in _names() if _value(old, name) != _value(new, name)]
    late = tuple(name for name in changed if name.startswith(NEEDS_RESTART))
    return Difference(tuple(name for name in changed if name not in late), late)


def _names() -> Iterator[str]:
    for section, kind in SECTIONS.items():
        yield from (f"{section}.{option}" for option in kind.__struct_fields__)


def _value(config: Config, name: str) -> object:
    section, _, option = name.partition(".")
    return getattr(getattr(config, section), option)


# The default as a file ----------------------------------------------------------------------------------------

_HEAD: Final = """\
# The configuration of the Hornblower daemon, with every option and its default.
# Check it after a change: hornblower config check FILE
# Let a running daemon read it again: systemctl reload hornblower, or send SIGHUP.
# Relative paths are meant from where this file lies.
"""


def default_text() -> str:
    """A file in which every option is explained, and commented out with its default."""
    return "\n".join([_HEAD, *(_section_text(name, kind) for name, kind in SECTIONS.items())])


def _section_text(name: str, kind: type[msgspec.Struct]) -> str:
    lines = [f"# {summary_of(kind)}", f"[{name}]"]
    for option, words in words_of(kind).items():
        lines += [*_comment(words), f"# {option} = {_toml(getattr(kind(), option))}"]
    return "\n".join(lines) + "\n"


def _comment(words: str) -> list[str]:
    lines, line = [], "#"
    for word in words.split():
        if len(line) + len(word) >= 100:
            lines.append(line)
            line = "#"
        line += f" {word}"
    return [*lines, line]


def _toml(value: object) -> str:
    return msgspec.json.encode(value).decode().replace(",", ", ")


def options() -> Iterator[tuple[str, str, str]]:
    """Path, default and meaning of every option, for the page."""
    for section, kind in SECTIONS.items():
        for option, words in words_of(kind).items():
            yield f"{section}.{option}", _toml(getattr(kind(), option)), words
