"""Mistakes of the person at the command line."""


class UserError(Exception):
    """Ends the command with its message on stderr and the exit code for bad input."""
