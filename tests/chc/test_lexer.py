"""Tokens, and the way back from a token to its place."""

from __future__ import annotations

import pickle

import pytest

from chc.lexer import Position, ReadError, check_printable, position_of, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("  \n\t ", []),
        ("(a b)", ["(", "a", "b", ")"]),
        ("(a(b)c)", ["(", "a", "(", "b", ")", "c", ")"]),
        ("|two words| |x|y", ["|two words|", "|x|", "y"]),
        ("||", ["||"]),
        ('"say ""hi""" x', ['"say ""hi"""', "x"]),
        ("a ; (comment) |\nb;", ["a", "b"]),
        ('";" |;| x', ['";"', "|;|", "x"]),
        ("#xff #b01 1.5 :key", ["#xff", "#b01", "1.5", ":key"]),
        ("|open", ["|", "open"]),
        ('"open', ['"', "open"]),
        (r"|a\b|", ["|", r"a\b", "|"]),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    """Comments vanish, quotes hide what looks like something else, half a quote is a token of its own."""
    assert tokens == tokenize(text)


@pytest.mark.parametrize(
    ("number", "line", "column"), [(0, 1, 1), (1, 1, 2), (2, 3, 3), (3, 3, 9), (4, 3, 10), (99, 3, 10)]
)
def test_positions(number: int, line: int, column: int) -> None:
    """Lines and columns count from one; behind the last token comes the end of the text."""
    assert Position(line, column) == position_of("(a ; b\n; c\n  |x y| )\n", number)


def test_a_long_string_is_one_token() -> None:
    """A million characters, and no deep recursion of the regular expression."""
    text = '"' + 'a""' * 300_000 + '"'
    assert [text] == tokenize(text)


@pytest.mark.parametrize(("character", "shown"), [("\x00", "0x00"), ("\x1b", "0x1b"), ("\ud800", "0xd800")])
def test_control_characters_are_refused(character: str, shown: str) -> None:
    """They would reach the terminal of whoever reads a report."""
    with pytest.raises(ReadError) as caught:
        check_printable(f"abc\nde{character}")
    assert f"2:3: the character {shown} cannot be printed" == str(caught.value)


def test_ordinary_white_space_is_printable() -> None:
    check_printable("a\tb\r\nc é ∀")


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (ReadError("no"), "no"),
        (ReadError("no", Position(1, 2)), "1:2: no"),
        (ReadError("no", Position(1, 2), "f.smt2"), "f.smt2:1:2: no"),
        (ReadError("no", None, "f.smt2"), "f.smt2: no"),
    ],
)
def test_errors_say_where(error: ReadError, shown: str) -> None:
    """File, line and column as far as they are known; also after a journey from another process."""
    assert shown == str(error)
    assert shown == str(pickle.loads(pickle.dumps(error)))
