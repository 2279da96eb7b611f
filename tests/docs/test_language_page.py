"""What docs/language.md says about texts is what the reader does with them."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from chc.build import MAXIMAL_WIDTH
from chc.clausify import MOST_CLAUSES
from chc.lexer import Limits, ReadError
from chc.script import _QUESTIONS, _REFUSED, read_instance
from chc.witness import witness_to_json
from transformations.corpus import corpus

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
PREAMBLE = "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)\n"


def blocks(language: str) -> list[str]:
    """What stands in the blocks of this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def examples() -> Iterator[tuple[str, list[str]]]:
    """Each text with the lines below it: what is made of it, or why it is refused."""
    (listed,) = blocks("examples")
    for example in listed.strip().split("\n\n"):
        first, *rest = example.splitlines()
        assert first.startswith("in  ")
        yield first[4:], rest


def treatment(text: str) -> list[str]:
    """The clauses made of the text, or the reason for its refusal, as the page writes them."""
    try:
        lines = read_instance(PREAMBLE + text).text.splitlines()
    except ReadError as problem:
        return [f"no  {problem.message}"]
    return [f"out {line}" for line in lines if line.startswith("(assert")]


@pytest.mark.parametrize(("text", "expected"), list(examples()))
def test_the_reader_does_what_the_example_says(text: str, expected: list[str]) -> None:
    """It accepts, takes apart and refuses in these words."""
    assert expected == treatment(text)


def test_there_are_examples_of_both_kinds() -> None:
    """Otherwise the page would not have been read."""
    kinds = {line[:3] for _, lines in examples() for line in lines}
    assert {"out", "no "} == kinds


@pytest.mark.parametrize("command", sorted({*_QUESTIONS, *_REFUSED} - {"include"}))
def test_the_table_of_commands_is_complete(command: str) -> None:
    """What is skipped or refused on purpose is named; including files is among `anything else`."""
    assert f"`{command}`" in PAGE


def test_the_limits_are_those_of_the_reader() -> None:
    """As the command on the page prints them."""
    assert [f"{Limits()}\n"] == blocks("limits")
    assert MAXIMAL_WIDTH == 2**20
    assert MOST_CLAUSES == 4096


def test_the_address_is_that_of_the_text() -> None:
    """The text is in printed form already."""
    (text,) = blocks("address")
    assert text == read_instance(text).text
    assert f"has the address `{read_instance(text).address}`" in PAGE


def test_the_witnesses_are_those_of_the_corpus() -> None:
    """As JSON, whatever the line breaks."""
    stored = {each.name: each for each in corpus()}
    wanted = [witness_to_json(stored[name].witness) for name in ("lia-counter-sat", "lia-facts-only-unsat")]
    assert wanted == [msgspec.json.decode(text) for text in blocks("json")]
