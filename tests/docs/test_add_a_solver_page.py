"""The example of docs/add-a-solver.md works, its tables are those of the code, and mistakes are told as it says."""

import re
from pathlib import Path

import pytest

from backends.checker_programs import OWN_Z3
from backends.description import (
    BadDescription,
    DescribedOption,
    Description,
    Form,
    ModelFormat,
    ProofFormat,
    Supports,
    Verdicts,
    Witnesses,
    read_description,
)
from backends.options import Fairness
from chc.fragment import Theory
from daemon.cli.main import main
from tests.docs.test_check_page import block as block_of_check
from tests.docs.test_check_page import comparable

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "add-a-solver.md").read_text(encoding="utf-8")
_STEP = re.compile(r"^\$ hornblower (.*)\n((?:[^$\n].*\n)*)", re.MULTILINE)
_MISTAKE = re.compile(r"^\| `([^`]+)` \| (.*) \|$", re.MULTILINE)


def table() -> str:
    (found,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def steps() -> list[tuple[str, str]]:
    (session,) = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return _STEP.findall(session)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With the instances of docs/check.md, and no other solvers than our own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    (tmp_path / "counter.smt2").write_text(block_of_check("smt2"))
    (tmp_path / "unsafe.smt2").write_text(block_of_check("smt2").replace("(> x 3)", "(> x 2)"))
    return tmp_path


def test_the_example(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """From the command that writes a table to the answers; z3 lies elsewhere here."""
    assert 0 == main(["solvers", "describe", "my-z3"])
    path = folder / "solvers" / "described" / "my-z3.toml"
    assert f"{path}\n" == capfd.readouterr().out
    path.write_text(table().replace("/usr/bin/z3", OWN_Z3))
    assert 2 == len(steps())
    for command, shown in steps():
        assert 0 == main(command.split())
        said = capfd.readouterr().out.replace(OWN_Z3, "/usr/bin/z3").splitlines()
        assert comparable(shown) == comparable("\n".join(line for line in said if "my-z3" in line))


def keys() -> list[str]:
    structs = (Description, Verdicts, Witnesses, Supports, DescribedOption)
    return [name.replace("_", "-") for struct in structs for name in struct.__struct_fields__]


@pytest.mark.parametrize("word", [*keys(), *Form, *ModelFormat, *ProofFormat, *Theory, *Fairness])
def test_everything_is_explained(word: str) -> None:
    """Keys, formats, theories and standings."""
    assert f"`{word}`" in PAGE or f"[{word}]" in PAGE or f"[{word}." in PAGE


MISTAKES = [(line, message) for line, message in _MISTAKE.findall(PAGE) if " = " in line]


@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_mistakes_are_told_as_shown(line: str, message: str, tmp_path: Path) -> None:
    """Each planted into the example."""
    key = line.partition(" = ")[0]
    text, number = re.subn(rf"^{key} = .*$", lambda _: line, table(), flags=re.MULTILINE)
    if not number:
        text = f"{line}\n{text}" if key == "comand" else text.replace("[verdicts]\n", f"[verdicts]\n{line}\n")
    path = tmp_path / "my-z3.toml"
    path.write_text(text)
    with pytest.raises(BadDescription) as caught:
        read_description(path)
    assert str(caught.value).startswith(f"{path}: {message.removesuffix('…')}")


def test_there_are_mistakes() -> None:
    """Otherwise none would have been found on the page."""
    assert 5 == len(MISTAKES)
