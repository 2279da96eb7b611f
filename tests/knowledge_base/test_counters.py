"""Counters and runs."""

import msgspec
import pytest

from knowledge_base import counters
from knowledge_base.store import KnowledgeBase, open_knowledge_base
from tests.knowledge_base.builders import run


def test_counters_add_up_over_restarts(knowledge: KnowledgeBase) -> None:
    """Whole numbers stay whole, seconds may be broken."""
    knowledge.write_now(counters.count, {"queries": 2, "seconds": 0.5})
    knowledge.close()
    with open_knowledge_base(knowledge.directory) as again:
        again.write_now(counters.count, {"queries": 3, "seconds": 1})
        totals = again.read(counters.totals)
    assert {"queries": 5, "seconds": 1.5} == totals
    assert isinstance(totals["queries"], int)


def test_runs_come_back_as_they_were(knowledge: KnowledgeBase) -> None:
    """Also with a seed larger than a column of numbers takes; a run that goes on has no end."""
    knowledge.write_now(counters.start_run, run())
    assert [run()] == knowledge.read(counters.runs)
    knowledge.write_now(counters.end_run, "run-1", 9.0)
    assert [msgspec.structs.replace(run(), ended=9.0)] == knowledge.read(counters.runs)


def test_the_end_of_an_unknown_run_is_refused(knowledge: KnowledgeBase) -> None:
    """A misspelt run must not end in silence."""
    with pytest.raises(ValueError, match="no run nobody"):
        knowledge.write_now(counters.end_run, "nobody", 9.0)


def test_sizes_count_rows(knowledge: KnowledgeBase) -> None:
    """Empty tables are counted as well."""
    knowledge.write_now(counters.start_run, run())
    sizes = knowledge.read(counters.sizes)
    assert (1, 0) == (sizes["runs"], sizes["instances"])
