"""Releases of solvers side by side, and the spelling of solvers."""

import subprocess
from pathlib import Path

import pytest

from backends import store
from backends.answer import Configuration
from backends.places import BadSolver, InstallError, SolverMissing, directory
from backends.spacer import SPACER


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, so that no test sees or touches the user's."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    return tmp_path / "solvers" / "spacer"


def plant(home: Path, version: str) -> str:
    program = home / version / "bin" / "z3"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho Z3 version {version} - 64 bit\n")
    program.chmod(0o755)
    return str(program)


def test_own_z3_is_always_there(z3: str) -> None:
    """Without anything installed, the z3 of the environment is the one to ask, and the cvc5."""
    own, *others = store.installed()
    assert [("cvc5", True), ("z3-bmc", True), ("z3-datalog", True)] == [(each.solver, each.is_own) for each in others]
    assert ("spacer", z3, True) == (own.solver, own.program, own.is_own)
    assert Configuration("spacer", own.version, z3) == store.find("spacer")


def test_releases_are_ordered_by_number(home: Path) -> None:
    """4.13 is newer than 4.9, and the newest is the one meant by the bare name."""
    for version in ("4.13.4", "4.9.1", "99.0.0"):
        plant(home, version)
    versions = [each.version for each in store.installed()]
    assert ["4.9.1", "4.13.4"] == versions[:2]
    assert "99.0.0" == store.find("spacer").version


def test_unfinished_installations_do_not_count(home: Path) -> None:
    """Neither a temporary directory nor a release without its program is listed."""
    (home / ".new-xyz" / "4.13.4").mkdir(parents=True)
    (home / "4.13.4").mkdir()
    assert 1 == len([each for each in store.installed() if each.solver == "spacer"])


def test_missing_release_says_what_to_type() -> None:
    """The message can be copied to the command line."""
    with pytest.raises(SolverMissing) as caught:
        store.parse_solver("spacer@4.13.4")
    expected = "spacer@4.13.4 is not installed; type: hornblower solvers install spacer@4.13.4"
    assert expected == str(caught.value)


def test_parse_release_with_options(home: Path) -> None:
    """Options keep their order, and z3's spellings of one name become one."""
    program = plant(home, "4.13.4")
    options = (("fp.xform.slice", "false"), ("fp.spacer.gpdr", "true"))
    expected = Configuration("spacer", "4.13.4", program, options)
    assert expected == store.parse_solver("spacer@4.13.4,fp.xform.slice=false,fp.spacer.gpdr=true")
    assert expected == store.parse_solver("spacer@4.13.4, FP.xform.slice=false, fp.spacer.gpdr=true")


def test_parse_bare_name_with_options() -> None:
    """The version may be left out before options too."""
    configuration = store.parse_solver("spacer,fp.xform.inline-eager=false")
    assert (("fp.xform.inline_eager", "false"),) == configuration.options
    assert store.find("spacer").program == configuration.program


def test_parse_program(home: Path) -> None:
    """Any program that behaves like z3 can stand in for it."""
    program = plant(home, "4.13.4")
    expected = Configuration("spacer", f"path:{program}", program, (("a", "1"),))
    assert expected == store.parse_solver(f"spacer@path:{program},a=1")


@pytest.mark.parametrize("text", ["spacer@path:/nowhere/z3", "spacer@path:/tmp"])
def test_program_that_cannot_be_run(text: str) -> None:
    """It is said before the first query, not by each of them."""
    with pytest.raises(SolverMissing, match="is not a program"):
        store.parse_solver(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@4.13.4",
        "spacex",
        "spacer@",
        "spacer@latest",
        "spacer@../..",
        "spacer@path:z3",
        "spacer,",
        "spacer,slice",
        "spacer,=false",
        "spacer,-in=1",
        "spacer,a=1,a=2",
        "spacer fp.xform.slice=false",
    ],
)
def test_bad_spelling_is_answered_with_an_example(text: str) -> None:
    """Whatever was meant, the message shows how it is written."""
    with pytest.raises(BadSolver, match=r"spacer@4\.13\.4"):
        store.parse_solver(text)


@pytest.mark.parametrize("text", ["spacer", "spacer@", "spacer@../4.13.4", "spacer@path:/bin/sh", "nobody@1.0"])
def test_only_releases_are_installed(text: str) -> None:
    """What is installed or removed needs its version, which is no path."""
    with pytest.raises(BadSolver):
        store.parse_release(text)


def test_remove(home: Path) -> None:
    """Only what the store holds can be removed."""
    plant(home, "4.13.4")
    SPACER.remove("4.13.4")
    assert not (home / "4.13.4").exists()
    with pytest.raises(InstallError, match="is not installed"):
        SPACER.remove("4.13.4")
    with pytest.raises(InstallError, match="cannot be removed"):
        SPACER.remove(store.find("spacer").version)


def test_place_of_the_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The variable of our own wins over that of the desktop, and that over the home directory."""
    assert tmp_path / "solvers" == directory()
    monkeypatch.delenv("HORNBLOWER_SOLVERS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert tmp_path / "data" / "hornblower" / "solvers" == directory()
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tmp_path / ".local" / "share" / "hornblower" / "solvers" == directory()


@pytest.mark.slow
def test_install_a_real_release(home: Path) -> None:
    """The program answers, the second time nothing is fetched, and no scraps stay behind."""
    said: list[str] = []
    release = SPACER.install("4.13.4", said.append)
    shown = subprocess.run([release.program, "--version"], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("Z3 version 4.13.4")
    assert release == SPACER.install("4.13.4", said.append)
    assert "installed already" in said[-1]
    assert ["4.13.4"] == [path.name for path in home.iterdir()]
    assert release.program == store.parse_solver("spacer@4.13.4").program


@pytest.mark.slow
def test_install_a_release_that_does_not_exist(home: Path) -> None:
    """The message lists those that do, and nothing is left behind."""
    with pytest.raises(InstallError, match=r"no ready-made spacer@4\.99\.0.*4\.13\.4"):
        SPACER.install("4.99.0", lambda _: None)
    assert [] == list(home.iterdir())
