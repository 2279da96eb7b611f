"""Theta, after its sources: samples of its log and of its file, and a program that writes them."""

from pathlib import Path

import pytest

from backends.answer import Configuration, Verdict
from backends.examination import Examiner, Standing
from backends.limits import Limits
from backends.process import Ending, Run
from backends.store import add, find
from backends.theta import THETA
from chc.script import read_instance

pytestmark = pytest.mark.anyio

LIMITS = Limits(wall_seconds=60.0, memory_mb=1000)
TWO_QUERIES = """(set-logic HORN)
(declare-fun |P 1| (Int) Bool)
(assert (|P 1| 0))
(assert (forall ((x Int)) (=> (|P 1| x) (|P 1| (+ x 1)))))
(assert (forall ((x Int)) (=> (and (|P 1| x) (< x 0)) false)))
(assert (forall ((x Int)) (=> (and (|P 1| x) (= x (- 7))) false)))
(check-sat)
"""
MODEL = """sat
(
   (define-fun |P 1| ((|x 0| Int)) Bool (or (exists ((k Int)) (and (>= k 0) (= |x 0| k))) (= |x 0| 0)))
   (define-fun |failed| () Bool (or false))
)
"""
PROGRAM = """#!/bin/sh
test "$1" = --version && echo "Theta 7.3.1" && exit
grep -q 'failed false' "$4" && mkdir -p results/today && cat > results/today/chc-answer.smt2 <<'END'
MODEL
END
echo '[INFO] writing'
echo '(SafetyResult Safe (Trace null))'
"""


def said(stdout: str, exit_code: int = 0, stderr: str = "") -> tuple[Verdict, str]:
    found = THETA.read(Run((), Ending.exited, exit_code, stdout=stdout.encode(), stderr=stderr.encode()))
    return found.verdict, found.detail


def test_verdicts() -> None:
    """From the log, from the wrapper, or from the exit code."""
    assert (Verdict.sat, "") == said("… (SafetyResult Safe (Trace …))\n")
    assert (Verdict.unsat, "") == said("… (SafetyResult Unsafe (Trace …))\n")
    assert (Verdict.unsat, "") == said("unsat\n; (SafetyResult Unsafe\n")
    assert Verdict.unknown is said("(SafetyResult Unknown)\n")[0]
    assert Verdict.memout is said("", 200)[0]
    assert Verdict.timeout is said("", 201)[0]
    assert THETA.read(Run((), Ending.exited, 209)).detail.startswith("(error")
    assert (Verdict.error, "no verdict, exit code 1: line 3: mismatched input") == said(
        "", 1, "line 3: mismatched input"
    )


@pytest.mark.parametrize(
    ("model", "standing"), [(MODEL, Standing.valid), (MODEL.replace(">=", "<="), Standing.invalid)]
)
async def test_the_model_in_its_file(
    model: str, standing: Standing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies somewhere below the folder of the run, speaks of one predicate more, and is judged like any other."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    program = tmp_path / "theta"
    program.write_text(PROGRAM.replace("MODEL", model.strip()))
    program.chmod(0o755)
    assert "7.3.1" == add("theta", str(program)).version
    instance = read_instance(TWO_QUERIES)
    path = tmp_path / "a.smt2"
    path.write_text(THETA.text_of(instance).replace("(and failed)", "(and failed false)"))
    answer = await THETA.ask(find("theta"), path, LIMITS)
    assert Verdict.sat is answer.verdict
    async with Examiner() as examiner:
        assert standing is (await examiner.examine_answer(instance, answer)).standing


def test_a_jar() -> None:
    """It is started by Java, in the memory of the query."""
    configuration = Configuration("theta", "7", "/theta/theta.jar", (("backend", "IC3"),))
    command = THETA.command(configuration, Path("/a.smt2"), LIMITS)
    assert ("java", "-XX:+UseSerialGC", "-Xmx750m", "-Xss120m", "-jar", "/theta/theta.jar") == command[:6]
    assert ("--backend", "IC3", "--smt-home", "/theta/solvers") == command[-4:]
