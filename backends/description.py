"""What a table says of a solver that Hornblower has no adapter for: read strictly, and refused with what is wrong.

The tables lie in SOLVERS/described/NAME.toml, and wherever $HORNBLOWER_DESCRIBED says: files and folders, between
colons. An environment variable reaches every worker of a daemon.
"""

from __future__ import annotations

import os
import re
import string
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from backends.options import Fairness
from backends.places import BadSolver, directory
from chc.fragment import Theory

VARIABLE: Final = "HORNBLOWER_DESCRIBED"
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_PLACES: Final = frozenset(("program", "file", "seconds", "milliseconds", "memory", "options"))
_OPTION_PLACES: Final = frozenset(("name", "value"))


class ModelFormat(StrEnum):
    none = "none"
    smt_lib = "smt-lib"
    hoice = "hoice"
    eldarica = "eldarica"


class ProofFormat(StrEnum):
    none = "none"
    spacer = "spacer"
    eldarica = "eldarica"
    golem = "golem"


class Form(StrEnum):
    plain = "plain"
    competition = "competition"


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    pass


class Verdicts(_Table, frozen=True):
    """Regular expressions, each for a line of the output. The first line that fits one decides."""

    sat: str = "sat"
    unsat: str = "unsat"
    unknown: str = "unknown"
    error: str = r"\(error.*"
    """After such a line no verdict counts."""


class Witnesses(_Table, frozen=True):
    """What follows the verdict, by the name of its format; a refutation of Spacer's stands before it."""

    model: ModelFormat = ModelFormat.none
    proof: ProofFormat = ProofFormat.none
    proof_of_clauses: bool = True
    """Whether the steps of a refutation are by the clauses of the instance, and may be held against the solver."""


class Supports(_Table, frozen=True):
    """What the solver takes; what is outside is not put to it."""

    theories: frozenset[Theory] = frozenset(Theory)
    nonlinear_clauses: bool = True
    unknown_words: frozenset[str] = frozenset()
    chains: bool = True
    mutual_datatypes: bool = True
    decides: bool = False
    """Whether to give up on what it takes is strange enough to be told."""


class DescribedOption(_Table, frozen=True):
    """An option that a hunt may vary."""

    values: tuple[str, ...]
    default: str
    fairness: Fairness = Fairness.fair
    reason: str = ""
    written: str = "--{name}={value}"


class Description(_Table, frozen=True):
    program: str
    version: str
    command: tuple[str, ...]
    form: Form = Form.plain
    append: str = ""
    """What is written behind the instance, for instance `(get-model)`."""
    address_space: bool = True
    """Whether the limit of memory holds for the address space; not for programs in Java, which reserve far more."""
    verdicts: Verdicts = Verdicts()
    witnesses: Witnesses = Witnesses()
    supports: Supports = Supports()
    options: dict[str, DescribedOption] = {}
    seed_option: str | None = None
    """The option that takes a number from which all random choices follow."""


def line_of(pattern: str) -> str:
    """The expression for a whole line that fits the pattern."""
    return rf"^(?:{pattern})[ \t\r]*$"


class BadDescription(BadSolver):
    """A table is not as it should be; the message says where and what."""


def places() -> Iterator[Path]:
    """The files of all tables, in the order in which they are listed."""
    given = [Path(each) for each in os.environ.get(VARIABLE, "").split(":") if each]
    for place in (directory() / "described", *given):
        if place.suffix == ".toml":
            yield place
        elif place.is_dir():
            yield from sorted(place.glob("*.toml"))
        elif place in given:
            raise BadDescription(f"{place}, named in ${VARIABLE}, is neither a folder nor a file called NAME.toml")


EXAMPLE: Final = """\
# How to ask {name}, for hornblower. Every line that begins with # is a remark, or an option at its default.
program = "/path/to/{name}"
version = "1.0"
# {{file}} is the instance; {{seconds}}, {{milliseconds}} and {{memory}} (in MB) are the limits, which hold anyway.
command = ["{{program}}", "{{options}}", "{{file}}"]
# form = "competition"       # if it insists on the narrow form of the competition
# append = "(get-model)"     # what is written behind the instance
# address-space = false      # for programs in Java

[verdicts]                   # regular expressions, each for a whole line
# sat = "sat"
# unsat = "unsat"
# unknown = "unknown"
# error = '\\(error.*'

[witnesses]                  # formats by name
# model = "smt-lib"          # {models}
# proof = "none"             # {proofs}

[supports]
# theories = [{theories}]
# nonlinear-clauses = false

# [options.seed-of-something]
# values = ["1", "2"]
# default = "1"
# written = "--{{name}}={{value}}"
"""


