"""What we say of Spacer's options is what z3 says itself."""

import re
import subprocess

import pytest

from backends.spacer import SPACER
from backends.spacer_options import SEED, space

_PARAMETER = re.compile(r"^ *([\w.]+) \([\w ]+\).*\(default: ([^)]*)\)$", re.MULTILINE)
RELEASES = {each.version: each.program for each in SPACER.releases() if space(each.version)}
KNOWN = {version: RELEASES.get(version, "") for version in ("4.8.14", "4.13.4", *RELEASES)}


@pytest.mark.parametrize("version", KNOWN)
def test_names_and_defaults(version: str) -> None:
    """For each release that is installed."""
    if not KNOWN[version]:
        pytest.skip(f"not installed; type: hornblower solvers install spacer@{version}")
    said = subprocess.run([KNOWN[version], "-pm:fp"], capture_output=True, text=True, check=True).stdout
    defaults = {f"fp.{name}": default for name, default in _PARAMETER.findall(said)}
    assert {each.name: each.default for each in space(version)}.items() <= defaults.items()
    assert SEED in defaults


def test_there_is_a_space_for_our_own_release() -> None:
    """Otherwise nothing was compared above."""
    assert len(RELEASES) >= 1


def test_older_releases_lack_some() -> None:
    """And those of which nothing is known offer none."""
    old, new = ({each.name for each in space(version)} for version in ("4.8.14", "4.13.4"))
    assert {"fp.spacer.global", "fp.spacer.use_iuc"} < new - old
    assert old < new
    assert ((), ()) == (space("4.8.5"), space("path:/opt/z3-5.4.0/z3"))
    assert space("5.4.0") == space("5.4.0+1f0c3a9e")
