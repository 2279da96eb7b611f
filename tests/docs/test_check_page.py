"""The sessions of docs/check.md go as shown, and its tables name what the code has."""

import re
from pathlib import Path

import pytest

from backends.answer import Verdict
from backends.checker_programs import Effort
from daemon.cli.main import main, parser
from daemon.cli.rows import Row
from knowledge_base.records import Severity

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "check.md").read_text(encoding="utf-8")
SHOWN_FOLDER = "/tmp/try"
_SESSION = re.compile(r"^```console\n\$ hornblower (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
_VARYING = ((re.compile(r"in \d+\.\d\d s"), "in T s"), (re.compile(r'"seconds":[\d.]+'), '"seconds":T'))
_VERSION = re.compile(r'(spacer@|"version":")\d[\d.]*')


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def comparable(text: str) -> list[str]:
    """The lines without times and versions; complaints come before rows on a screen, but not in a pipe."""
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)
    return sorted(_VERSION.sub(r"\1V", text).splitlines())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the files that the page speaks of, and without any other solver than our own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    (tmp_path / "counter.smt2").write_text(block("smt2"))
    (tmp_path / "unsafe.smt2").write_text(block("smt2").replace("(> x 3)", "(> x 2)"))
    (tmp_path / "wrong.smt2").write_text("(set-logic LIA)\n")
    (tmp_path / "liar").write_text(block("sh"))
    (tmp_path / "liar").chmod(0o755)
    return tmp_path


SESSIONS = _SESSION.findall(PAGE)


@pytest.mark.parametrize(("command", "shown"), SESSIONS)
def test_a_session_goes_as_shown(command: str, shown: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Apart from times and versions."""
    main(command.replace(SHOWN_FOLDER, str(folder)).split())
    said = capfd.readouterr()
    assert comparable(shown) == comparable((said.out + said.err).replace(str(folder), SHOWN_FOLDER))


def test_there_are_sessions() -> None:
    """Otherwise none would have been found on the page."""
    assert 4 == len(SESSIONS)


@pytest.mark.parametrize(
    "name", [*Row.__struct_fields__, *Verdict, *(each for each in Severity if each is not Severity.warm_cold)]
)
def test_fields_verdicts_and_severities_are_explained(name: str) -> None:
    """All that a row can say. A difference between warm and cold processes only a hunt can see."""
    assert f"`{name}`" in PAGE or f"| {name} |" in PAGE


def test_every_option_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that the command itself lists."""
    with pytest.raises(SystemExit):
        parser().parse_args(["check", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert set() == {option for option in options if f"`{option}" not in PAGE}


def test_the_effort_of_a_check_is_as_stated() -> None:
    """The figures are those of the code."""
    effort = Effort()
    assert (3, 30, 4096) == (effort.question_seconds, effort.total_seconds, effort.memory_mb)
    assert "One question may take 3 seconds, a check 30 seconds and 4096 MB" in PAGE
