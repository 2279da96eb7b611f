"""Suspicions are rated against the parent, and only the strongest are kept, also from run to run."""

import msgspec
import pytest

from backends.answer import Verdict
from chc.witness import Truth
from daemon.jobs import Report
from daemon.suspicion import MOST, Suspicion, Suspicions, rating, recalled, suspicion_of
from knowledge_base.energy import Standing
from knowledge_base.records import Features, Finding, Severity, Status
from tests.daemon.playbook import SPACER, answer

PARENT = Standing(size=100, queries=3, decided=(0.02, 0.01))


def reported(verdict: Verdict, nodes: int = 100) -> Report:
    return Report(1, "text", "a" * 64, Features(nodes=nodes), promise=Truth.sat, answer=answer(verdict))


@pytest.mark.parametrize(
    ("verdict", "severity"),
    [(Verdict.timeout, "4b"), (Verdict.memout, "4b"), (Verdict.unknown, "4a"), (Verdict.sat, None)],
)
def test_what_is_strange(verdict: Verdict, severity: str | None) -> None:
    """No decision, where the parent was decided in no time."""
    found = suspicion_of(reported(verdict), [PARENT], 10.0)
    assert severity == (None if found is None else found.severity)


def test_the_limit_has_to_be_far_above_the_parent() -> None:
    """A child that was given little time is no surprise."""
    assert suspicion_of(reported(Verdict.timeout), [PARENT], 0.5) is None
    assert suspicion_of(reported(Verdict.timeout), [Standing(size=100, decided=(1.0,))], 10.0) is None


def test_growth_counts() -> None:
    """A child that is much larger may take longer."""
    same, larger = (suspicion_of(reported(Verdict.timeout, nodes), [PARENT], 10.0) for nodes in (100, 200))
    assert same is not None
    assert larger is not None
    assert 1.0 == pytest.approx(same.score - larger.score)
    assert suspicion_of(reported(Verdict.timeout, 10_000), [PARENT], 10.0) is None


def test_without_a_promise_or_a_decided_parent_nothing_is_strange() -> None:
    """There is nothing to compare with."""
    open_truth = msgspec.structs.replace(reported(Verdict.timeout), promise=None)
    assert suspicion_of(open_truth, [PARENT], 10.0) is None
    assert suspicion_of(reported(Verdict.timeout), [Standing(size=100)], 10.0) is None
    assert suspicion_of(reported(Verdict.timeout), [], 10.0) is None


def scored(score: float, severity: Severity = Severity.failure, configuration: str = "a") -> Suspicion:
    return Suspicion(score, severity, configuration, "b" * 64, "strange")


def test_the_strongest_are_kept_of_each_kind_and_configuration() -> None:
    """Whoever has to go is named, perhaps the newcomer itself."""
    kept = Suspicions()
    assert {()} == {kept.offer(scored(score)) for score in range(1, MOST + 1)}
    assert (scored(0.5),) == kept.offer(scored(0.5))
    assert (scored(1),) == kept.offer(scored(9))
    assert () == kept.offer(scored(0.1, Severity.unknown))
    assert () == kept.offer(scored(0.1, configuration="b"))
    assert MOST + 2 == len(kept)


def finding(status: Status, reason: str) -> Finding:
    return Finding(
        severity=Severity.failure, status=status, instance="b" * 64, configuration=SPACER, command=("z3",),
        evidence="strange", at=1.0, reason=reason,
    )  # fmt: skip


def test_a_stored_suspicion_is_recalled() -> None:
    """With its score, so that the next run can compare."""
    assert scored(7.25, configuration=SPACER.label) == recalled(finding(Status.open, rating(scored(7.25))))
    assert recalled(finding(Status.confirmed, rating(scored(7.25)))) is None
    assert recalled(finding(Status.open, "")) is None
