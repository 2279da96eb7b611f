"""cvc5 as a solver of Horn clauses: both of its sides, and what it prints."""

import sys
from pathlib import Path

import pytest

from backends.adapter import Said
from backends.answer import Answer, Configuration, Verdict
from backends.cvc5 import CVC5_SOLVER as CVC5
from backends.examination import Examiner, Standing
from backends.limits import Limits
from backends.places import InstallError
from backends.process import Ending, Run
from backends.store import find, parse_solver
from chc.script import read_instance

pytestmark = pytest.mark.anyio

AMPLE = Limits(wall_seconds=100.0, memory_mb=2048)
CONSTANT = "(set-logic HORN)(declare-fun P ((Array Int Int)) Bool)(assert (P ((as const (Array Int Int)) 1)))"


@pytest.fixture(autouse=True)
def no_solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the cvc5 of the environment is there."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))


async def ask(tmp_path: Path, text: str, solver: str = "cvc5") -> Answer:
    path = tmp_path / "instance.smt2"
    path.write_text(CVC5.text_of(read_instance(text)))
    return await CVC5.ask(parse_solver(solver), path, AMPLE)


async def test_model(tmp_path: Path, horn_sat: str) -> None:
    """By synthesis; it is certified."""
    answer = await ask(tmp_path, horn_sat.replace("(get-model)", ""))
    assert Verdict.sat is answer.verdict
    async with Examiner() as examiner:
        assert Standing.valid is (await examiner.examine_answer(read_instance(horn_sat), answer)).standing


@pytest.mark.parametrize("solver", ["cvc5", "cvc5,full-saturate-quant=true", "cvc5,enum-inst=true,seed=3"])
async def test_refutation(tmp_path: Path, horn_unsat: str, solver: str) -> None:
    """By instantiation; it shows none that we could read."""
    answer = await ask(tmp_path, horn_unsat, solver)
    assert (Verdict.unsat, None, None) == (answer.verdict, answer.model_text, answer.proof_text)
    assert parse_solver(solver) == answer.configuration


async def test_one_side_only(tmp_path: Path, horn_sat: str) -> None:
    """Whoever chooses a side gets one run; what is printed after unknown is no model."""
    answer = await ask(tmp_path, horn_sat.replace("(get-model)", ""), "cvc5,enum-inst=true")
    assert (Verdict.unknown, None) == (answer.verdict, answer.model_text)


async def test_constant_arrays(tmp_path: Path) -> None:
    """It takes them."""
    answer = await ask(tmp_path, CONSTANT + "(check-sat)", "cvc5,full-saturate-quant=true")
    assert Verdict.error is not answer.verdict, answer.detail


def test_finding() -> None:
    """The one of the environment is there, and says its version; others are registered."""
    own = find("cvc5")
    assert own.version == CVC5.version_of(own.program)
    assert CVC5.version_of(sys.executable) is None
    with pytest.raises(InstallError, match="hornblower solvers add cvc5"):
        CVC5.install("1.0.3", lambda _: None)


def test_a_program_takes_flags(tmp_path: Path) -> None:
    """The executable has other words for what is true or false than the library."""
    configuration = Configuration("cvc5", "1.0.3", "/cvc5", (("mbqi", "true"), ("cegqi", "false"), ("seed", "1")))
    command = CVC5.command(configuration, Path("/a.smt2"), AMPLE)
    assert ("--mbqi", "--no-cegqi", "--seed=1", "/a.smt2") == command[-4:]
    program = tmp_path / "cvc5"
    program.write_text("#!/bin/sh\necho 'This is cvc5 version 1.0.3 [git ...]'\n")
    program.chmod(0o755)
    assert "1.0.3" == CVC5.version_of(str(program))


MODEL = "(\n(define-fun P ((arg0 Int)) Bool (not (>= arg0 3)))\n)\n"
SAID = {
    "a model": (f"sat\n{MODEL}", Said(Verdict.sat, "", f"\n{MODEL}")),
    "no model": (f"unknown\n{MODEL}", Said(Verdict.unknown)),
    "no model to get": ('unsat\n(error "cannot get model")\n', Said(Verdict.unsat)),
    "no problem for synthesis": (
        '(error "Translated to sygus, but failed to show problem to be satisfiable with --sygus-inference=on")\n',
        Said(
            Verdict.error,
            '(error "Translated to sygus, but failed to show problem to be satisfiable with --sygus-inference=on")',
        ),
    ),
}


@pytest.mark.parametrize(("stdout", "said"), SAID.values(), ids=SAID)
def test_what_it_says(stdout: str, said: Said) -> None:
    """A model counts after sat only."""
    assert said == CVC5.read(Run((), Ending.exited, 0, stdout=stdout.encode()))
