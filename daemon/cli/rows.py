"""The rows of `hornblower check`, and the ways to print them: JSON, plain lines, or a table on a terminal."""

import io
import sys
from types import TracebackType
from typing import Protocol, Self

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from backends.answer import Configuration, Verdict
from chc.witness import Truth
from daemon.certify import Judgement


class Row(msgspec.Struct, frozen=True):
    """What came of one query. Its fields, in this order, are those of the JSON output."""

    file: str
    solver: str
    version: str
    options: dict[str, str]
    verdict: Verdict
    seconds: float
    truth: Truth | None
    certified_by: tuple[str, ...]
    severity: str | None
    known: str | None
    evidence: str

    @classmethod
    def of(cls, file: str, configuration: Configuration, judgement: Judgement) -> Self:
        return cls(
            file=file,
            solver=configuration.solver,
            version=configuration.version,
            options=dict(configuration.options),
            verdict=judgement.answer.verdict,
            seconds=round(judgement.answer.seconds, 3),
            truth=judgement.truth,
            certified_by=judgement.certified_by,
            severity=judgement.severity,
            known=judgement.known,
            evidence=judgement.evidence,
        )

    @property
    def is_wrong(self) -> bool:
        return self.severity is not None and self.known is None

    @property
    def is_certified(self) -> bool:
        return self.truth is not None and self.verdict.value == self.truth.value and not self.is_wrong

    @property
    def label(self) -> str:
        return Configuration(self.solver, self.version, "", tuple(self.options.items())).label

    @property
    def outcome(self) -> str:
        """The judgement in a few words."""
        if self.is_wrong:
            return f"severity {self.severity}"
        if not self.is_certified:
            return "undecided"
        trouble = f", but known trouble ({self.severity})" if self.severity else ""
        return f"certified by {', '.join(self.certified_by)}{trouble}"


class RowPrinter(Protocol):
    """Takes the rows in whatever order they come, each with its number from 0, and prints them in order."""

    def add(self, number: int, row: Row) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


def printer_for(total: int, *, as_json: bool) -> RowPrinter:
    _make_printable(as_json=as_json)
    if as_json:
        return LinePrinter(as_json=True)
    # It is None where the caller has closed it.
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return TablePrinter(total) if is_terminal else LinePrinter(as_json=False)


def _make_printable(*, as_json: bool) -> None:
    """JSON is UTF-8 in any locale; people get what their terminal cannot show in another spelling."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8" if as_json else None, errors="backslashreplace")


class LinePrinter:
    """Prints each row as soon as all before it have been printed."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._waiting: dict[int, Row] = {}
        self._next = 0

    def add(self, number: int, row: Row) -> None:
        self._waiting[number] = row
        while (ready := self._waiting.pop(self._next, None)) is not None:
            print(msgspec.json.encode(ready).decode() if self._as_json else plain(ready), flush=True)
            self._next += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        pass


class TablePrinter:
    """Shows the progress on stderr and a table at the end, also of an interrupted check."""

    def __init__(self, total: int) -> None:
        self._rows: dict[int, Row] = {}
        self._progress = Progress(
            TextColumn("checking"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("checking", total=total)

    def add(self, number: int, row: Row) -> None:
        self._rows[number] = row
        self._progress.advance(self._task)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._progress.stop()
        if self._rows:
            Console().print(table([self._rows[number] for number in sorted(self._rows)]))


def plain(row: Row) -> str:
    line = f"{row.file}: {row.label}: {row.verdict} in {row.seconds:.2f} s, {row.outcome}"
    is_fine = row.is_certified and row.severity is None
    return line if is_fine or not row.evidence else f"{line}: {row.evidence}"


def table(rows: list[Row]) -> Table:
    result = Table("instance", "solver", "answer", "time", "judgement", "evidence")
    for row in rows:
        style = "bold red" if row.is_wrong else "" if row.is_certified else "yellow"
        cells = (row.file, row.label, row.verdict.value, f"{row.seconds:.2f} s", row.outcome, row.evidence)
        # As plain text: rich would take names in square brackets for markup.
        result.add_row(*(Text(cell, style=style) for cell in cells))
    return result
