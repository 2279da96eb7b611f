"""The hunt as people watch it: a live panel on a terminal, plain lines elsewhere, or one JSON object per event."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from daemon.events import (
    ContradictoryTruth,
    DoubtfulSeed,
    Ending,
    Event,
    Finding,
    OwnFault,
    Resolved,
    Seeds,
    Start,
    Summary,
    Trouble,
    UnreadableSeed,
    WorkerLost,
)
from daemon.log import as_json

_LINE_SECONDS = 10.0
_LOUD = (
    Start,
    Seeds,
    Ending,
    Finding,
    OwnFault,
    Trouble,
    WorkerLost,
    ContradictoryTruth,
    DoubtfulSeed,
    UnreadableSeed,
    Resolved,
)


class Display(Protocol):
    """Hears events, and from time to time how things stand."""

    def __call__(self, event: Event) -> None: ...

    def show(self, summary: Summary) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def display_for(*, as_json: bool) -> Display:
    if as_json:
        return JsonDisplay()
    return LiveDisplay() if sys.stdout.isatty() else PlainDisplay()


class JsonDisplay:
    """One object per line; `event` and `at` come first."""

    def __call__(self, event: Event) -> None:
        print(as_json(event, time.time()), flush=True)

    def show(self, summary: Summary) -> None:
        """Whoever reads events needs no panel."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class PlainDisplay(JsonDisplay):
    """A line for what matters, and one every ten seconds for how things stand."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, event: Event) -> None:
        if _is_loud(event):
            print(in_words(event), flush=True)

    def show(self, summary: Summary) -> None:
        if time.monotonic() - self._last >= _LINE_SECONDS:
            self._last = time.monotonic()
            print(f"[{summary.seconds:6.0f} s] {standing(summary)}", flush=True)


class LiveDisplay:
    """A panel that is drawn anew twice a second, with the last things that mattered above it."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console()
        self._live = Live(console=self._console, refresh_per_second=2, transient=True)
        self._last_new = "nothing yet"

    def __call__(self, event: Event) -> None:
        if _is_loud(event):
            self._last_new = in_words(event)
            self._console.print(Text(self._last_new, style="bold red" if isinstance(event, Finding) else "yellow"))

    def show(self, summary: Summary) -> None:
        lines = Text(f"{standing(summary)}\nlast new thing: {self._last_new[:200]}")
        self._live.update(Group(lines, _yield_table(summary)))

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()


def _is_loud(event: Event) -> bool:
    return isinstance(event, _LOUD) and not (isinstance(event, Finding) and event.known)


def in_words(event: Event) -> str:
    if isinstance(event, Finding):
        chain = " > ".join(event.chain) or "no transformation"
        flaky = " (flaky)" if event.flaky else ""
        return (
            f"FINDING {event.finding[:12]}: severity {event.severity}{flaky}, {event.configuration}"
            f" says {event.verdict}; {event.evidence} [{chain}]"
        )
    if isinstance(event, Start):
        return f"hunting {', '.join(event.configurations)} from seed {event.seed}; state in {event.state}"
    if isinstance(event, Seeds):
        return f"certifying {event.new} new seeds"
    if isinstance(event, Ending):
        return f"finishing {event.open} queries; interrupt again to stop at once"
    shown = ", ".join(f"{name}: {value}" for name, value in event.fields.items())
    return f"{event.name.replace('_', ' ')}: {shown}"


def standing(summary: Summary) -> str:
    rate = summary.queries / summary.seconds if summary.seconds else 0.0
    found = counted(summary.findings) or "none"
    known = f" (known trouble, apart: {counted(summary.known)})" if summary.known else ""
    return (
        f"{summary.queries} queries, {rate:.1f}/s, slots {summary.slots_busy:.0%} busy; knowledge base"
        f" {summary.instances} instances, {summary.truths} certified; findings: {found}{known};"
        f" suspicions: {summary.suspicions}; own faults: {summary.own_faults}"
    )


def counted(numbers: dict[str, int]) -> str:
    return ", ".join(f"{count} of severity {severity}" for severity, count in numbers.items())


def _yield_table(summary: Summary) -> Table:
    table = Table("transformation", "applied", "decided", "findings", title="yield")
    ranked = sorted(summary.transformations.items(), key=lambda item: (-item[1].findings, -item[1].decided))
    for name, each in ranked[:12]:
        table.add_row(name, str(each.applied), str(each.decided), str(each.findings))
    return table


def conclusion(summary: Summary) -> str:
    """The summary for people, at the end of a run."""
    lines = [
        f"After {summary.seconds:.0f} s: {standing(summary)}",
        f"answers: {', '.join(f'{count} {name}' for name, count in summary.verdicts.items()) or 'none'}",
        f"witnesses that travelled: {', '.join(f'{count} {name}' for name, count in summary.transported.items())}",
    ]
    if summary.findings:
        lines.append("see them: hornblower findings list; one of them: hornblower findings show KEY")
    return "\n".join(lines)
