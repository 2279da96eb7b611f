"""Suspects: a program that was replaced is another version, one that is gone is missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from backends.answer import Configuration
from daemon.suspects import Suspects, look, missing, turnover
from knowledge_base.store import open_knowledge_base


def planted(path: Path, words: str) -> str:
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o755)
    return f"spacer@path:{path}"


def labels(suspects: Suspects, *texts: str) -> list[str]:
    return [each.label for each in suspects.recognise(look(texts))]


def test_a_program_that_was_replaced_is_another_version(tmp_path: Path) -> None:
    """Also after a restart; the first one, when it comes back, has its old name."""
    program = tmp_path / "z3"
    name = planted(program, "echo sat")
    with open_knowledge_base(tmp_path / "state") as knowledge:
        suspects = Suspects(knowledge)
        assert [name] == labels(suspects, name)
        planted(program, "echo unsat # and more")
        (second,) = labels(suspects, name)
        assert second.startswith(f"{name}+")
        assert [second] == labels(Suspects(knowledge), name)
        planted(program, "echo sat")
        assert [name] == labels(suspects, name)


def test_one_that_is_gone_is_missing(tmp_path: Path) -> None:
    """And the others are still there."""
    here, gone = planted(tmp_path / "here", ""), f"spacer@path:{tmp_path / 'gone'}"
    with open_knowledge_base(tmp_path / "state") as knowledge:
        assert [here] == labels(Suspects(knowledge), here, gone)
    ((name, reason),) = missing(look((here, gone))).items()
    assert (gone, True) == (name, "ls -l" in reason)


def test_a_program_that_is_being_written_is_waited_for(tmp_path: Path) -> None:
    """Two looks have to find the same."""
    name = planted(tmp_path / "z3", "echo sat")
    with open_knowledge_base(tmp_path / "state") as knowledge:
        suspects = Suspects(knowledge)
        assert [False, True] == [suspects.settled(look((name,))) for _ in range(2)]
        planted(tmp_path / "z3", "echo sat, and some more")
        assert [False, True] == [suspects.settled(look((name,))) for _ in range(2)]


@pytest.mark.parametrize(("options", "has_heir"), [((), True), ((("a", "b"),), False)])
def test_who_takes_the_place_of_whom(options: tuple[tuple[str, str], ...], has_heir: bool) -> None:
    """The same solver with the same options."""
    stays, old = Configuration("spacer", "1", "/1"), Configuration("spacer", "2", "/2")
    new = Configuration("spacer", "3", "/2", options)
    change = turnover([stays, old], [stays, new])
    assert ((new,), (old,)) == (change.come, change.gone)
    assert (new if has_heir else None) == change.heir_of(old)
