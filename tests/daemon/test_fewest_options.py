"""A finding keeps only those drawn options that it needs."""

import pytest

from backends.answer import Answer, Configuration
from backends.examination import Examiner
from backends.limits import Limits
from chc.instance import Instance
from daemon.bench import Bench
from daemon.certify import certify
from daemon.fewest_options import needed, with_fewest_options, without
from knowledge_base.records import Severity
from tests.daemon.conftest import Liar
from tests.daemon.lies import SAT

pytestmark = pytest.mark.anyio

AMPLE = Limits(wall_seconds=100.0, memory_mb=2048)
DRAWN = (("fp.spacer.ctp", "false"), ("fp.spacer.q3", "false"), ("fp.spacer.random_seed", "7"))
NAMES = tuple(name for name, _ in DRAWN)


class Counting(Bench):
    """Counts who is asked."""

    asked = 0

    async def ask(
        self, configuration: Configuration, instance: Instance, limits: Limits, *, has_trace: bool = False
    ) -> Answer:
        self.asked += 1
        return await super().ask(configuration, instance, limits, has_trace=has_trace)


def lying_if(*settings: str) -> str:
    """The source of a solver that is wrong under all of these settings, and right else."""
    return f"import sys; print('unsat' if {set(settings)!r} <= set(sys.argv) else 'sat')"


async def smallest(configuration: Configuration) -> tuple[Configuration, int]:
    """What is left, and how often somebody was asked for it."""
    async with Counting(Examiner()) as bench:
        judgement = await certify(SAT, configuration, AMPLE, bench)
        assert Severity.false_refutation is judgement.severity
        bench.asked = 0
        judgement = await with_fewest_options(SAT, judgement, NAMES, AMPLE, bench)
        assert Severity.false_refutation is judgement.severity
        return judgement.answer.configuration, bench.asked


async def test_what_happens_anyway_needs_none(liar: Liar) -> None:
    """One run shows it; what the user has asked for stays."""
    asked = liar("print('unsat')", ("fp.spacer.min_level", "1"), *DRAWN)
    found, runs = await smallest(asked)
    assert ((("fp.spacer.min_level", "1"),), 1) == (found.options, runs)


async def test_only_those_that_are_needed_stay(liar: Liar) -> None:
    """One run more than there are options, at most."""
    asked = liar(lying_if("fp.spacer.q3=false"), *DRAWN)
    found, runs = await smallest(asked)
    assert (DRAWN[1:2], 4) == (found.options, runs)
    assert ("fp.spacer.q3=false",) == needed(found, NAMES)


async def test_two_that_are_needed_together_stay(liar: Liar) -> None:
    """Neither alone is enough."""
    asked = liar(lying_if("fp.spacer.ctp=false", "fp.spacer.random_seed=7"), *DRAWN)
    found, _ = await smallest(asked)
    assert (DRAWN[0], DRAWN[2]) == found.options


@pytest.mark.parametrize(
    ("source", "is_known"), [("print('unsat')", False), (lying_if("fp.xform.unfold_rules=1"), True)]
)
async def test_known_trouble_is_known_only_if_it_is_needed(source: str, is_known: bool, liar: Liar) -> None:
    """An unsound answer that has nothing to do with the known option is news."""
    asked = Configuration("spacer", "5.4.0", liar(source).program, (("fp.xform.unfold_rules", "1"),))
    async with Bench(Examiner()) as bench:
        judgement = await certify(SAT, asked, AMPLE, bench)
        assert "unfold_rules=1: its models" in (judgement.known or "")
        judgement = await with_fewest_options(SAT, judgement, ("fp.xform.unfold_rules",), AMPLE, bench)
    assert is_known is (judgement.known is not None)


def test_without() -> None:
    """The others keep their order."""
    configuration = Configuration("spacer", "1", "/z3", DRAWN)
    assert (DRAWN[0], DRAWN[2]) == without(configuration, ["fp.spacer.q3", "fp.spacer.no"]).options
