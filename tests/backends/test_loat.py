"""LoAT, after its sources: samples of what it prints, and programs that print them."""

from pathlib import Path

import pytest

from backends.answer import Answer, Configuration, Verdict
from backends.examination import Examiner, Standing
from backends.limits import Limits
from backends.loat import LOAT
from backends.process import Ending, Run
from backends.store import add, find
from chc.script import read_instance

pytestmark = pytest.mark.anyio

COUNT = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))
(check-sat)
"""
VERSIONS = "LoAT: 6355516\nYices: 2.6.5\nSwInE: 0.1\nZ3: 4.13.0\nPoly: 0.2\n"
MODEL = "((define-fun P ((i0 Int)) Bool\n  (exists ((n Int)) (and (= i0 n) (>= n 0)))))\n"
REFUTATION = "clauses:\n\t0\tP(0)\n\t\toriginal clause (modulo variable renaming)\nproof:\n\t0\tP(0) by 0\n"
PLAIN = Configuration("loat", "6355516", "/loat")


def answer(stdout: str, exit_code: int = 0, stderr: str = "") -> Answer:
    result = Run((), Ending.exited, exit_code, stdout=stdout.encode(), stderr=stderr.encode())
    said = LOAT.read(result)
    return Answer(PLAIN, (), said.verdict, 0.1, 0.1, 1.0, said.detail, said.model_text, said.proof_text)


async def test_models() -> None:
    """They end where the versions begin; a wrong one is seen."""
    instance = read_instance(COUNT)
    async with Examiner() as examiner:
        right = await examiner.examine_answer(instance, answer(f"sat\n\n{MODEL}\n{VERSIONS}"))
        wrong = await examiner.examine_answer(instance, answer(f"sat\n\n{MODEL}\n{VERSIONS}".replace(">=", "<=")))
        none = await examiner.examine_answer(instance, answer(f"sat\n\n\n{VERSIONS}"))
    assert (Standing.valid, Standing.invalid, Standing.absent) == (right.standing, wrong.standing, none.standing)


def test_verdicts() -> None:
    """The accelerated steps of a refutation are not read."""
    found = answer(f"unsat\n\n{REFUTATION}\n{VERSIONS}")
    assert (Verdict.unsat, None, None) == (found.verdict, found.model_text, found.proof_text)
    assert Verdict.unknown is answer(f"unknown\n\n{VERSIONS}").verdict
    assert "Error: no mode" in answer("Error: no mode\n", 1).detail


def test_what_it_is_asked() -> None:
    """Linear clauses over integers."""
    assert LOAT.refusal(read_instance(COUNT)) is None
    reals = COUNT.replace("Int", "Real").replace(" 0)", " 0.0)").replace(" 1)", " 1.0)")
    assert "loat does not support Real" == LOAT.refusal(read_instance(reals))
    options = (("engine", "kind"), ("abmc::blocking_clauses", "false"))
    command = LOAT.command(Configuration("loat", "1", "/loat", options), Path("/a.smt2"), Limits(1.0))
    expected = "/loat --mode safety --proof --engine kind --abmc::blocking_clauses false /a.smt2"
    assert tuple(expected.split()) == command


async def test_a_program_that_prints_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is registered under the version that it tells behind every answer."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    program = tmp_path / "loat-static"
    program.write_text(f"#!/bin/sh\ntest \"$1 $2\" = '--mode safety' && printf 'unsat\\n\\n{VERSIONS}'\n")
    program.chmod(0o755)
    assert "6355516" == add("loat", str(program)).version
    path = tmp_path / "a.smt2"
    path.write_text(LOAT.text_of(read_instance(COUNT)))
    assert Verdict.unsat is (await LOAT.ask(find("loat"), path, Limits(wall_seconds=60.0))).verdict
