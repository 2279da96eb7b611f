"""The page of the catalogue says what the code does, and the committed page is the one that the code makes."""

from pathlib import Path

from chc.witness import Truth
from transformations.catalogue import ENTRIES
from transformations.catalogue_page import SECTIONS, page, promised
from transformations.fusion import FuseStrong, FuseWeak
from transformations.preserving_cases import CaseSplit, StrengthenWithInvariant
from transformations.sat_plug import PlugModelLhs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "transformations.md"


class Careless(CaseSplit):
    """Promises that every child is sat.

    This is not so.
    """

    name = "careless"
    takes = frozenset((Truth.sat,))


def test_the_committed_page_is_up_to_date() -> None:
    """Whoever changes a docstring makes the page anew; the page says by which command."""
    assert page() == PAGE.read_text(encoding="utf-8")


def test_every_transformation_has_its_heading_in_its_section() -> None:
    """None is left out because its section has no title."""
    headings = [line for line in page().splitlines() if line.startswith("#")]
    expected = ["# The catalogue of transformations"]
    for section, title in SECTIONS.items():
        expected.append(f"## {section}: {title}")
        expected.extend(f"### {entry.name}" for entry in ENTRIES if entry.section == section)
    assert expected == headings
    assert len(ENTRIES) == sum(heading.startswith("### ") for heading in headings)


def test_an_entry_shows_what_it_takes_and_its_argument() -> None:
    """As its class says it, the docstring without its indentation."""
    text = page([Careless()])
    assert "Takes sat; promises sat; needs no witness. Code: `" in text
    assert "Promises that every child is sat.\n\nThis is not so.\n" in text
    assert "| [careless](#careless) | C | sat | sat | no |" in text


def test_promises_are_asked_of_the_code() -> None:
    """For fusions by pairs of truths."""
    assert "sat" == promised(PlugModelLhs()) == promised(StrengthenWithInvariant())
    assert "the same" == promised(CaseSplit())
    assert "sat, sat → sat; sat, unsat → unsat; unsat, sat → unsat; unsat, unsat → unsat" == promised(FuseStrong())
    assert "sat, sat → sat; sat, unsat → sat; unsat, sat → sat; unsat, unsat → unsat" == promised(FuseWeak())
