"""What a measurement hands back: figures in rows, each with its aim, and how they are shown to people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text


class Aim(msgspec.Struct, frozen=True):
    """What a figure should come to: no more than the bound, or no less where `at_least` says so."""

    bound: float
    at_least: bool = False

    def is_met_by(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.bound:.3g}"


class Figure(msgspec.Struct, frozen=True):
    """One number with its unit."""

    name: str
    value: float
    unit: str
    aim: Aim | None = None

    @property
    def is_met(self) -> bool | None:
        """None where nothing is aimed at."""
        return None if self.aim is None else self.aim.is_met_by(self.value)


class Row(msgspec.Struct, frozen=True):
    """The figures of one subject: a file, a way of asking, a kind of witness."""

    subject: str
    figures: tuple[Figure, ...]


class Report(msgspec.Struct, frozen=True):
    """The outcome of one measurement; all rows have figures of the same names. The notes say how it was measured."""

    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def aimed(reports: Iterable[Report]) -> Iterator[tuple[str, Row, Figure]]:
    """Every figure that has an aim, with the title and the row it stands in."""
    for report in reports:
        for row in report.rows:
            for figure in row.figures:
                if figure.aim is not None:
                    yield report.title, row, figure


def show(reports: list[Report], console: Console) -> None:
    """One table for each report, and at the end what was missed."""
    for report in reports:
        console.print(_table(report))
        for note in report.notes:
            console.print(f"  {note}", style="dim", highlight=False)
        console.print()
    _conclude(reports, console)


def _table(report: Report) -> Table:
    table = Table(title=report.title, title_justify="left", title_style="bold")
    table.add_column("of what", overflow="fold")
    for figure in report.rows[0].figures if report.rows else ():
        table.add_column(_heading(figure), justify="right")
    for row in report.rows:
        table.add_row(row.subject, *map(_cell, row.figures))
    return table


def _heading(figure: Figure) -> str:
    unit = f"{figure.name}\n{figure.unit}"
    return unit if figure.aim is None else f"{unit}\naim {figure.aim}"


def _cell(figure: Figure) -> Text:
    shown = f"{figure.value:,.0f}" if abs(figure.value) >= 1000 else f"{figure.value:.3g}"
    if figure.is_met is None:
        return Text(shown)
    return Text(f"{shown} met", "green") if figure.is_met else Text(f"{shown} MISSED", "red")


def _conclude(reports: list[Report], console: Console) -> None:
    every = list(aimed(reports))
    missed = [(title, row, figure) for title, row, figure in every if not figure.is_met]
    console.print(f"{len(every) - len(missed)} of {len(every)} aims are met.", highlight=False)
    for title, row, figure in missed:
        words = f"missed: {title}, {row.subject}: {figure.name} {figure.value:.3g} {figure.unit}, aim {figure.aim}"
        console.print(Text(f"  {words}", "red"))


class _Line(msgspec.Struct, frozen=True):
    """A figure with all that is known about it, for programs that compare runs."""

    measurement: str
    subject: str
    figure: str
    value: float
    unit: str
    aim: str | None
    met: bool | None


def to_json(reports: Iterable[Report]) -> bytes:
    """A list with one object for each figure."""
    lines = [
        _Line(report.title, row.subject, f.name, f.value, f.unit, None if f.aim is None else str(f.aim), f.is_met)
        for report in reports
        for row in report.rows
        for f in row.figures
    ]
    return msgspec.json.format(msgspec.json.encode(lines), indent=1)
