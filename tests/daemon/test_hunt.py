"""Hunts from outside: they end as they should, leave nothing behind, and survive what happens to their parts."""

import os
import signal
from pathlib import Path

import pytest

from knowledge_base import counters, findings
from knowledge_base.store import open_knowledge_base
from tests.daemon.hunting import Hunting, eventually, hunted, hunting, liar, program

SMALL = ("--without-corpus", "--seed", "1", "--slots", "2")


@pytest.mark.slow
def test_an_honest_solver_is_left_in_peace(tmp_path: Path) -> None:
    """Some hundred queries to the newest Spacer, and no alarm."""
    hunt = hunted(tmp_path / "state", "--seed", "1", "--queries", "200")
    summary = hunt.seen[-1]
    found = summary["findings"]
    assert isinstance(found, dict)
    assert set() == set(found) & {"1", "2", "3a", "3b", "unresolved", "warm-cold"}
    assert {} == summary["flaky"]
    assert 200 == summary["queries"] == len(hunt.of("query"))
    assert 0 == summary["own_faults"] == summary["troubles"] == summary["lost"]
    assert any(query["warm"] for query in hunt.of("query"))


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """No process, no file but the knowledge base and its lock."""
    hunt = hunted(tmp_path / "state", *SMALL, "--queries", "12")
    assert 0 == hunt.process.returncode
    assert 12 == hunt.seen[-1]["queries"]
    assert [] == hunt.family()
    assert [] == os.listdir(hunt.scratch)
    assert {"knowledge.sqlite", "lock"} == set(os.listdir(tmp_path / "state"))


def test_the_summary_is_complete(tmp_path: Path) -> None:
    """Whoever reads the last line finds what there is to know."""
    summary = hunted(tmp_path / "state", *SMALL, "--queries", "6").seen[-1]
    assert {
        "queries", "seconds", "slots", "slots_busy", "instances", "truths", "own_faults", "findings", "known",
        "transformations",
    } <= set(summary)  # fmt: skip


@pytest.mark.slow
def test_a_killed_hunt_leaves_nothing_running_and_loses_nothing(tmp_path: Path) -> None:
    """What was said before the kill is known afterwards, and the next run goes on from there."""
    suspect = ("--solver", liar(tmp_path, "flip", 2))
    with hunting(tmp_path / "state", *SMALL, *suspect) as hunt:
        hunt.wait_for("finding", 2)
        hunt.process.send_signal(signal.SIGKILL)
        for _ in hunt.events():
            pass
        assert hunt.has_left_nothing()
    with open_knowledge_base(tmp_path / "state") as knowledge:
        kept = {each.key for each in knowledge.read(findings.select)}
        done = knowledge.read(counters.totals)["queries"]
    assert {str(event["finding"]) for event in hunt.of("finding")} <= kept
    assert len(hunt.of("query")) <= done
    again = hunted(tmp_path / "state", *SMALL, *suspect, "--queries", "4")
    assert 4 == again.seen[-1]["queries"]
    assert {"knowledge.sqlite", "lock"} == set(os.listdir(tmp_path / "state"))
    with open_knowledge_base(tmp_path / "state") as knowledge:
        assert done + 4 == knowledge.read(counters.totals)["queries"]


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """Its jobs are lost, nobody is blamed for that, and the hunt goes on."""
    with hunting(tmp_path / "state", *SMALL, "--slots", "1", "--queries", "40") as hunt:
        hunt.wait_for("query", 3)
        (worker,) = hunt.workers()
        os.kill(worker, signal.SIGKILL)
        lost = hunt.wait_for("worker_lost")
        summary = hunt.finish()
    jobs = lost["jobs"]
    assert isinstance(jobs, list)
    assert (0, len(jobs)) == (lost["worker"], summary["lost"])
    assert jobs
    assert (40, {}, 0) == (summary["queries"], summary["findings"], summary["troubles"])
    assert [] == hunt.family()
    assert [] == os.listdir(hunt.scratch)


