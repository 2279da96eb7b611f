"""`hornblower`: takes the command line apart and calls the command."""

import argparse
import importlib.metadata
import os
import sys
from collections.abc import Callable
from typing import Final

from backends.places import BadSolver, InstallError, SolverMissing
from chc.lexer import ReadError
from daemon.cli import check, findings, run, solvers
from daemon.cli.errors import UserError
from daemon.collector import relax

BAD_INPUT: Final = 4
INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141
USER_ERRORS: Final = (UserError, SolverMissing, BadSolver, InstallError, ReadError)


def main(argv: list[str] | None = None) -> int:
    """Carry out one command and return its exit code."""
    relax()
    arguments = parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except USER_ERRORS as error:
        print(f"hornblower: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("hornblower: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (BrokenPipeError, BaseExceptionGroup) as error:
        if not _is_broken_pipe(error):
            raise
        _silence_stdout()
        return _BROKEN_PIPE


def version() -> str:
    try:
        return importlib.metadata.version("hornblower")
    except importlib.metadata.PackageNotFoundError:
        return "(from sources that are not installed)"


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="hornblower",
        description="Tests solvers of constrained Horn clauses with instances whose answer is certified.",
        epilog="Try: hornblower check --embedded",
    )
    result.add_argument("--version", action="version", version=f"hornblower {version()}")
    commands = result.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for module in (check, run, findings, solvers):
        module.register(commands)
    return result


def _is_broken_pipe(error: BaseException) -> bool:
    """Also if it comes in groups, as from tasks that ran at the same time."""
    if isinstance(error, BaseExceptionGroup):
        return error.split(BrokenPipeError)[1] is None
    return isinstance(error, BrokenPipeError)


def _silence_stdout() -> None:
    """Whoever read our output has left; Python must not complain when it flushes the rest at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    raise SystemExit(main())
