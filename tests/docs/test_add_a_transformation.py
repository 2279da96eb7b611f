"""The worked example of docs/add-a-transformation.md does what the page says."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "add-a-transformation.md"
_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MODULE, TRIAL, TESTS = (
    "transformations/preserving_naming.py",
    "try it",
    "tests/transformations/test_preserving_naming.py",
)


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and content of each block of code, in the order of the page."""
    return [(language, content) for language, content in _BLOCK.findall(page)]


def code(title: str) -> str:
    """The Python block whose first line is this title, as a comment."""
    (found,) = (text for language, text in blocks(PAGE.read_text("utf-8")) if text.startswith(f"# {title}\n"))
    return found


Execute = Callable[[str, str], ModuleType]


@pytest.fixture
def execute(monkeypatch: pytest.MonkeyPatch) -> Execute:
    """Runs the block of this title as a module of this name, which can be imported until the test ends."""

    def run(title: str, name: str) -> ModuleType:
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)  # classes look their annotations up there
        exec(compile(code(title), f"{PAGE.name}: {title}", "exec"), module.__dict__)
        return module

    return run


@pytest.fixture
def example(execute: Execute) -> ModuleType:
    """The module of the example."""
    return execute(MODULE, "transformations.preserving_naming")


@pytest.mark.usefixtures("example")
def test_the_trial_prints_what_the_page_shows(execute: Execute, capsys: pytest.CaptureFixture[str]) -> None:
    """To the letter."""
    (shown,) = (text for language, text in blocks(PAGE.read_text("utf-8")) if language == "text")
    execute(TRIAL, "trial_of_the_page")
    assert shown == capsys.readouterr().out


@pytest.mark.usefixtures("example")
def test_the_tests_of_the_page_pass(execute: Execute) -> None:
    """Each of them is run; they call the oracle."""
    module = execute(TESTS, "tests_of_the_page")
    tests: dict[str, Callable[[], None]] = {
        name: value for name, value in vars(module).items() if name.startswith("test_")
    }
    assert 3 == len(tests)
    for test in tests.values():
        test()


def test_every_block_of_python_is_run() -> None:
    """A block that nobody runs would rot."""
    titles = [text.partition("\n")[0] for language, text in blocks(PAGE.read_text("utf-8")) if language == "python"]
    assert [f"# {title}" for title in (MODULE, TRIAL, TESTS)] == titles
