"""`hornblower`: takes the command line apart and calls the command."""

import argparse
import errno
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
        code = command(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # what cannot be written is to be noticed here, and not when Python ends
        return code
    except USER_ERRORS as error:
        print(f"hornblower: {error}", file=sys.stderr)
        return BAD_INPUT
    except NoDaemon as problem:
        print(f"hornblower: {problem}", file=sys.stderr)
        return NO_DAEMON
    except KeyboardInterrupt:
        print("hornblower: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (OSError, BaseExceptionGroup) as error:
        if _is_all(error, lambda each: isinstance(each, BrokenPipeError)):
            _silence_stdout()
            return _BROKEN_PIPE
        if _is_all(error, _is_lack_of_room):
            _silence_stdout()
            print("hornblower: no room left on a disk that is written to; make room, then try again", file=sys.stderr)
            return BAD_INPUT
        raise


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


def _is_all(error: BaseException, is_so: Callable[[BaseException], bool]) -> bool:
    """Also if it comes in groups, as from tasks that ran at the same time."""
    if isinstance(error, BaseExceptionGroup):
        return error.split(is_so)[1] is None
    return is_so(error)


def _is_lack_of_room(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def _silence_stdout() -> None:
    """Whoever read our output has left; Python must not complain when it flushes the rest at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    raise SystemExit(main())
