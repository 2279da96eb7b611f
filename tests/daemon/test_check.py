"""`hornblower check` from end to end: rows, exit codes, bad inputs, pipes that close and interruptions."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.cli.check import exit_code
from daemon.cli.main import main
from tests.backends.conftest import is_alive
from tests.daemon.conftest import Liar
from tests.daemon.lies import LIES, SAT, UNSAT
from tests.daemon.test_rows import FIELDS, OUTCOMES

HORNBLOWER = [sys.executable, "-m", "daemon.cli.main"]
PATIENCE_SECONDS = 60.0
MISTAKE = "(set-logic HORN)\n(assert (forall ((x Int)) (P x)))\n(check-sat)\n"


@pytest.fixture(autouse=True)
def no_solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the z3 of the environment is there."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good instances and a bad one between them."""
    place = tmp_path / "instances"
    place.mkdir()
    (place / "a.smt2").write_text(SAT.text)
    (place / "b.smt2").write_text(MISTAKE)
    (place / "c.smt2").write_text(UNSAT.text)
    return place


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def name_of(liar: Liar, lie: str) -> str:
    """The liar as one types it."""
    configuration = liar(LIES[lie].source)
    options = [f"{name}={value}" for name, value in LIES[lie].options]
    return ",".join([f"spacer@path:{configuration.program}", *options])


def test_certified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, a line for each file in the order given."""
    assert 0 == main(["check", str(folder / "c.smt2"), str(folder / "a.smt2")])
    first, second = lines_of(capsys)
    assert first.startswith(f"{folder}/c.smt2: spacer@")
    assert ": unsat in " in first
    assert first.endswith("certified by z3, cvc5")
    assert ": sat in " in second


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object per line with exactly the fields that are promised."""
    options = ["--solver", "spacer,fp.xform.slice=false", "--checkers", "cvc5"]
    assert 0 == main(["check", str(folder / "a.smt2"), "--json", *options])
    (line,) = lines_of(capsys)
    shown = json.loads(line)
    assert FIELDS == list(shown)
    assert (f"{folder}/a.smt2", "spacer", {"fp.xform.slice": "false"}) == (
        shown["file"],
        shown["solver"],
        shown["options"],
    )
    assert ("sat", "sat", ["cvc5"], None) == (
        shown["verdict"],
        shown["truth"],
        shown["certified_by"],
        shown["severity"],
    )
    assert shown["seconds"] > 0


