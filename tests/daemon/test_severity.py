"""The table of severities, row by row."""

import pytest

from backends.answer import Verdict
from backends.examination import ABSENT, Examination, Standing
from chc.witness import Truth
from daemon.severity import severity_of

SAT, UNSAT, NOTHING = Truth.sat, Truth.unsat, None
TABLE = {
    "right": (Verdict.sat, Standing.valid, SAT, None),
    "right refutation": (Verdict.unsat, Standing.valid, UNSAT, None),
    "right without a witness": (Verdict.sat, Standing.absent, SAT, None),
    "right, its own witness undecided": (Verdict.unsat, Standing.undecided, UNSAT, None),
    "unsound": (Verdict.sat, Standing.absent, UNSAT, "1"),
    "unsound with a wrong model": (Verdict.sat, Standing.invalid, UNSAT, "1"),
    "unsound with an unclear model": (Verdict.sat, Standing.disputed, UNSAT, "1"),
    "false refutation": (Verdict.unsat, Standing.absent, SAT, "2"),
    "false refutation with a wrong step": (Verdict.unsat, Standing.invalid, SAT, "2"),
    "wrong model": (Verdict.sat, Standing.invalid, SAT, "3a"),
    "wrong refutation": (Verdict.unsat, Standing.invalid, UNSAT, "3b"),
    "crash": (Verdict.crash, Standing.absent, SAT, "4b"),
    "crash without a truth": (Verdict.crash, Standing.absent, NOTHING, "4b"),
    "wrong model without a truth": (Verdict.sat, Standing.invalid, NOTHING, "unresolved"),
    "wrong refutation without a truth": (Verdict.unsat, Standing.invalid, NOTHING, "unresolved"),
    "disputed": (Verdict.sat, Standing.disputed, SAT, "unresolved"),
    "disputed without a truth": (Verdict.unsat, Standing.disputed, NOTHING, "unresolved"),
    "two certificates": (Verdict.sat, Standing.valid, UNSAT, "unresolved"),
    "two certificates the other way round": (Verdict.unsat, Standing.valid, SAT, "unresolved"),
    "claim": (Verdict.sat, Standing.absent, NOTHING, None),
    "unclear claim": (Verdict.unsat, Standing.undecided, NOTHING, None),
}


@pytest.mark.parametrize(("verdict", "standing", "truth", "severity"), TABLE.values(), ids=TABLE)
def test_table(verdict: Verdict, standing: Standing, truth: Truth | None, severity: str | None) -> None:
    """What follows from verdict, witness and truth."""
    assert severity == severity_of(verdict, Examination(standing), truth)


@pytest.mark.parametrize("verdict", [Verdict.unknown, Verdict.timeout, Verdict.memout, Verdict.error])
@pytest.mark.parametrize("truth", [None, *Truth])
def test_no_verdict_is_not_wrong(verdict: Verdict, truth: Truth | None) -> None:
    """Whoever says nothing says nothing wrong; whether that is suspicious needs more than this table."""
    assert severity_of(verdict, ABSENT, truth) is None
