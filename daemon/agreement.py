"""How solvers agree over a set of instances: who decides, who is certified, who contradicts whom. Pure.

Contradictions are settled by certificates, never by majority: where nobody has proved anything, nobody is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

import msgspec

from backends.answer import Verdict
from backends.examination import Standing
from chc.witness import Truth

_DECIDED = (Verdict.sat, Verdict.unsat)


class Cell(msgspec.Struct, frozen=True):
    """What one solver made of one instance."""

    instance: str
    """Its content address."""
    file: str
    solver: str
    """The label of the configuration, as it was named."""
    verdict: Verdict | None
    """None where it was not asked, because it does not support the instance."""
    seconds: float = 0.0
    witness: Standing = Standing.absent
    reason: str = ""
    timeout: float = 0.0

    @property
    def truth(self) -> Truth | None:
        """What its witness proves."""
        is_proved = self.is_decided and self.witness is Standing.valid
        return Truth(str(self.verdict)) if is_proved else None

    @property
    def is_decided(self) -> bool:
        return self.verdict in _DECIDED


class Line(msgspec.Struct, frozen=True):
    """One solver over all instances."""

    solver: str
    asked: int = 0
    unsupported: int = 0
    sat: int = 0
    unsat: int = 0
    certified: int = 0
    """Decided answers with a witness of its own that checkers call valid."""
    confirmed: int = 0
    """Decided answers that somebody has certified."""
    wrong: int = 0
    """Answers against a certificate."""
    invalid: int = 0
    """Witnesses that are not valid."""
    alone: int = 0
    """Instances that nobody else decides."""
    failed: int = 0
    """Crashes and errors."""
    median_seconds: float = 0.0
    """Of decided answers."""

    @property
    def decided(self) -> int:
        return self.sat + self.unsat


class Contradiction(msgspec.Struct, frozen=True):
    """An instance on which solvers contradict one another."""

    instance: str
    file: str
    sat: tuple[str, ...]
    unsat: tuple[str, ...]
    truth: Truth | None
    certified_by: tuple[str, ...]
    """Those whose witness settles it."""

    @property
    def wrong(self) -> tuple[str, ...]:
        return {Truth.sat: self.unsat, Truth.unsat: self.sat, None: ()}[self.truth]


class Matrix(msgspec.Struct, frozen=True):
    lines: tuple[Line, ...]
    contradictions: tuple[Contradiction, ...]
    invalid: tuple[Cell, ...]
    """Answers whose witness is not one."""
    instances: int


def matrix_of(cells: Iterable[Cell], solvers: Sequence[str]) -> Matrix:
    """What the cells say together; the lines in the order of the solvers."""
    rows: dict[str, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.instance, []).append(cell)
    everything = [cell for row in rows.values() for cell in row]
    return Matrix(
        tuple(_line(name, [cell for cell in everything if cell.solver == name], rows) for name in solvers),
        tuple(found for row in rows.values() if (found := _contradiction(row)) is not None),
        tuple(cell for cell in everything if cell.is_decided and cell.witness in (Standing.invalid, Standing.disputed)),
        len(rows),
    )


def truth_of(row: Iterable[Cell]) -> Truth | None:
    """What is certified; None where nothing is, or where certificates contradict each other."""
    proved = {cell.truth for cell in row} - {None}
    return proved.pop() if len(proved) == 1 else None


def _line(solver: str, cells: Sequence[Cell], rows: Mapping[str, Sequence[Cell]]) -> Line:
    asked = [cell for cell in cells if cell.verdict is not None]
    decided = [cell for cell in asked if cell.is_decided]
    truths = [(cell, truth_of(rows[cell.instance])) for cell in decided]
    return Line(
        solver,
        asked=len(asked),
        unsupported=len(cells) - len(asked),
        sat=sum(cell.verdict is Verdict.sat for cell in decided),
        unsat=sum(cell.verdict is Verdict.unsat for cell in decided),
        certified=sum(cell.truth is not None for cell in decided),
        confirmed=sum(truth is not None and cell.verdict == truth.value for cell, truth in truths),
        wrong=sum(truth is not None and cell.verdict != truth.value for cell, truth in truths),
        invalid=sum(cell.witness is Standing.invalid for cell in decided),
        alone=sum(sum(each.is_decided for each in rows[cell.instance]) == 1 for cell in decided),
        failed=sum(cell.verdict in (Verdict.crash, Verdict.error) for cell in asked),
        median_seconds=round(median(cell.seconds for cell in decided), 3) if decided else 0.0,
    )


def _contradiction(row: Sequence[Cell]) -> Contradiction | None:
    sat, unsat = (tuple(c.solver for c in row if c.verdict is verdict) for verdict in _DECIDED)
    if not sat or not unsat:
        return None
    truth = truth_of(row)
    proving = tuple(cell.solver for cell in row if cell.truth is not None and cell.truth is truth)
    return Contradiction(row[0].instance, row[0].file, sat, unsat, truth, proving)
