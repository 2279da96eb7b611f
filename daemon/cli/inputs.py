"""The instances that a command is to look at: files, directories, and the corpus that comes with Hornblower."""

import os
from collections.abc import Iterable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from chc.instance import Instance
from chc.lexer import ReadError, tokenize
from chc.script import read_instance
from daemon.cli.errors import UserError


class Source(msgspec.Struct, frozen=True):
    """A file that should hold an instance."""

    name: str
    file: Traversable


class Input(msgspec.Struct, frozen=True):
    """An instance with the text that it was read from."""

    name: str
    text: str
    instance: Instance


def embedded() -> list[Source]:
    """The instances that come with Hornblower."""
    corpus = resources.files("transformations") / "corpus"
    files = sorted(corpus.iterdir(), key=lambda file: file.name) if corpus.is_dir() else []
    sources = [Source(file.name, file) for file in files if file.name.endswith(".smt2")]
    if not sources:
        raise UserError(f"there are no embedded instances in {corpus}; install hornblower again: make setup")
    return sources


def from_paths(paths: Iterable[str]) -> list[Source]:
    """The files that the paths name, in their order; `UserError` at the first that names none."""
    return [source for path in paths for source in from_path(path)]


def from_path(path: str) -> list[Source]:
    """A file as it is named, or what lies in a directory or below it and ends in .smt2."""
    if not path:
        raise UserError("an empty name of a file; take . for this directory")
    place = Path(path)
    try:
        if not place.is_dir():
            return [Source(_printable(path), place)]
        files = sorted(file for file in place.rglob("*.smt2") if file.is_file())
    except OSError as problem:
        raise UserError(f"{_printable(path)}: {problem.strerror}") from problem
    if not files:
        raise UserError(f"{_printable(path)}: no file in this directory or below it ends in .smt2")
    return [Source(_printable(str(file)), file) for file in files]


def _printable(name: str) -> str:
    """The name of a file for people; its bytes need not be text, and must not lead a terminal astray."""
    text = os.fsencode(name).decode("utf-8", "replace")
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def read(source: Source) -> Input:
    """`UserError`, with file, line, column and reason, where there is no instance to be read."""
    try:
        text = source.file.read_text(encoding="utf-8-sig")  # some editors put a mark at the beginning
        if not tokenize(text):
            raise UserError(f"{source.name}: there is nothing in this file")
        return Input(source.name, text, read_instance(text, source.name))
    except ReadError as problem:
        raise UserError(str(problem)) from problem
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise UserError(f"{source.name}:{line}: not text in UTF-8; see: file {source.name}") from problem
    except OSError as problem:
        raise UserError(f"{source.name}: {problem.strerror}") from problem
