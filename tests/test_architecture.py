"""The packages import downwards only, and no file names the host of a package registry."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

FLOORS = ("chc", "transformations", "backends", "knowledge_base", "daemon")
"""From the ground up. A package may import from itself and from those before it."""

BESIDE_THE_HOUSE = ("benchmarks", "tests")
"""These may import from every floor, and no floor may import from them."""

# Put together from pieces, so that this file passes its own test.
REGISTRY_HOSTS = tuple(
    ".".join(labels)
    for labels in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("repo1", "maven", "org"),
        ("repo", "maven", "apache", "org"),
        ("registry", "npmjs", "org"),
        ("crates", "io"),
        ("deb", "debian", "org"),
    )
)

TEXT_NAMES = {"Makefile", "LICENSE", ".gitignore", "run"}
TEXT_SUFFIXES = {".py", ".md", ".toml", ".lock", ".sh", ".service"}
CACHES = {".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__"}
PRODUCTS = {"build", "dist", "state"}
"""Left out at the top only: further down these are ordinary names."""


def imported_packages(source: str) -> Iterator[tuple[int, str]]:
    """The line and the top-level package of each absolute import; relative ones stay in their package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]


def upward_imports(root: Path) -> list[str]:
    """One line, `file:line imports package`, for each import from a higher floor or from beside the house."""
    found = []
    for floor, package in enumerate(FLOORS):
        forbidden = {*FLOORS[floor + 1 :], *BESIDE_THE_HOUSE}
        for path in sorted((root / package).rglob("*.py")):
            for line, name in imported_packages(path.read_text(encoding="utf-8")):
                if name in forbidden:
                    found.append(f"{path.relative_to(root)}:{line} imports {name}")
    return found


def text_files(root: Path) -> Iterator[Path]:
    """The files below the root that look as if they were tracked and written by hand or by a lock tool."""
    for directory, subdirectories, names in os.walk(root):
        untracked = CACHES | PRODUCTS if Path(directory) == root else CACHES
        subdirectories[:] = sorted(set(subdirectories) - untracked)
        for name in sorted(names):
            path = Path(directory, name)
            if name in TEXT_NAMES or path.suffix in TEXT_SUFFIXES:
                yield path


def registry_mentions(root: Path) -> list[str]:
    """One line, `file:line names host`, for each mention of a registry host."""
    found = []
    for path in text_files(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for host in REGISTRY_HOSTS:
                if host in line.lower():
                    found.append(f"{path.relative_to(root)}:{number} names {host}")
    return found


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_every_floor_exists() -> None:
    """A renamed package would otherwise escape the test of the imports."""
    assert [] == [package for package in FLOORS if not (REPOSITORY / package / "__init__.py").is_file()]


def test_imports_point_downwards() -> None:
    """No package imports from one above it, nor from the tests or the benchmarks."""
    assert [] == upward_imports(REPOSITORY)


@pytest.mark.parametrize(
    "statement",
    [
        "import daemon",
        "import daemon.cli.main as cli",
        "from daemon import cli",
        "from daemon.cli.main import main",
        "def late():\n    import daemon",
        "if TYPE_CHECKING:\n    from daemon import cli",
        "from benchmarks import measure",
    ],
)
def test_a_planted_upward_import_is_caught(tmp_path: Path, statement: str) -> None:
    """Every form of import is seen, also inside a function or a condition."""
    write(tmp_path / "chc" / "terms" / "node.py", statement)
    assert 1 == len(upward_imports(tmp_path))


def test_downward_and_relative_imports_are_allowed(tmp_path: Path) -> None:
    """A package may skip floors downwards, and a module of its own may be called like a package above."""
    write(tmp_path / "daemon" / "core.py", "import chc.terms\nfrom knowledge_base import lineage")
    write(tmp_path / "chc" / "reader.py", "from . import daemon\nfrom .daemon import x\nimport os")
    assert [] == upward_imports(tmp_path)


def test_no_file_names_a_registry() -> None:
    """Which registry to use is a matter of the machine's configuration, not of the project."""
    assert [] == registry_mentions(REPOSITORY)


@pytest.mark.parametrize("host", REGISTRY_HOSTS)
@pytest.mark.parametrize("name", ["a.py", "docs/a.md", "requirements.lock", "Makefile", "systemd/a.service"])
def test_a_planted_registry_is_caught(tmp_path: Path, host: str, name: str) -> None:
    """Each host is found in each kind of file, whatever the case of its letters."""
    write(tmp_path / name, f"one\n# https://{host.upper()}/simple\n")
    assert [f"{name}:2 names {host}"] == registry_mentions(tmp_path)


def test_untracked_directories_are_not_read(tmp_path: Path) -> None:
    """What is installed in the environment may name whatever it likes; a module called state may not."""
    write(tmp_path / ".venv" / "lib" / "pip.py", REGISTRY_HOSTS[0])
    write(tmp_path / "state" / "report.md", REGISTRY_HOSTS[0])
    write(tmp_path / "daemon" / "state" / "core.py", REGISTRY_HOSTS[0])
    assert [f"daemon/state/core.py:1 names {REGISTRY_HOSTS[0]}"] == registry_mentions(tmp_path)
