"""How a run ended, in the terms of an answer: what holds for the output of every solver."""

from __future__ import annotations

import re
import signal as signals
from typing import Final

from backends.answer import Answer, Verdict
from backends.process import Ending, Run

_SHELL_SIGNAL_BASE: Final = 128
_BROKEN_ASSERTION: Final = re.compile(
    r"^(?:ASSERTION VIOLATION|UNEXPECTED CODE WAS REACHED|Failed to verify:)", re.MULTILINE
)


def judge(
    result: Run, verdict: str | None, error: str | None, *, out_of_memory_exit: int | None = None
) -> tuple[Verdict, str]:
    """The verdict and the detail of a run that printed this word, or this error before it.

    A verdict stands although the run was stopped afterwards, while it printed the witness. But it does not stand
    after an error, because solvers drop what they do not understand and go on, nor before a crash.
    """
    if result.ending is Ending.could_not_start:
        return Verdict.error, f"{result.message}; see what is installed: hornblower solvers list"
    if crash := crash_of(result):
        return Verdict.crash, crash if verdict is None else f"{crash}, after it had said {verdict}"
    is_memout = result.ending is Ending.memout or (
        out_of_memory_exit is not None and result.exit_code == out_of_memory_exit
    )
    if error is not None and not is_memout:
        return Verdict.error, error
    if verdict is not None:
        return Verdict(verdict), _after_verdict(result)
    if is_memout:
        return Verdict.memout, result.message or "it ran out of memory"
    return _without_verdict(result)


def _without_verdict(result: Run) -> tuple[Verdict, str]:
    if result.ending in (Ending.timeout, Ending.cpu_timeout):
        return Verdict.timeout, result.message
    if result.ending is Ending.flood:
        return Verdict.error, f"{result.message}, none of which was a verdict"
    reason = _first_line(result.stderr) or _first_line(result.stdout) or "it printed nothing"
    return Verdict.error, f"no verdict, exit code {result.exit_code}: {reason}"


def _after_verdict(result: Run) -> str:
    if result.ending in (Ending.exited, Ending.answered):
        return ""
    return f"{result.message}, after it had given its verdict; the witness may be cut off"


def crash_of(result: Run) -> str | None:
    """How it crashed: by a signal, also of a child whose shell passes it on, or by an assertion of its own."""
    number = result.signal if result.ending is Ending.signal else (result.exit_code or 0) - _SHELL_SIGNAL_BASE
    if result.ending in (Ending.signal, Ending.exited) and number in signals.valid_signals():
        return f"died of {_signal_name(number)}"
    return None if result.exit_code == 0 else _broken_assertion(result)


def _signal_name(number: int | None) -> str:
    name = signals.Signals(number).name if number in set(signals.Signals) else f"signal {number}"
    description = signals.strsignal(number) if number else None
    return f"{name} ({description})" if description else name


def _broken_assertion(result: Run) -> str | None:
    """The message with the few lines below it, which name the place in the source."""
    for said in map(text_of, (result.stderr, result.stdout)):
        if found := _BROKEN_ASSERTION.search(said):
            return " ".join(said[found.start() :].split("\n", 4)[:4]).strip()
    return None


def is_rejection(answer: Answer) -> bool:
    """Whether the error is one that the solver reports about the text it was given."""
    return answer.verdict is Verdict.error and answer.detail.startswith("(error")


def _first_line(said: bytes) -> str:
    return next((line.strip() for line in text_of(said[:10_000]).splitlines() if line.strip()), "")


def text_of(said: bytes) -> str:
    return said.decode("utf-8", "replace")


def unless_blank(text: str) -> str | None:
    return text if text.strip() else None
