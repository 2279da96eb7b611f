"""The texts that are measured: the largest files of a collection, one generated, and one that nests deep."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import msgspec

from benchmarks.random_script import random_script

SEEDS: Final = Path(__file__).resolve().parent.parent.parent / "shared" / "seeds"
MEGABYTE: Final = 1_000_000
GENERATED_CHARACTERS: Final = 5 * MEGABYTE
DEPTH: Final = 100_000
_LAYERS: Final = (("(+ x ", ")"), ("(- 7 ", ")"), ("(ite (< x 5) y ", ")"), ("(* 2 ", ")"))
"""Opening and closing of what one level of nesting is made of, one kind after the other."""


class Input(msgspec.Struct, frozen=True):
    """A text in CHC-COMP format, all of ASCII, so that a character is a byte."""

    name: str
    text: str

    @property
    def megabytes(self) -> float:
        return len(self.text) / MEGABYTE


class Inputs(msgspec.Struct, frozen=True):
    """All that is measured. `seeds` come largest first, and are empty where the collection is absent."""

    seeds: tuple[Input, ...]
    generated: Input
    nested: Input

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self.seeds else (f"{SEEDS} does not exist: its files are skipped",)


class Scale(msgspec.Struct, frozen=True):
    """How much is measured."""

    files: int = 6
    """Of the collection, this many of the largest have a row of their own."""
    repeats: int = 5
    queries: int = 100
    checked: int = 120
    """How many instances have a certificate made and checked, evenly drawn from all that there are."""
    hunted: int = 20_000
    """How many queries a hunt makes."""
    warm_queries: int = 2000
    """How many queries one server is asked in a row."""


FULL: Final = Scale()
QUICK: Final = Scale(files=3, repeats=1, queries=20, checked=12, hunted=300, warm_queries=100)


def make_inputs(directory: Path = SEEDS, characters: int = GENERATED_CHARACTERS, depth: int = DEPTH) -> Inputs:
    """The same texts on every machine that has the same collection."""
    generated = random_script(Random(1), characters)
    return Inputs(
        seeds=tuple(_files_of(directory)),
        generated=Input(f"generated, {len(generated) / MEGABYTE:.1f} MB", generated),
        nested=Input(f"nested {depth:,} deep", nested_script(depth)),
    )


def _files_of(directory: Path) -> list[Input]:
    files = sorted(directory.rglob("*.smt2"))
    found = [Input(_name(file), file.read_text(encoding="utf-8")) for file in files]
    return sorted(found, key=lambda each: len(each.text), reverse=True)


def _name(file: Path) -> str:
    """Without the folders of their origin, which the names of the collection begin with."""
    return file.stem.rpartition("__")[-1]


def nested_script(depth: int) -> str:
    """An instance with a term that has this many others around one another."""
    layers = [_LAYERS[number % len(_LAYERS)] for number in range(depth)]
    term = "".join([*(opening for opening, _ in layers), "x", *(closing for _, closing in reversed(layers))])
    return (
        "(set-logic HORN)\n(declare-fun P (Int) Bool)\n"
        f"(assert (forall ((x Int) (y Int)) (=> (= y {term}) (P y))))\n"
        "(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))\n(check-sat)\n"
    )


def evenly(items: list[Input], count: int) -> list[Input]:
    """So many of the items, or all, at equal distances."""
    if len(items) <= count:
        return items
    return [items[number * len(items) // count] for number in range(count)]
