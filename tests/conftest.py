"""Fixtures that all tests may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from backends import princess_releases
from backends.java import missing

REPOSITORY = Path(__file__).resolve().parent.parent
OLD_PRINCESS = "2024-11-08"

# Where a change is accepted or refused, the same examples are tried each time; at a desk new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


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


@pytest.fixture(scope="session")
def princess_store() -> Path:
    """A store with the newest Princess and an older one, fetched once and kept for later runs of the tests."""
    if lacking := missing():
        pytest.skip(f"needs {' and '.join(lacking)}; as root: apt-get install default-jre-headless maven")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    store = cache / "hornblower" / "solvers-of-tests"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HORNBLOWER_SOLVERS", str(store))
        princess_releases.install(OLD_PRINCESS, print)
        if len(list(princess_releases.releases())) < 2:
            princess_releases.install("", print)
    return store


@pytest.fixture
def with_princess(princess_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Princess is what is installed, in two releases, and nothing else."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(princess_store))
