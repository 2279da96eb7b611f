"""What the tests of the service share."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from backends.answer import Configuration

Liar = Callable[..., Configuration]


@pytest.fixture
def z3() -> str:
    return str(Path(sys.executable).with_name("z3"))


@pytest.fixture
def liar(tmp_path: Path) -> Liar:
    """A Python program, given by its source, that stands in for z3."""

    def plant(source: str, *options: tuple[str, str]) -> Configuration:
        program = tmp_path / f"liar{len(list(tmp_path.glob('liar*')))}"
        program.write_text(f"#!{sys.executable} -SE\n{source}\n")
        program.chmod(0o755)
        return Configuration("spacer", f"path:{program}", str(program), options)

    return plant
