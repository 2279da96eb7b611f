"""Witnesses that are none: broken off or incomplete, or written in a way that we do not understand."""

from typing import Final

LONGEST_WITNESS: Final = 8 * 1024 * 1024
"""Texts of more characters are not looked at: no solver means them, and reading them would take all our time."""


class Unreadable(Exception):
    """A witness that says something we cannot read; the fault may be ours."""


class Malformed(Unreadable):
    """A witness that cannot be one in any reading: it breaks off in the middle, or something is missing in it."""


def check_length(text: str) -> None:
    if len(text) > LONGEST_WITNESS:
        raise Unreadable(f"it is longer than {LONGEST_WITNESS} characters")
