"""`hornblower`: takes the command line apart and calls the command."""

import argparse
import os
import sys
from collections.abc import Callable
from typing import Final

from backends.places import BadSolver, InstallError, SolverMissing
from chc.lexer import ReadError
from daemon.cli import (
    check,
    config,
    control,
    daemon,
    doctor,
    findings,
    jobs,
    run,
    solvers,
    status,
    submit,
    systemd,
)
from daemon.cli.errors import UserError
from daemon.cli.socket_options import NO_DAEMON
from daemon.client import NoDaemon, Rejected
from daemon.collector import relax
from daemon.version import version

BAD_INPUT: Final = 4
INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141
USER_ERRORS: Final = (UserError, SolverMissing, BadSolver, InstallError, ReadError, Rejected)


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
    except NoDaemon as problem:
        print(f"hornblower: {problem}", file=sys.stderr)
        return NO_DAEMON
    except KeyboardInterrupt:
        print("hornblower: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (BrokenPipeError, BaseExceptionGroup) as error:
        if not _is_broken_pipe(error):
            raise
        _silence_stdout()
        return _BROKEN_PIPE


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="hornblower",
        description="Tests solvers of constrained Horn clauses with instances whose answer is certified.",
        epilog="Try: hornblower check --embedded",
    )
    result.add_argument("--version", action="version", version=f"hornblower {version()}")
    commands = result.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for module in (check, run, findings, solvers, daemon, config, submit, jobs, status, control, doctor, systemd):
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
