"""The programs of the checkers: how each is started, what it may cost, and when its process is replaced."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import msgspec

from backends import princess_releases
from backends.java import QUICK_START, jvm_options
from backends.warm import Upkeep

Z3: Final = "z3"
CVC5: Final = "cvc5"
PRINCESS: Final = princess_releases.NAME
OWN_Z3: Final = str(Path(sys.executable).with_name("z3"))
"""The z3 of the environment that Hornblower runs in."""
_JVM_MEMORY_MB: Final = 2048


class Effort(msgspec.Struct, frozen=True):
    """What one check may cost: seconds for each question, for all of them together, and memory."""

    question_seconds: float = 3.0
    total_seconds: float = 30.0
    memory_mb: int = 4096

    @property
    def question_milliseconds(self) -> int:
        return max(1, int(self.question_seconds * 1000))


class CheckerProgram(msgspec.Struct, frozen=True):
    """A program that reads SMT-LIB commands from its standard input; it may take `startup_seconds` until it does."""

    command: tuple[str, ...]
    upkeep: Upkeep = Upkeep()
    startup_seconds: float = 5.0
    address_space: bool = True


def program_of(name: str, effort: Effort) -> CheckerProgram:
    """That of a checker. Raises `SolverMissing` where it is one that the environment does not bring along."""
    if name == PRINCESS:
        return _princess(effort)
    if name == CVC5:
        return CheckerProgram((sys.executable, "-E", str(Path(__file__).with_name("cvc5_driver.py"))))
    return CheckerProgram((OWN_Z3, "-in"))


def _princess(effort: Effort) -> CheckerProgram:
    """The newest release. Most of its questions are small, so that compiling more than once does not pay."""
    memory = min(effort.memory_mb, _JVM_MEMORY_MB)
    options = " ".join((*jvm_options(memory), QUICK_START))
    command = (
        "env",
        f"JAVA_OPTS={options}",
        princess_releases.newest().program,
        *("+quiet", "+stdin", "-inputFormat=smtlib", f"-timeoutPer={effort.question_milliseconds}"),
    )
    upkeep = Upkeep(max_memory_mb=memory)
    return CheckerProgram(command, upkeep, startup_seconds=20.0, address_space=False)
