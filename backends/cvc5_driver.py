"""Serves the cvc5 of the Python wheel, which has no executable, over stdin and stdout: a program of its own.

    python -E cvc5_driver.py [--name=value ...] [FILE]
    python -E cvc5_driver.py --version

It takes SMT-LIB commands as `z3 -in` does. A query reaches to a line that consists of `(echo "...")`, and is
then executed as a whole. A line `(reset)` makes a fresh solver, to which the options of the command line are
applied. After an error, other than of a mere `(get-...)`, the rest of the query is skipped and the solver is
replaced: a verdict after a lost assertion would be a wrong one. A FILE is one query, in place of stdin.
"""

import importlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Protocol

# This file's folder comes first on the path of a program and may hold modules named like the solvers.
sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(os.path.abspath(__file__))]
cvc5 = importlib.import_module("cvc5")

_ECHO = re.compile(r'\(echo "([^"]*)"\)')
_OPTION = re.compile(r"--([^=]+)=(.*)", re.DOTALL)


class Command(Protocol):
    def getCommandName(self) -> str: ...
    def invoke(self, solver: object, symbols: object) -> str: ...


class Refused(Exception):
    """cvc5 has already said that it did not carry out a command."""


class Session:
    """One solver with its symbols."""

    def __init__(self, options: dict[str, str]) -> None:
        manager = cvc5.TermManager()
        self._options = options
        self._solver = cvc5.Solver(manager)
        self._symbols = cvc5.SymbolManager(manager)
        self._configure()

    def _configure(self) -> None:
        for name, value in self._options.items():
            self._solver.setOption(name, value)

    def execute(self, text: str) -> Iterator[str]:
        """The output of each command in turn. Raises Refused or RuntimeError at the first not carried out."""
        parser = cvc5.InputParser(self._solver, self._symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
        while not (command := parser.nextCommand()).isNull():
            yield self._invoke(command)

    def _invoke(self, command: Command) -> str:
        name = command.getCommandName()
        output = command.invoke(self._solver, self._symbols)
        if name == "exit":
            raise SystemExit(0)
        if name == "reset":
            self._configure()
        if output.startswith("(error") and not name.startswith("get-"):
            say(output)
            raise Refused
        # The executable does not print the reason behind an unknown.
        return "unknown\n" if name.startswith("check-sat") and output.startswith("unknown") else output


class Driver:
    """Cuts the input into queries and keeps a session that is fit for the next one."""

    def __init__(self, options: dict[str, str]) -> None:
        self._options = options
        self._session = Session(options)

    def serve(self, lines: Iterable[str]) -> None:
        query: list[str] = []
        for line in lines:
            echo = _ECHO.fullmatch(line.strip())
            if line.strip() != "(reset)" and echo is None:
                query.append(line)
                continue
            self._answer("".join(query))
            query.clear()
            if echo is None:
                self._session = Session(self._options)
            else:
                say(f"{echo[1]}\n")
        self._answer("".join(query))

    def _answer(self, query: str) -> None:
        try:
            for output in self._session.execute(query):
                say(output)
        except Refused:
            self._session = Session(self._options)
        except RuntimeError as error:  # what the binding raises for whatever cvc5 objects to
            say(as_error(error))
            self._session = Session(self._options)


def say(text: str) -> None:
    if text:
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()


def as_error(error: RuntimeError) -> str:
    return '(error "{}")\n'.format(str(error).strip().replace('"', '""'))


def options_of(arguments: Iterable[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for argument in arguments:
        match = _OPTION.fullmatch(argument)
        if match is None:
            raise SystemExit(f"{argument}: write options as --name=value, for instance --seed=7")
        options[match[1]] = match[2]
    return options


def main(arguments: list[str]) -> None:
    if arguments == ["--version"]:
        say(f"This is cvc5 version {cvc5.__version__}\n")
        return
    files = arguments[-1:] if arguments and not arguments[-1].startswith("--") else []
    options = options_of(arguments[: len(arguments) - len(files)])
    try:
        driver = Driver(options)
    except RuntimeError as error:
        say(as_error(error))
        raise SystemExit(1) from error
    with open(files[0], "rb") if files else sys.stdin.buffer as source:
        driver.serve(line.decode("utf-8", "surrogateescape") for line in source)


if __name__ == "__main__":
    main(sys.argv[1:])
