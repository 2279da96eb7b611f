"""What the tests of the service share."""

import sys
from pathlib import Path

import pytest


@pytest.fixture
def z3() -> str:
    return str(Path(sys.executable).with_name("z3"))
