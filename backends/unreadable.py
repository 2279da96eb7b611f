"""Witnesses that are none: broken off or incomplete, or written in a way that we do not understand."""


class Unreadable(Exception):
    """A witness that says something we cannot read; the fault may be ours."""


class Malformed(Unreadable):
    """A witness that cannot be one in any reading: it breaks off in the middle, or something is missing in it."""
