"""The command line as people meet it: help, mistakes, and lists."""

import json
from pathlib import Path

import pytest

from daemon.cli.main import main


@pytest.fixture(autouse=True)
def no_solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the z3 of the environment is there."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))


@pytest.fixture
def bad_file(tmp_path: Path) -> Path:
    path = tmp_path / "bad.smt2"
    path.write_text("(set-logic HORN)\n(assert (forall ((x Int)) (P x)))\n(check-sat)\n")
    return path


def exit_of(*argv: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(argv))
    assert isinstance(caught.value.code, int)
    return caught.value.code


@pytest.mark.parametrize("argv", [["--help"], ["check", "--help"], ["solvers", "--help"]])
def test_help(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Every command explains itself."""
    assert 0 == exit_of(*argv)
    assert "usage: hornblower" in capsys.readouterr().out


def test_exit_codes_are_documented(capsys: pytest.CaptureFixture[str]) -> None:
    """Who writes a script around check finds what to test for."""
    exit_of("check", "--help")
    shown = capsys.readouterr().out
    assert all(f"\n  {code}  " in shown for code in range(5))


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The name comes with it, for bug reports."""
    assert 0 == exit_of("--version")
    assert capsys.readouterr().out.startswith("hornblower ")


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        ([], "required: COMMAND"),
        (["chekc"], "check"),
        (["check"], "--embedded"),
        (["check", "a.smt2", "--timeout", "soon"], "positive number"),
        (["check", "a.smt2", "--timeout", "inf"], "positive number"),
        (["check", "a.smt2", "--memory", "-1"], "positive number"),
        (["check", "a.smt2", "--memory", "63"], "at least 64"),
        (["check", "a.smt2", "--checkers", "z3,yices"], "z3,cvc5"),
        (["solvers"], "required: ACTION"),
        (["solvers", "install"], "NAME@VERSION"),
    ],
)
def test_bad_usage(argv: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt command ends with code 2 and a message that helps."""
    assert 2 == exit_of(*argv)
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["check", "a.smt2", "--solver", "spacer@1.2.3"], "hornblower solvers install spacer@1.2.3"),
        (["check", "a.smt2", "--solver", "spacex"], "spacer@4.13.4"),
        (["solvers", "install", "spacer"], "spacer@4.13.4"),
        (["solvers", "remove", "spacer@1.2.3"], "hornblower solvers list"),
    ],
)
def test_user_errors_are_one_line(argv: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No stack of calls is shown for a mistake of the user's."""
    assert 4 == main(argv)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("hornblower: ")
    assert hint in line


def test_unreadable_instance_is_named_with_its_place(bad_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The place can be clicked on in an editor."""
    assert 4 == main(["check", str(bad_file)])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{bad_file}:2:")


def test_each_unreadable_input_is_named(bad_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that is bad does not hide the next."""
    binary = tmp_path / "binary.smt2"
    binary.write_bytes(b"(set-logic HORN)\n\xff")
    assert 4 == main(["check", str(bad_file), str(tmp_path / "missing.smt2"), str(binary)])
    lines = capsys.readouterr().err.splitlines()
    assert [
        str(bad_file),
        str(tmp_path / "missing.smt2"),
        str(binary),
    ] == [line.partition(":")[0] for line in lines]
    assert "No such file" in lines[1]
    assert lines[2].startswith(f"{binary}:2:")


@pytest.mark.parametrize(("path", "hint"), [("", "an empty name"), ("a" * 5000, "File name too long")])
def test_names_that_no_file_can_have(path: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As an empty variable of a shell gives them; the present directory is not meant."""
    assert 4 == main(["check", path])
    (line,) = capsys.readouterr().err.splitlines()
    assert hint in line


def test_empty_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory without instances is likely a wrong one."""
    assert 4 == main(["check", str(tmp_path)])
    assert ".smt2" in capsys.readouterr().err


def test_directories_are_searched_below(bad_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files further down are found, and others are left alone."""
    deeper = bad_file.parent / "a" / "b" / "deep.smt2"
    deeper.parent.mkdir(parents=True)
    bad_file.rename(deeper)
    (bad_file.parent / "README").write_text("nothing")
    assert 4 == main(["check", str(bad_file.parent)])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{deeper}:2:")


def test_releases_that_can_be_put_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The place is named, and how to choose another."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "file"))
    assert 4 == main(["solvers", "install", "spacer@4.13.4"])
    assert f"{tmp_path / 'file'} cannot be written: Not a directory" in capsys.readouterr().err


def test_list_as_json(z3: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One object for each release."""
    assert 0 == main(["solvers", "list", "--json"])
    shown, *_ = map(json.loads, capsys.readouterr().out.splitlines())
    assert ("spacer", z3, True) == (shown["solver"], shown["program"], shown["is_own"])
    assert (True, True, False) == tuple(shown["can"][each] for each in ("models", "refutations", "never_tried"))


def test_list_as_text(z3: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Into a pipe go lines that can be cut into fields."""
    assert 0 == main(["solvers", "list"])
    line, *_ = capsys.readouterr().out.splitlines()
    name, program, can = line.split("\t")
    assert name.startswith("spacer@")
    assert (z3, True) == (program, can.startswith("everything, models, refutations, warm"))
