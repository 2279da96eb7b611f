"""From text to tokens, and from the number of a token back to its line and column.

Tokens are plain strings from one pass of a regular expression; where they stood is worked out again only when
an error has to be shown, because that is what makes reading fast.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

_TOKEN: Final = re.compile(r"""[()]|[^\s()|";]+|\|[^|\\]*\||"[^"]*(?:""[^"]*)*"|;[^\n]*|["|]""")
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


class Position(msgspec.Struct, frozen=True):
    """A place in a text, both numbers from 1."""

    line: int
    column: int


class Limits(msgspec.Struct, frozen=True):
    """What the reader takes at most, so that no text can swallow the machine."""

    characters: int = 64 * 1024 * 1024
    nesting: int = 1_000_000
    quantifier_nesting: int = 100
    numeral_digits: int = 4000
    clauses: int = 1_000_000
    sort_size: int = 1000
    definition_growth: int = 10_000_000
    """How many nodes all uses of defined functions may add together."""


class ReadError(Exception):
    """A text that is no Horn clause system in the accepted fragment: where, and what was found and expected."""

    def __init__(self, message: str, position: Position | None = None, source: str = "") -> None:
        super().__init__(message, position, source)
        self.message = message
        self.position = position
        self.source = source

    def __str__(self) -> str:
        place = f"{self.position.line}:{self.position.column}: " if self.position else ""
        source = f"{self.source}:" if self.source else ""
        return f"{source}{place}{self.message}" if place else f"{source} {self.message}".strip()


def tokenize(text: str) -> list[str]:
    """The tokens of the text, comments left out."""
    tokens = _TOKEN.findall(text)
    if ";" in text:
        tokens = [token for token in tokens if token[0] != ";"]
    return tokens


def position_of(text: str, number: int) -> Position:
    """Where the token with this number (from 0) stands; the end of the text where there are not so many."""
    offset = len(text.rstrip())
    for match in _TOKEN.finditer(text):
        if match.group()[0] == ";":
            continue
        if number == 0:
            offset = match.start()
            break
        number -= 1
    return _position_at(text, offset)


def _position_at(text: str, offset: int) -> Position:
    line_start = text.rfind("\n", 0, offset) + 1
    return Position(text.count("\n", 0, offset) + 1, offset - line_start + 1)


def check_printable(text: str) -> None:
    """Refuses control characters, which no symbol may contain, also where they would do no harm."""
    found = _UNPRINTABLE.search(text)
    if found is not None:
        raise ReadError(f"the character {ord(found.group()):#04x} cannot be printed", _position_at(text, found.start()))
