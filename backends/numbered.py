"""Refutations that are printed as numbered lines, taken apart."""

from __future__ import annotations

import re

from backends.ground_text import text_of_fact
from backends.unreadable import Malformed, Unreadable
from chc.instance import Atom
from chc.lexer import ReadError
from chc.sexpr import Expression, read_expressions
from chc.symbols import Symbols
from chc.vocabulary import read_atom


def numbered_lines(text: str, number: re.Pattern[str]) -> list[list[Expression]]:
    """What stands behind each number, from 0 on; `number` matches one, as its first group, with what follows it.

    A name in bars may break a line, so what follows belongs to it as long as it bears no next number.
    """
    pieces: list[str] = []
    for line in text.strip("\n").split("\n"):
        found = number.match(line)
        if found is not None and int(found[1]) == len(pieces):
            pieces.append(line[found.end() :])
        elif pieces:
            pieces[-1] += f"\n{line}"
        else:
            raise Malformed(f"the refutation begins with `{line[:80]}`" if line else "there is no refutation")
    return [_expressions(number, piece) for number, piece in enumerate(pieces)]


def _expressions(number: int, text: str) -> list[Expression]:
    try:
        items = read_expressions(text)
    except ReadError as problem:
        raise Malformed(f"line {number} of the refutation is broken: {problem}") from problem
    if not items:
        raise Malformed(f"line {number} of the refutation is empty")
    return items


def read_fact(expression: Expression, symbols: Symbols) -> Atom | None:
    """The ground atom; None for false."""
    if expression == "false":
        return None
    text = text_of_fact(expression, symbols)
    try:
        return read_atom(text, symbols)
    except ReadError as problem:
        raise Unreadable(f"the fact `{text[:200]}` cannot be read: {problem}") from problem
