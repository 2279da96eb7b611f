"""The pages that are made from the code are those that the code makes."""

from pathlib import Path

import pytest

from daemon import config_page, events_page
from daemon.config import options
from daemon.documented import words_of
from daemon.events_page import all_events

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(("name", "page"), [("events", events_page.page()), ("configuration", config_page.page())])
def test_the_committed_page_is_up_to_date(name: str, page: str) -> None:
    """Made anew with: python -m daemon.events_page > docs/events.md, and config_page likewise."""
    assert page == (DOCS / f"{name}.md").read_text(encoding="utf-8")


def test_every_event_has_a_section_of_its_own() -> None:
    """By its name on the wire, which no other has."""
    names = [str(each.__struct_config__.tag) for each in all_events()]
    assert len(set(names)) == len(names)
    assert {"query", "finding", "truth", "unwell", "errand"} <= set(names)
    for name in names:
        assert f"## `{name}`" in events_page.page()


@pytest.mark.parametrize("event", all_events(), ids=lambda each: each.__name__)
def test_no_field_hides_what_every_line_has(event: type) -> None:
    """Nor `event`, which is the tag."""
    assert set() == {"event", "at", "level", "v"} & set(words_of(event))


def test_every_option_is_explained() -> None:
    """In words, wherever it stands."""
    assert [] == [name for name, _, words in options() if len(words) < 10]
