"""The pages hang together: links lead somewhere, every page is on the map, modules that are named exist."""

import importlib.util
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
FLOORS = ("chc", "transformations", "backends", "knowledge_base", "daemon", "benchmarks")
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
_MODULE = re.compile(rf"`((?:{'|'.join(FLOORS)})(?:\.\w+)+)`")
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of the headings, as those who show Markdown make them."""
    headings = re.findall(r"^#+ (.*)$", _CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    """Links to files that do not exist, or to headings that their page does not have."""
    found = []
    for name, anchor in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        target = (page.parent / name) if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(f"{name}#{anchor}")
    return found


def is_importable(name: str) -> bool:
    """Whether this is a module, or something in one."""
    parent, _, last = name.rpartition(".")
    if importlib.util.find_spec(parent) is None:
        return False
    module = importlib.import_module(parent)
    return hasattr(module, last) or (hasattr(module, "__path__") and importlib.util.find_spec(name) is not None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """To a file, and to a heading in it."""
    assert [] == broken_links(page)


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    """To a missing page, and to a missing heading."""
    page = tmp_path / "page.md"
    page.write_text("# One thing\n[a](other.md) [b](#one-thing) [c](#two) [d](page.md#two) [e](https://example.com)\n")
    assert ["other.md#", "#two", "page.md#two"] == broken_links(page)


def test_every_page_is_on_the_map() -> None:
    """And nothing else of this directory is."""
    listed = {name for name, _ in _LINK.findall((DOCS / "index.md").read_text(encoding="utf-8")) if "/" not in name}
    assert {page.name for page in PAGES} - {"index.md"} == listed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_are_named_exist(page: Path) -> None:
    """With what is said to be in them; the worked example speaks of modules that the reader makes."""
    named = set(_MODULE.findall(page.read_text(encoding="utf-8")))
    assert set() == {name for name in named if not is_importable(name)}


def test_a_module_that_does_not_exist_is_seen() -> None:
    """Nor something that is not in a module."""
    assert [True, True, False, False, False] == [
        is_importable(name)
        for name in ("chc.terms", "chc.instance.Instance", "chc.nothing", "chc.instance.Nothing", "chc.no.thing")
    ]