def test_workers_that_cannot_live_end_the_hunt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is gained by starting them for ever; the last words are passed on."""
    broken = tmp_path / "broken" / "msgspec"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text(
        "import sys\n"
        "if 'daemon.worker' in ' '.join(sys.orig_argv): sys.exit('no such luck')\n"
        "sys.path.remove(__import__('os').path.dirname(__path__[0])); del sys.modules['msgspec']\n"
        "import msgspec\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(broken.parent))
    with hunting(tmp_path / "state", *SMALL, "--slots", "1", "--queries", "3") as hunt:
        for _ in hunt.events():
            pass
        assert "no such luck" in hunt.errors()
        assert 4 == hunt.process.wait()
    assert 5 == len(hunt.of("worker_lost"))


@pytest.mark.slow
def test_a_full_disk_ends_the_hunt(tmp_path: Path) -> None:
    """With a message; nothing that was said before is lost, and the hunt can go on once there is room."""
    with hunting(tmp_path / "state", *SMALL, "--queries", "1000", shell="ulimit -f 1500") as hunt:
        for _ in hunt.events():
            pass
        assert "cannot be written" in hunt.errors()
        assert 4 == hunt.process.wait()
        assert hunt.has_left_nothing()
    with open_knowledge_base(tmp_path / "state") as knowledge:
        assert len(hunt.of("query")) <= knowledge.read(counters.totals)["queries"]
    assert 2 == hunted(tmp_path / "state", *SMALL, "--queries", "2").seen[-1]["queries"]


def interrupted(hunt: Hunting) -> None:
    hunt.process.send_signal(signal.SIGINT)


def test_an_interrupt_ends_the_hunt_cleanly(tmp_path: Path) -> None:
    """What is under way is finished, and the summary comes last."""
    with hunting(tmp_path / "state", *SMALL) as hunt:
        hunt.wait_for("query", 3)
        interrupted(hunt)
        summary = hunt.finish()
    assert 0 == hunt.process.returncode
    assert summary["queries"] == len(hunt.of("query"))
    assert 1 == len(hunt.of("ending"))
    assert [] == hunt.family()


def test_an_interrupt_while_seeds_are_brought_in(tmp_path: Path) -> None:
    """The hunt has hardly begun, and ends cleanly all the same."""
    with hunting(tmp_path / "state", "--seed", "1") as hunt:
        hunt.wait_for("seeds")
        interrupted(hunt)
        summary = hunt.finish()
    assert (0, 0) == (hunt.process.returncode, summary["queries"])
    assert [] == hunt.family()


def test_a_second_interrupt_stops_at_once(tmp_path: Path) -> None:
    """Also while a solver hangs; nothing of it is left."""
    marker = tmp_path / "asked"
    suspect = program(tmp_path, f"touch {marker}; trap '' TERM; sleep 1000 & sleep 1000")
    with hunting(tmp_path / "state", *SMALL, "--solver", suspect, "--timeout", "600") as hunt:
        assert eventually(marker.exists)
        interrupted(hunt)
        hunt.wait_for("ending")
        interrupted(hunt)
        summary = hunt.finish()
    assert 0 == summary["queries"]
    assert hunt.has_left_nothing()
    assert [] == os.listdir(hunt.scratch)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "verdict", "seconds"),
    [
        ("yes", "error", "60"),
        ("setsid sleep 1000 & sleep 1000 & sleep 1000", "timeout", "0.5"),
        ("trap '' TERM INT HUP; while :; do sleep 1; done", "timeout", "0.5"),
        ("kill -SEGV $$", "crash", "60"),
        ("echo nonsense", "error", "60"),
        ("exit 1", "error", "60"),
    ],
    ids=["floods", "forks", "ignores", "crashes", "nonsense", "fails"],
)
def test_a_solver_that_misbehaves_costs_only_its_query(words: str, verdict: str, seconds: str, tmp_path: Path) -> None:
    """Whatever it does is an answer, and the hunt goes on."""
    suspect = program(tmp_path, words)
    hunt = hunted(tmp_path / "state", *SMALL, "--solver", suspect, "--queries", "4", "--timeout", seconds)
    summary = hunt.seen[-1]
    assert {verdict: 4} == summary["verdicts"]
    assert 0 == summary["lost"] == summary["troubles"] == summary["own_faults"]
    assert hunt.has_left_nothing()


def test_a_second_hunt_is_refused(tmp_path: Path) -> None:
    """One process owns a state directory; the message names it."""
    with hunting(tmp_path / "state", *SMALL) as first:
        first.wait_for("query")
        with hunting(tmp_path / "state", *SMALL) as second:
            assert 4 == second.process.wait()
            assert f"in use by the process with pid {first.process.pid}" in second.errors()
            assert [] == list(second.events())