def test_several_solvers(folder: Path, liar: Liar, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is asked each file; a liar among them is what counts."""
    solvers = ["--solver", "spacer", "--solver", name_of(liar, "bare wrong unsat")]
    assert 3 == main(["check", str(folder / "a.smt2"), "--json", *solvers])
    assert [None, "2"] == [json.loads(line)["severity"] for line in lines_of(capsys)]


def test_unreadable_file_among_good_ones(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is complained about with its place, and the others are checked."""
    assert 4 == main(["check", str(folder)])
    out, err = capsys.readouterr()
    assert 2 == out.count("certified by z3, cvc5")
    assert err.startswith(f"{folder}/b.smt2:2:")


def test_all_kinds_of_bad_inputs(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing, binary, empty, forbidden, an empty directory: a line for each, and the good one is checked."""
    bad = [
        tmp_path / "missing.smt2",
        tmp_path / "binary",
        tmp_path / "empty.smt2",
        tmp_path / "blank",
        tmp_path / "void",
    ]
    bad[1].write_bytes(b"\x7fELF\x02\xff\xfe")
    bad[2].write_text("")
    bad[3].write_text(" ; nothing\n")
    bad[4].mkdir()
    assert 4 == main(["check", *map(str, bad), str(folder / "a.smt2")])
    out, err = capsys.readouterr()
    assert [str(path) for path in bad] == [line.partition(":")[0] for line in err.splitlines()]
    assert 1 == len(out.splitlines())


def test_something_wrong_outweighs_a_bad_input(folder: Path, liar: Liar) -> None:
    """The worst counts."""
    assert 3 == main(["check", str(folder), "--solver", name_of(liar, "segmentation fault")])


def test_file_name_that_is_no_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names are bytes; what cannot be shown is replaced."""
    odd = os.fsencode(folder) + b"/\xff.smt2"
    os.rename(folder / "a.smt2", odd)
    assert 0 == main(["check", os.fsdecode(odd), "--json"])
    assert json.loads(capsys.readouterr().out)["file"].endswith("/\N{REPLACEMENT CHARACTER}.smt2")


def test_file_name_that_would_lead_a_terminal_astray(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything stays on its line."""
    (folder / "a.smt2").rename(folder / "a\n\x1b[2Jb.smt2")
    assert 0 == main(["check", str(folder / "a\n\x1b[2Jb.smt2")])
    (line,) = capsys.readouterr().out.splitlines()
    assert f"{folder}/a\\n\\x1b[2Jb.smt2: spacer" in line


def test_mark_at_the_beginning_of_a_file(folder: Path) -> None:
    """Some editors put one there; it means nothing."""
    (folder / "a.smt2").write_bytes(b"\xef\xbb\xbf" + (folder / "a.smt2").read_bytes())
    assert 0 == main(["check", str(folder / "a.smt2")])


@pytest.mark.parametrize("name", LIES)
def test_planted_liars(name: str, liar: Liar, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong ends with 3, what is undecided with 1, and what others certify with 0."""
    lie = LIES[name]
    path = tmp_path / "instance.smt2"
    path.write_text((SAT if lie.is_sat else UNSAT).text)
    expected = 3 if lie.severity else 0 if lie.is_certified else 1
    limit = "1" if lie.verdict == "timeout" else "100"
    assert expected == main(["check", str(path), "--solver", name_of(liar, name), "--json", "--timeout", limit])
    shown = json.loads(capsys.readouterr().out)
    assert (lie.verdict, lie.severity) == (shown["verdict"], shown["severity"]), shown["evidence"]


def test_bad_option(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that names it, and no severity."""
    assert 1 == main(["check", str(folder / "c.smt2"), "--solver", "spacer,fp.nonsense=true", "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert ("error", None, "unsat") == (shown["verdict"], shown["severity"], shown["truth"])
    assert "unknown parameter 'fp.nonsense'" in shown["evidence"]


def test_exit_codes() -> None:
    """3 before 4 before 1 before 0; known trouble is none."""
    certified, known, claim = (OUTCOMES[name][0] for name in ("certified", "known trouble", "claim"))
    wrong = OUTCOMES["wrong model"][0]
    assert 0 == exit_code([certified, known], all_readable=True)
    assert 0 == exit_code([], all_readable=True)
    assert 1 == exit_code([certified, claim], all_readable=True)
    assert 4 == exit_code([certified, claim], all_readable=False)
    assert 3 == exit_code([certified, claim, wrong], all_readable=False)


def test_known_trouble_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong model that Spacer's developers know about is shown, but is no alarm."""
    path = Path(__file__).parent.parent / "backends" / "golden" / "inlining-sat.smt2"
    assert 0 == main(["check", str(path)])
    said = capsys.readouterr().out
    assert "certified by z3, cvc5, but known trouble (3a): clause 9 (=> (Main true) false) is violated" in said


# As a process ---------------------------------------------------------------------------------------------


def test_broken_pipe(folder: Path) -> None:
    """Whoever has seen enough is not shown a traceback."""
    files = [str(folder / "a.smt2")] * 40
    command = subprocess.Popen(
        [*HORNBLOWER, "check", *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert command.stdout is not None
    assert "certified" in command.stdout.readline()
    command.stdout.close()
    assert 141 == command.wait(PATIENCE_SECONDS)
    assert command.stderr is not None
    with command.stderr:
        assert "" == command.stderr.read()


@pytest.mark.parametrize("words", [["check", "--json"], ["solvers", "list"]])
def test_full_disk(words: list[str], folder: Path) -> None:
    """What could not be written is said in one line, and is no success."""
    files = [str(folder / "a.smt2")] if "check" in words else []
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*HORNBLOWER, *words, *files], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (4, 1) == (done.returncode, len(done.stderr.splitlines()))
    assert "no room left" in done.stderr


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interruption(number: signal.Signals, folder: Path, liar: Liar, tmp_path: Path) -> None:
    """It ends at once, says so in one line, and takes along processes and files."""
    news, scratch = tmp_path / "news", tmp_path / "scratch"
    scratch.mkdir()
    source = f"import os, time\nopen({str(news) + '.new'!r}, 'w').write(str(os.getpid()))\n"
    source += f"os.rename({str(news) + '.new'!r}, {str(news)!r})\ntime.sleep(1000)"
    command = [*HORNBLOWER, "check", str(folder / "a.smt2"), "--timeout", "900"]
    process = subprocess.Popen(
        [*command, "--solver", f"spacer@path:{liar(source).program}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    wait_until(news.exists)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert (130, "", "hornblower: interrupted\n") == (process.returncode, out, err)
    assert [] == list(scratch.iterdir())
    wait_until(lambda: not is_alive(int(news.read_text())))


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_terminal_without_umlauts(options: list[str], tmp_path: Path) -> None:
    """What cannot be shown is spelt in another way; JSON is always UTF-8."""
    path = tmp_path / "ü.smt2"
    path.write_text(SAT.text)
    result = subprocess.run(
        [*HORNBLOWER, "check", str(path), *options],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (0, b"") == (result.returncode, result.stderr)
    assert ("ü" if options else r"\xfc") in result.stdout.decode()


def test_closed_stdout(folder: Path) -> None:
    """Whoever wants nothing but the exit code gets it."""
    command = 'exec "$@" >&-'
    result = subprocess.run(
        ["sh", "-c", command, "sh", *HORNBLOWER, "check", str(folder / "a.smt2")],
        stderr=subprocess.PIPE,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (0, b"") == (result.returncode, result.stderr)


def test_table_and_progress_on_a_terminal(folder: Path) -> None:
    """People see the table on stdout, and on stderr how far it has come."""
    leader, follower = pty.openpty()
    command = [*HORNBLOWER, "check", str(folder / "a.smt2"), str(folder / "c.smt2")]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "150"}
    try:
        result = subprocess.run(
            command, stdout=follower, stderr=subprocess.PIPE, env=environment, timeout=PATIENCE_SECONDS, check=False
        )
        shown = os.read(leader, 1 << 16).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert 0 == result.returncode, result.stderr
    assert "judgement" in shown
    assert 2 == shown.count("certified")


def test_a_checker_that_is_missing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said before anything is asked, with what to type."""
    assert 4 == main(["check", str(folder / "a.smt2"), "--checkers", "z3,princess"])
    said = capsys.readouterr()
    assert "" == said.out
    assert "princess" in said.err
    assert "install" in said.err


@pytest.mark.usefixtures("with_princess")
def test_three_checkers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of them sign."""
    assert 0 == main(["check", str(folder / "a.smt2"), "--checkers", "z3,cvc5,princess"])
    assert lines_of(capsys)[0].endswith("certified by z3, cvc5, princess")
