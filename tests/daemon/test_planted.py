"""Bugs planted in a real solver are found, blamed on the right answer, and given the right severity."""

from pathlib import Path

import pytest

from knowledge_base import instances
from knowledge_base.store import open_knowledge_base
from tests.daemon.hunting import Hunting, hunted, liar
from tests.daemon.liar import is_lied_about

FLIPPED = {("sat", "unsat"): "1", ("unsat", "sat"): "2"}
"""Said, and true."""


def hunt_for(directory: Path, lie: str, one_in: int) -> Hunting:
    """Begins from generated seeds alone, which is quicker."""
    suspect = liar(directory, lie, one_in)
    limits = ("--without-corpus", "--seed", "1", "--until-bug", "--queries", "400")
    hunt = hunted(directory / "state", "--solver", suspect, *limits)
    assert hunt.of("finding"), hunt.seen[-1]
    assert 3 == hunt.process.returncode
    assert 0 == hunt.seen[-1]["own_faults"] == hunt.seen[-1]["troubles"] == hunt.seen[-1]["lost"]
    return hunt


def texts_of(hunt: Hunting, directory: Path) -> list[str]:
    with open_knowledge_base(directory / "state") as knowledge:
        records = [knowledge.read(instances.get, str(found["instance"])) for found in hunt.of("finding")]
    return [record.text for record in records if record is not None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lie", "one_in"), [("flip", 10), ("three-body-atoms", 1), ("large-constant", 1), ("common-prefix", 1)]
)
def test_wrong_verdicts(lie: str, one_in: int, tmp_path: Path) -> None:
    """What is sat is called unsat or the other way round, now and then or for a reason of its own."""
    hunt = hunt_for(tmp_path, lie, one_in)
    for found in hunt.of("finding"):
        assert FLIPPED[str(found["verdict"]), str(found["truth"])] == found["severity"]
        assert str(found["configuration"]).startswith("spacer@path:")
        assert (None, False) == (found["known"], found["flaky"])
    texts = texts_of(hunt, tmp_path)
    assert len(hunt.of("finding")) == len(texts)
    assert all(is_lied_about(lie, one_in, text) for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lie", "one_in", "severity", "truth"), [("drop-conjunct", 2, "3a", "sat"), ("stale-proof", 2, "3b", "unsat")]
)
def test_wrong_witnesses(lie: str, one_in: int, severity: str, truth: str, tmp_path: Path) -> None:
    """The verdict is right, and what is offered as its proof is not one."""
    hunt = hunt_for(tmp_path, lie, one_in)
    for found in hunt.of("finding"):
        assert (severity, truth, truth) == (found["severity"], found["verdict"], found["truth"])
        assert found["evidence"]
    assert all(is_lied_about(lie, one_in, text) for text in texts_of(hunt, tmp_path))


@pytest.mark.slow
def test_one_of_two_lies_and_neither_shows_a_witness(tmp_path: Path) -> None:
    """The carried witnesses tell them apart: only the liar is blamed."""
    suspects = []
    for name, lie in (("honest", "bare"), ("liar", "bare-flip")):
        (tmp_path / name).mkdir()
        suspects += ["--solver", liar(tmp_path / name, lie, 1)]
    limits = ("--without-corpus", "--seed", "1", "--until-bug", "--queries", "60")
    hunt = hunted(tmp_path / "state", *suspects, *limits)
    assert hunt.of("finding")
    for found in hunt.of("finding"):
        assert str(found["configuration"]).startswith(f"spacer@path:{tmp_path}/liar/")
        assert FLIPPED[str(found["verdict"]), str(found["truth"])] == found["severity"]
