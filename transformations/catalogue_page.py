"""The catalogue as a page for people, made from the transformations themselves so that it says what they do.

python -m transformations.catalogue_page > docs/transformations.md
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from chc.instance import Instance
from chc.model import Model
from chc.refutation import Refutation
from chc.witness import Truth
from transformations.catalogue import ENTRIES
from transformations.known import Known
from transformations.transformation import Entry

SECTIONS: Final = {
    "A": "sat to sat",
    "B": "unsat to unsat",
    "C": "preserving",
    "D": "fusion of two instances",
}
_INTRODUCTION: Final = """\
# The catalogue of transformations

This page is made from the code. Do not edit it; change the docstrings and type:

    .venv/bin/python -m transformations.catalogue_page > docs/transformations.md

Each transformation takes parents whose truth is certified and makes a child whose truth is known beforehand. *Takes*
lists the truths of parents for which something is promised, *promises* the truth of the child; for two parents it is
listed for each pair of their truths. *Looks at the witness* says whether it needs the parent's model or refutation; one
of a single parent that does not may also be applied to an instance of open truth, and then promises nothing. The text
below each name is its soundness argument, the docstring of its class.

[Adding a transformation](add-a-transformation.md) shows how one is written.
"""


def page(entries: Iterable[Entry] = ENTRIES) -> str:
    """The whole page, section by section, the entries of a section in the order of the catalogue."""
    listed = list(entries)
    parts = [_INTRODUCTION, _overview(listed)]
    for section, title in SECTIONS.items():
        parts.append(f"## {section}: {title}\n")
        parts.extend(_entry(entry) for entry in listed if entry.section == section)
    return "\n".join(parts)


def _overview(entries: Iterable[Entry]) -> str:
    rows = [
        "| name | section | takes | promises | looks at the witness |",
        "|---|---|---|---|---|",
        *(f"| {' | '.join(_cells(entry))} |" for entry in entries),
    ]
    return "\n".join(rows) + "\n"


def _cells(entry: Entry) -> Iterator[str]:
    yield f"[{entry.name}](#{_anchor(entry.name)})"
    yield entry.section
    yield _takes(entry)
    yield promised(entry)
    yield "yes" if entry.needs_witness else "no"


def _anchor(name: str) -> str:
    """The anchor that a heading of this name gets: signs are dropped, hyphens stay."""
    return "".join(sign for sign in name.lower() if sign.isalnum() or sign in "-_")


def _takes(entry: Entry) -> str:
    truths = " or ".join(truth.value for truth in Truth if truth in entry.takes)
    return truths if entry.arity == 1 else f"{entry.arity} parents, {truths}"


def promised(entry: Entry) -> str:
    """The truth of the child for each combination of truths of parents for which there is one, asked of the entry."""
    cases = ((truths, entry.promise([_known(truth) for truth in truths])) for truths in _combinations(entry))
    told = [(", ".join(truths), promise.value) for truths, promise in cases if promise is not None]
    if all(given == promise for given, promise in told):
        return "the same" if len(told) > 1 else told[0][1]
    return "; ".join(f"{given} → {promise}" for given, promise in told)


def _combinations(entry: Entry) -> Iterator[tuple[Truth, ...]]:
    return product(Truth, repeat=entry.arity)


def _known(truth: Truth) -> Known:
    """A parent of this truth; a promise looks at nothing else of it."""
    return Known(Instance((), (), (), ()), Model({}) if truth is Truth.sat else Refutation(()))


def _entry(entry: Entry) -> str:
    argument = inspect.cleandoc(type(entry).__doc__ or "")
    needs = "looks at the witness" if entry.needs_witness else "needs no witness"
    promises = promised(entry) if entry.arity == 1 else "what the table above says"
    facts = f"Takes {_takes(entry)}; promises {promises}; {needs}. Code: `{type(entry).__module__}`."
    return f"### {entry.name}\n\n{facts}\n\n{argument}\n"


if __name__ == "__main__":
    sys.stdout.write(page())
