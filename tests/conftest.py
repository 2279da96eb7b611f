"""Fixtures that all tests may use."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, the only event loop that the daemon uses."""
    return "asyncio"


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The collection of instances and recordings beside the repository, or a skip where there is none."""
    directory = REPOSITORY.parent / "shared"
    if not directory.is_dir():
        pytest.skip(f"needs instances and recordings in {directory}, which does not exist")
    return directory
