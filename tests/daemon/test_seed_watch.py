"""Watched directories: what is new is taken once, when nobody writes to it any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.seed_watch import Print, SeedWatch, read, scan


def test_a_file_is_taken_once_it_rests() -> None:
    """And again when it has changed."""
    watch = SeedWatch()
    looks = [{"a": Print(1, 1)}, {"a": Print(2, 2)}, {"a": Print(2, 2)}, {"a": Print(2, 2)}, {"a": Print(2, 3)}]
    assert [[], [], ["a"], [], []] == [watch.new(seen) for seen in looks]
    assert ["a"] == watch.new({"a": Print(2, 3)})


def test_a_file_that_comes_back_is_taken_again() -> None:
    """What has gone is forgotten, so that nothing grows."""
    watch = SeedWatch()
    seen = {"a": Print(1, 1)}
    assert [[], ["a"], [], [], ["a"]] == [watch.new(each) for each in (seen, seen, {}, seen, seen)]


def test_what_may_be_a_seed(tmp_path: Path) -> None:
    """Whatever ends in .smt2, at any depth; a directory that is gone has none."""
    (tmp_path / "deep").mkdir()
    for name in ("a.smt2", "b.txt", "deep/c.smt2"):
        (tmp_path / name).write_text("x")
    (tmp_path / "dangling.smt2").symlink_to("nothing")
    assert {str(tmp_path / "a.smt2"), str(tmp_path / "deep" / "c.smt2")} == set(scan([str(tmp_path), "/nowhere"]))


@pytest.mark.parametrize(
    ("content", "problem"), [(b"x" * 2000, "more than [seeds] largest_kb"), (b"\xff", "not text in UTF-8")]
)
def test_what_cannot_be_read_says_why(content: bytes, problem: str, tmp_path: Path) -> None:
    """With the name of the file."""
    path = tmp_path / "a.smt2"
    path.write_bytes(content)
    found = read(str(path), 1)
    assert problem in found.problem
    assert str(path) in found.problem
    assert "cannot be read" in read(str(tmp_path / "none"), 1).problem
