"""Commands and a daemon, end to end: instances are submitted, certified, interrogated, followed and found again."""

import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daemon.cli.main import main
from daemon.client import Client, Rejected
from daemon.protocol import AskStatus, Attach, Happened, StatusReply, Submit, Taken, Unreadable
from knowledge_base.errands import Budget
from tests.daemon.daemons import Daemon, living
from tests.daemon.hunting import eventually, liar

SAFE = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 6)) false)))
(check-sat)
"""
CLAUSE = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> {body} (p x))))(check-sat)"
Hornblower = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with living(tmp_path_factory.mktemp("daemon")) as living_one:
        yield living_one


@pytest.fixture
def hornblower(daemon: Daemon, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Hornblower:
    """A command; its exit code, and what it says."""
    monkeypatch.setenv("HORNBLOWER_SOCKET", str(daemon.socket))

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([str(each) for each in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def safe(tmp_path: Path) -> Path:
    path = tmp_path / "safe.smt2"
    path.write_text(SAFE)
    return path


@pytest.mark.slow
def test_an_answer_is_certified_and_the_neighbourhood_interrogated(hornblower: Hornblower, safe: Path) -> None:
    """And everything of it can be looked at afterwards."""
    code, out, err = hornblower("submit", safe, "--queries", "5", "--json")
    events = [json.loads(line) for line in out.splitlines()]
    assert (0, "") == (code, err)
    kinds = [event["event"] for event in events]
    assert ["accepted", "read", "judged", *["interrogated"] * 5, "over"] == kinds
    assert ("certified", "sat", ["z3", "cvc5"]) == tuple(events[2][key] for key in ("trust", "truth", "certified_by"))
    assert list(range(1, 10)) == [event["number"] for event in events]
    job, address = events[0]["job"], events[1]["instance"]
    _, listed, _ = hornblower("jobs", "--all")
    assert f"{job}  done" in listed
    code, told, _ = hornblower("jobs", "attach", job[:6])
    assert 0 == code
    assert "right, certified by z3, cvc5" in told
    _, explained, _ = hornblower("explain", address)
    assert f"a user has submitted it, {safe}" in explained
    child = next(event["instance"] for event in events if event["event"] == "interrogated" and event["truth"])
    code, explained, err = hornblower("explain", child)
    assert code == 4 or "made from" in explained  # not every child is kept


@pytest.mark.slow
def test_a_wrong_answer_is_told_with_its_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By a solver with a planted bug; exit code 3, and the finding can be explained."""
    path = tmp_path / "safe.smt2"
    path.write_text(SAFE)
    with living(tmp_path, liar(tmp_path, "flip", 1)) as lying:
        code = main(["submit", str(path), "--socket", str(lying.socket), "--json"])
        judged = [json.loads(line) for line in capsys.readouterr().out.splitlines()][2]
        assert (3, "wrong", "sat", "unsat") == (code, judged["trust"], judged["truth"], judged["verdict"])
        assert 0 == main(["explain", judged["findings"][0], "--socket", str(lying.socket)])
        assert "false refutation" in capsys.readouterr().out


