"""Real instances: each reads, prints and reads back the same, and z3 says the same of both texts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from chc.script import read_instance

Z3: Final = Path(sys.executable).with_name("z3")
SAMPLE: Final = 25
SECONDS: Final = 1
DECIDED: Final = ("sat", "unsat")


def texts(shared_dir: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each instance, in a fixed order."""
    for directory in (shared_dir / "seeds", shared_dir / "recordings" / "tiny"):
        for path in sorted(directory.rglob("*.smt2")):
            yield str(path.relative_to(shared_dir)), path.read_text(encoding="utf-8")


@pytest.mark.shared
def test_every_instance_survives_printing(shared_dir: Path) -> None:
    """All theories of the competition, and some corners; the same clauses, text and address."""
    count = 0
    for name, text in texts(shared_dir):
        instance = read_instance(text, name)
        again = read_instance(instance.text, name)
        assert instance == again, name
        assert (instance.text, instance.address) == (again.text, again.address), name
        count += 1
    assert count >= 200


def verdict(text: str) -> str:
    """What z3 says first: a verdict, or that time is up."""
    command = [str(Z3), f"-T:{SECONDS}", "fp.engine=spacer", "-in"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return run.stdout.partition("\n")[0]


@pytest.mark.shared
@pytest.mark.slow
def test_z3_says_the_same_of_both_texts(shared_dir: Path) -> None:
    """Wherever it decides both within the limit, which it does for most of the small ones."""
    by_size = sorted(texts(shared_dir), key=lambda item: (len(item[1]), item[0]))
    small = by_size[: len(by_size) // 2]
    sample = small[:: len(small) // SAMPLE][:SAMPLE]
    pairs = {name: (verdict(text), verdict(read_instance(text).text)) for name, text in sample}
    decided = {name: pair for name, pair in pairs.items() if set(pair) <= set(DECIDED)}
    assert {} == {name: pair for name, pair in decided.items() if pair[0] != pair[1]}
    assert {} == {name: pair for name, pair in pairs.items() if any(word.startswith("(error") for word in pair)}
    assert len(decided) > SAMPLE // 2
