"""The pages of single solvers name their options, and what is never drawn, as the code has them."""

import re
from pathlib import Path

import pytest

from backends.adapters import ADAPTERS, OWN
from backends.golem_options import ENGINES
from backends.options import Fairness

DOCS = Path(__file__).resolve().parents[2] / "docs"
_CELL = re.compile(r"^\| ((?:`[^`]+`(?:, )?)+) \|(.*)\|$", re.MULTILINE)
_NAME = re.compile(r"`([^`]+)`")


def table_of(page: str) -> dict[str, set[str]]:
    """The words in each row, by the options that it begins with."""
    rows = _CELL.findall((DOCS / page).read_text(encoding="utf-8"))
    return {name: set(_NAME.findall(words)) for names, words in rows for name in _NAME.findall(names)}


@pytest.mark.parametrize("solver", ["eldarica", "golem"])
def test_options(solver: str) -> None:
    """Every option that may be drawn has a row with its values; every other one is named below, or its value is."""
    table = table_of(f"{solver}.md")
    text = (DOCS / f"{solver}.md").read_text(encoding="utf-8")
    for option in ADAPTERS[solver].option_space("1.0"):
        if option.fairness is Fairness.forbidden:
            named = [option.name, *(f"{option.name}={value}" for value in option.values), *option.values]
            assert any(f"`{name}`" in text for name in named), option.name
        else:
            assert set(option.values) <= table[option.name], option.name


def test_engines() -> None:
    """All of Golem's are on its page."""
    assert set(ENGINES) <= table_of("golem.md")["engine"]


OTHERS = ["cvc5", "princess", "hoice", "theta", "loat"]


def section(solver: str) -> str:
    """What the page of the other solvers says of one."""
    text = (DOCS / "other-solvers.md").read_text(encoding="utf-8")
    (found,) = (part for part in text.split("\n## ") if part.lower().startswith(f"{solver}\n"))
    return found


@pytest.mark.parametrize("solver", OTHERS)
def test_options_of_the_others(solver: str) -> None:
    """Every option is named with all of its values, drawn or not; and the one for the seed."""
    named = set(re.findall(r"`([^`]+)`", section(solver)))
    adapter = ADAPTERS[solver]
    for option in adapter.option_space("1.0"):
        assert option.name in named or any(each.startswith(f"{option.name}=") for each in named), option.name
        assert all(named & {value, f"{option.name}={value}"} for value in option.values), option.name
    assert adapter.seed_option is None or adapter.seed_option in named


def test_every_solver_has_its_place() -> None:
    """In the table of the other solvers, or a page of its own."""
    text = (DOCS / "other-solvers.md").read_text(encoding="utf-8")
    assert set() == {name for name in OWN if f"`{name}`" not in text} - {"eldarica", "golem", "spacer"}