@pytest.mark.slow
def test_a_job_survives_the_death_of_the_daemon(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told to its end, as if nothing had happened."""
    path = tmp_path / "safe.smt2"
    path.write_text(SAFE)
    with living(tmp_path) as mortal:
        options = ("--socket", str(mortal.socket))
        assert 0 == main(["submit", str(path), "--detach", "--queries", "8", "--json", *options])
        job = json.loads(capsys.readouterr().out)["job"]
        mortal.restart()
        assert 0 == main(["jobs", *options, "--json", "attach", job])
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert ("done", 8) == (events[-1]["state"], events[-1]["queries"])
        assert list(range(1, len(events) + 1)) == [event["number"] for event in events]
        assert 1 == sum(event["event"] == "judged" for event in events)


@pytest.mark.slow
def test_what_cannot_be_read_is_refused_and_the_others_go_their_way(
    hornblower: Hornblower, safe: Path, tmp_path: Path
) -> None:
    """With place and reason; the exit code says that something was refused."""
    nonsense = tmp_path / "nonsense.smt2"
    nonsense.write_text("(set-logic HORN)\n(include |/etc/passwd|)\n")
    code, out, err = hornblower("submit", nonsense, tmp_path / "nothing.smt2", safe)
    assert 4 == code
    assert f"{nonsense}: refused: {nonsense}:2:2: the command `include` is refused" in out
    assert f"{safe}: spacer" in out
    assert "nothing.smt2: No such file" in err


@pytest.mark.slow
def test_controlling_and_looking(hornblower: Hornblower) -> None:
    """Each command has its answer; a paused hunt lets jobs wait and says so."""
    assert (0, "paused" in hornblower("pause")[1]) == (0, True)
    _, out, _ = hornblower("status", "--json")
    assert "paused" == json.loads(out)["status"]["stage"]
    assert 0 == hornblower("resume")[0]
    _, out, _ = hornblower("metrics")
    assert "# TYPE hornblower_queries_total counter\n" in out
    assert 'hornblower_requests_total{request="pause"} 1' in out
    _, out, _ = hornblower("status")
    assert "open jobs: 0" in out


@pytest.mark.slow
def test_what_is_not_there_is_said(hornblower: Hornblower) -> None:
    """Exit code 4, and what to type."""
    for command in (("jobs", "attach", "ffffffff"), ("jobs", "cancel", "ffffffff"), ("explain", "ffffffff")):
        code, _, err = hornblower(*command)
        assert 4 == code
        assert "hornblower jobs --all" in err
    assert 4 == hornblower("explain", "what?")[0]


def test_without_a_daemon_the_message_says_what_to_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], safe: Path
) -> None:
    """Exit code 5."""
    for command in (["submit", str(safe)], ["jobs"], ["status"], ["pause"], ["explain", "abcd"], ["metrics"]):
        assert 5 == main([*command, "--socket", str(tmp_path / "socket")])
        assert "systemctl start hornblower" in capsys.readouterr().err


ABUSE = {
    "output channel": CLAUSE.format(body="(= x 0)") + '(set-option :regular-output-channel "{file}")',
    "diagnostic channel": '(set-option :diagnostic-output-channel "{file}")' + CLAUSE.format(body="(= x 0)"),
    "log of the solver": '(set-option :smtlib2_log "{file}")' + CLAUSE.format(body="(= x 0)"),
    "include": '(set-logic HORN)(include "/etc/passwd")',
    "other commands": CLAUSE.format(body="(= x 0)") + "(display p)",
    "get-value": CLAUSE.format(body="(= x 0)") + "(get-value (p))",
    "deep nesting": CLAUSE.format(body="(not " * 100_001 + "true" + ")" * 100_001),
    "deeper nesting": "(" * 1_000_000,
    "deep sorts": "(set-logic HORN)(declare-fun p (" + "(Array Int " * 5000 + "Int" + ")" * 5000 + ") Bool)",
    "huge numeral": CLAUSE.format(body=f"(= x {'9' * 1_000_000})"),
    "huge bit-vector": "(set-logic HORN)(declare-fun p ((_ BitVec 99999999)) Bool)",
    "many clauses": CLAUSE.format(body="(or " + " ".join(["(p x)"] * 20) + ")") * 50,
    "control characters": CLAUSE.format(body="(= x 0)") + "\x1b[2J",
    "nothing": "",
    "megabytes of nothing": ";" * (7 * 1024 * 1024),
}


@pytest.mark.slow
def test_abuse_is_refused_with_a_reason_and_the_hunt_goes_on(daemon: Daemon, tmp_path: Path) -> None:
    """Nothing is written, memory stays flat, and no worker is lost."""
    target = tmp_path / "written"
    with Client(daemon.socket) as client:
        before, family = daemon.memory_mb(), daemon.family_mb()
        jobs = {name: _job(client, text.replace("{file}", str(target))) for name, text in ABUSE.items()}
        reasons = {name: _refusal(client, job) for name, job in jobs.items()}
        assert {} == {name: reason for name, reason in reasons.items() if not reason}
        asked = _queries(client)
        assert eventually(lambda: _queries(client) > asked)
        assert 0 == _summary(client)["lost"] == _summary(client)["troubles"]
    assert not target.exists()
    assert daemon.memory_mb() - before < 64
    assert daemon.family_mb() - family < 512


def _job(client: Client, text: str) -> str:
    return client.ask(Submit(client.next_id(), text, "abuse.smt2"), Taken).job


def _refusal(client: Client, job: str) -> str:
    events = [each.event for each in client.stream(Attach(client.next_id(), job)) if isinstance(each, Happened)]
    return "".join(event.reason for event in events if isinstance(event, Unreadable))


def _summary(client: Client) -> dict[str, object]:
    summary = client.ask(AskStatus(client.next_id()), StatusReply).status["summary"]
    assert isinstance(summary, dict)
    return summary


def _queries(client: Client) -> int:
    return int(str(_summary(client)["queries"]))


@pytest.mark.slow
def test_a_budget_of_nothing_and_unknown_solvers_are_refused(daemon: Daemon) -> None:
    """Before anything is stored."""
    with Client(daemon.socket) as client:
        for request in (
            Submit(client.next_id(), SAFE, interrogate=Budget()),
            Submit(client.next_id(), SAFE, solvers=("nonsense",)),
            Submit(client.next_id(), SAFE, solvers=("spacer@0.0.1",)),
        ):
            with pytest.raises(Rejected):
                client.ask(request, Taken)


@pytest.mark.slow
def test_the_socket_is_for_owner_and_group(daemon: Daemon) -> None:
    """Whatever the umask was."""
    assert 0o660 == stat.S_IMODE(os.stat(daemon.socket).st_mode)