def example(name: str) -> str:
    """A table to begin with."""
    theories = ", ".join(f'"{each}"' for each in Theory)
    return EXAMPLE.format(name=name, models=", ".join(ModelFormat), proofs=", ".join(ProofFormat), theories=theories)


def write_example(name: str) -> Path:
    """The file with it, which must not be there yet."""
    path = directory() / "described" / f"{name}.toml"
    if not _NAME.fullmatch(name):
        raise BadDescription(f"{name}: names of solvers are of small letters, digits and hyphens")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(example(name))
    except FileExistsError:
        raise BadDescription(f"{path} is there already; edit that one") from None
    return path


def name_of(path: Path) -> str:
    if not _NAME.fullmatch(path.stem):
        raise BadDescription(f"{path}: name the file like the solver, in small letters, digits and hyphens")
    return path.stem


def read_description(path: Path) -> Description:
    try:
        found = msgspec.toml.decode(path.read_bytes(), type=Description)
    except OSError as problem:
        raise BadDescription(f"{path}: {problem.strerror}; see: ls -l {path}") from problem
    except msgspec.ValidationError as problem:
        raise BadDescription(f"{path}: {_in_words(problem)}") from problem
    except (msgspec.DecodeError, ValueError) as problem:
        raise BadDescription(f"{path}: it is no TOML: {problem}") from problem
    for complaint in _complaints(found):
        raise BadDescription(f"{path}: {complaint}")
    return found


def _in_words(problem: msgspec.ValidationError) -> str:
    """With the values that there are, where one is not among them."""
    said, _, place = str(problem).partition(" - at `$.")
    words = f"{place.rstrip('`')}: {said}" if place else said
    for key, known in (("theories", Theory), ("model", ModelFormat), ("proof", ProofFormat), ("form", Form)):
        if "enum value" in said and key in place:
            return f"{words}; there are: {', '.join(known)}"
    return words


def _complaints(table: Description) -> Iterator[str]:
    if not os.path.isabs(table.program):
        yield f"program: {table.program or 'nothing'} is not an absolute path"
    if not re.fullmatch(r"\d[\w.+-]*", table.version):
        yield f"version: {table.version or 'nothing'} is not a version, such as 1.0"
    for word in table.command:
        yield from _unknown_places("command", word, _PLACES)
    if not any("{program}" in word for word in table.command[:1]):
        yield "command: its first word has to be {program}"
    if not any("{file}" in word for word in table.command):
        yield "command: {file} is missing, in whose place the path of the instance comes"
    if table.options and "{options}" not in table.command:
        yield "command: {options} is missing as a word of its own, where the options come"
    if any("{options}" in word and word != "{options}" for word in table.command):
        yield "command: {options} has to be a word of its own"
    for name in Verdicts.__struct_fields__:
        try:
            re.compile(line_of(getattr(table.verdicts, name)), re.MULTILINE)
        except re.error as problem:
            yield f"verdicts.{name}: it is no regular expression: {problem}"
    for name, option in table.options.items():
        yield from _unknown_places(f"options.{name}.written", option.written, _OPTION_PLACES)
        if option.fairness is not Fairness.fair and not option.reason:
            yield f"options.{name}: say in `reason` why it is {option.fairness}"
    if table.seed_option is not None and table.seed_option in table.options:
        yield f"seed-option: {table.seed_option} is among the options; leave it out there"


def _unknown_places(where: str, text: str, known: frozenset[str]) -> Iterator[str]:
    try:
        strange = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None} - known
    except ValueError as problem:
        yield f"{where}: {text}: {problem}"
        return
    if strange:
        there_are = ", ".join(f"{{{each}}}" for each in sorted(known))
        yield f"{where}: {{{min(strange)}}} means nothing here; there are {there_are}"
