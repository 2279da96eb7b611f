"""Real processes that behave and misbehave, and how to tell that they are gone."""

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from backends.checker_programs import PRINCESS, Effort
from backends.guardian import read_proc
from backends.smt_checker import SmtChecker

Script = Callable[..., list[str]]
Gone = Callable[..., Awaitable[None]]
Appears = Callable[[Path], Awaitable[None]]

PATIENCE_SECONDS = 60.0


def is_alive(pid: int) -> bool:
    fields = read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return bool(fields) and fields[0] not in (b"Z", b"X")


def make_checker(name: str, request: pytest.FixtureRequest, effort: Effort | None = None) -> SmtChecker:
    """One of the checkers; a skip where it is Princess and cannot be had."""
    with pytest.MonkeyPatch.context() as patch:
        if name == PRINCESS:
            patch.setenv("HORNBLOWER_SOLVERS", str(request.getfixturevalue("princess_store")))
        return SmtChecker(name, 1, effort)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Writes a Python program to a file and gives the command that runs it."""

    def write(source: str, *arguments: str | Path) -> list[str]:
        path = tmp_path / f"program{len(list(tmp_path.glob('program*')))}.py"
        path.write_text(source)
        return [sys.executable, "-S", "-E", str(path), *map(str, arguments)]

    return write


@pytest.fixture
def gone() -> Gone:
    """Waits until the processes with these ids are dead; fails if they live on."""

    async def wait(*pids: int) -> None:
        assert pids
        with anyio.fail_after(PATIENCE_SECONDS):
            while any(map(is_alive, pids)):  # noqa: ASYNC110 - not our children, so there is no event
                await anyio.sleep(0.01)

    return wait


@pytest.fixture
def appears() -> Appears:
    """Waits for a file by which a process says that it has come so far."""

    async def wait(path: Path) -> None:
        with anyio.fail_after(PATIENCE_SECONDS):
            while not path.exists():  # noqa: ASYNC110 - written by another process
                await anyio.sleep(0.01)

    return wait


@pytest.fixture
def z3() -> str:
    return str(Path(sys.executable).with_name("z3"))


@pytest.fixture
def horn_sat() -> str:
    return """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 5)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 10)) false)))
(check-sat)
(get-model)
"""


@pytest.fixture
def horn_unsat() -> str:
    return """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 3)) false)))
(check-sat)
"""
