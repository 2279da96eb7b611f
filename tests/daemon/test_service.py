"""The daemon from outside: started as systemd would start it, watched, reloaded, and stopped."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from daemon.client import Client
from daemon.protocol import AskStatus, Drain, Pause, Resume, StatusReply
from daemon.protocol import Done as Said
from tests.daemon.hunting import eventually, program
from tests.daemon.living import MARK, SEED, Living, configure, living


def family(daemon: Living) -> list[str]:
    mark = f"{MARK}={daemon.mark}".encode()
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                found.append(pid)
        except OSError:
            continue
    return found


@pytest.mark.slow
def test_a_life_under_systemd(tmp_path: Path) -> None:
    """Ready, fed by progress, reloaded, stopped: at a socket that was handed over, and with nothing left behind."""
    configure(tmp_path)
    with living(tmp_path, is_activated=True, watchdog_seconds=4.0) as daemon:
        starting = daemon.wait_for("starting")
        assert (True, str(daemon.address)) == (starting["activated"], starting["socket"])
        assert "READY=1" == daemon.told("READY")
        daemon.wait_for("query")
        assert "WATCHDOG=1" == daemon.told("WATCHDOG")
        with Client(daemon.address) as client:
            status = client.ask(AskStatus(client.next_id()), StatusReply).status
        assert (daemon.process.pid, "hunting") == (status["pid"], status["stage"])
        # A new seed is read and asked, one that is none is told of.
        (tmp_path / "seeds" / "good.smt2").write_text(SEED.format(last=5))
        (tmp_path / "seeds" / "bad.smt2").write_text("(bad)")
        assert "bad.smt2:1:2" in str(daemon.wait_for("unreadable_seed")["reason"])
        # A configuration that cannot be used is refused, a good one is taken; nobody loses a query.
        configure(tmp_path, "[limits]\nquery_second = 1\n")
        daemon.process.send_signal(signal.SIGHUP)
        assert "did you mean query_seconds?" in str(daemon.wait_for("reload_refused")["reason"])
        configure(tmp_path, '[limits]\nquery_seconds = 3\n[log]\nfile = "x"\n')
        daemon.process.send_signal(signal.SIGHUP)
        reloaded = daemon.wait_for("reloaded")
        assert (["limits.query_seconds"], ["log.file"]) == (reloaded["changed"], reloaded["at_restart"])
        assert daemon.told("RELOADING=1\nMONOTONIC_USEC=")
        assert "READY=1" == daemon.told("READY")
        while float(str(daemon.wait_for("query")["limit"])) > 3.0:
            pass
        daemon.process.send_signal(signal.SIGTERM)
        assert "SIGTERM" == daemon.wait_for("stopping")["reason"]
        assert 0 == daemon.wait_for("stopped")["lost"]
        assert "STOPPING=1" == daemon.told("STOPPING")
        assert 0 == daemon.process.wait()
        assert not any(line["event"] in ("trouble", "worker_lost") for line in daemon.seen)
        assert eventually(lambda: not family(daemon))
    assert {"knowledge.sqlite", "lock"} == set(os.listdir(tmp_path / "state"))
    assert daemon.address.exists(), "the socket is systemd's"


@pytest.mark.slow
def test_a_solver_is_replaced_goes_and_comes_back(tmp_path: Path, z3: str) -> None:
    """It gets a label of its own, and what was wrong with the old one is asked of the new one; without any, a pause."""
    suspect = program(tmp_path, "echo unsat")
    path = tmp_path / "suspect"
    configure(tmp_path, solvers=(suspect,))
    (tmp_path / "seeds" / "safe.smt2").write_text(SEED.format(last=5))
    with living(tmp_path) as daemon:
        while daemon.wait_for("finding")["severity"] != "2":
            pass
        program(tmp_path, f'exec {z3} "$@"')
        changed = daemon.wait_for("suspect_changed")
        assert (suspect, True) == (changed["old"], str(changed["new"]).startswith(f"{suspect}+"))
        assert int(str(changed["asked_again"])) >= 1
        while not str(daemon.wait_for("query")["configuration"]).startswith(str(changed["new"])):
            pass
        path.rename(tmp_path / "away")
        daemon.wait_for("paused")
        (tmp_path / "away").rename(path)
        daemon.wait_for("resumed")
        daemon.wait_for("query")


@pytest.mark.slow
def test_a_solver_that_hangs_does_not_keep_the_daemon_from_stopping(tmp_path: Path) -> None:
    """What is under way has its time, and no more; the socket that it made goes with it."""
    marker = tmp_path / "asked"
    suspect = program(tmp_path, f"touch {marker}; trap '' TERM; sleep 1000")
    configure(tmp_path, "[limits]\nquery_seconds = 600\nstop_seconds = 0.2\n", solvers=(suspect,))
    with living(tmp_path) as daemon:
        daemon.wait_for("start")
        assert eventually(marker.exists)
        daemon.process.send_signal(signal.SIGTERM)
        assert int(str(daemon.wait_for("stopped")["lost"])) > 0
        assert 0 == daemon.process.wait()
        assert eventually(lambda: not family(daemon))
    assert not daemon.address.exists()


@pytest.mark.slow
def test_pause_resume_and_drain(tmp_path: Path) -> None:
    """By a client."""
    configure(tmp_path)
    with living(tmp_path) as daemon:
        daemon.wait_for("query")
        with Client(daemon.address) as client:
            client.ask(Pause(client.next_id()), Said)
            daemon.wait_for("paused")
            client.ask(Resume(client.next_id()), Said)
            daemon.wait_for("resumed")
            daemon.wait_for("query")
            client.ask(Drain(client.next_id()), Said)
        assert 0 == daemon.wait_for("stopped")["lost"]
        assert 0 == daemon.process.wait()
