"""What z3 logs, read as a trace: from samples of two releases, and from the z3 that is here."""

from pathlib import Path

import pytest

from backends.answer import Answer, Configuration, Verdict
from backends.limits import Limits
from backends.spacer import SPACER
from backends.spacer_trace import read_log
from backends.trace import Trace
from tests.backends.test_trace import transitions

pytestmark = pytest.mark.anyio

AMPLE = Limits(wall_seconds=100.0)
NEW = """(transform N7datalog13mk_coi_filterE...no-op 0s)
(transform N7datalog25mk_interp_tail_simplifierE...4 rules 0s)
(transform N7datalog15mk_rule_inlinerE...3 rules 0.01s)
expand: query!0 (0, 0) FAR  w(0) 1. F 0.01
(spacer::context::check_reachability :time 0.01 :before-memory 20.46 :after-memory 20.75)
Entering level 1
expand: query!0 (1, 0) FAR  w(0) 1.
\tcreate_child: a (b) c (0, 1) FAR 317 U 0.00
expand: a (b) c (0, 12) SUB CONJ w(0) 317. T 0.00
is-reachable: query!0 (1, 0) FAR 1 T 0.00
Propagating: 0 1 2  ! 3 
something else
"""
OLD = """Entering level 1
expand: query!0 (1, 0) FAR  w(0) 1(smt.stats :restarts     :decisions   :clauses/bin :simplify  :memory)
(smt.stats    0     21    214   1110   184/0    42    0    0   20.33)
. F 0.00
Propagating: 0 (smt.stats    0     21    214   1110   184/0    42    0    0   20.33)
1  ! 2 
"""
COUNTING = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall (({x} Int)) (=> (= {x} 0) (P {x}))))
(assert (forall (({x} Int)) (=> (and (P {x}) (< {x} 5)) (P (+ {x} 1)))))
(assert (forall (({x} Int)) (=> (and (P {x}) (> {x} {most})) false)))
(check-sat)
"""


def states(trace: Trace | None) -> set[str]:
    assert trace is not None
    return set(trace.states)


def test_a_log_of_a_new_release() -> None:
    """Steps that change nothing, names, times and numbers of terms are dropped; what is no step is kept apart."""
    logged = read_log(NEW)
    assert {
        ("", "interp_tail_simplifier +4", 1),
        ("interp_tail_simplifier +4", "rule_inliner -1", 1),
        ("rule_inliner -1", "expand 0 0 FAR F", 1),
        ("expand 0 0 FAR F", "level 1", 1),
        ("level 1", "expand 1 0 FAR -", 1),
        ("expand 1 0 FAR -", "create_child 0 1 FAR U", 1),
        ("create_child 0 1 FAR U", "expand 0 8 SUB CONJ T", 1),
        ("expand 0 8 SUB CONJ T", "is-reachable 1 0 FAR T", 1),
        ("is-reachable 1 0 FAR T", "propagate 3", 1),
    } == transitions(logged.trace)
    assert "something else" == logged.rest.strip()


def test_a_log_of_an_older_release() -> None:
    """The SMT core speaks in the middle of its lines."""
    logged = read_log(OLD)
    assert {"", "level 1", "expand 1 0 FAR F", "propagate 2"} == states(logged.trace)
    assert "" == logged.rest.strip()


def test_what_is_no_log() -> None:
    """It is left as it was."""
    assert (None, "ERROR: unknown parameter") == (read_log(words := "ERROR: unknown parameter").trace, words)


async def asked(z3: str, folder: Path, *, x: str = "x", most: int = 9, has_trace: bool = True) -> Answer:
    path = folder / "instance.smt2"
    path.write_text(COUNTING.format(x=x, most=most))
    return await SPACER.ask(Configuration("spacer", "own", z3), path, AMPLE, has_trace=has_trace)


async def test_equal_runs_have_equal_traces(z3: str, tmp_path: Path) -> None:
    """Also under other names; another question leaves another trace."""
    first, second, renamed = [await asked(z3, tmp_path, x=name) for name in ("x", "x", "yy")]
    other = await asked(z3, tmp_path, most=3)
    assert first.trace is not None
    assert first.trace == second.trace == renamed.trace
    assert other.trace is not None
    assert first.trace.id != other.trace.id


async def test_a_cold_and_a_warm_run_leave_the_same_trace(z3: str, tmp_path: Path) -> None:
    """And each query of a warm process one of its own."""
    warm = SPACER.warm(Configuration("spacer", "own", z3))
    texts = [COUNTING.format(x="x", most=most) for most in (9, 3, 9)]
    found = [(await warm.ask(text, AMPLE)).trace for text in texts]
    await warm.aclose()
    cold = [(await asked(z3, tmp_path, most=most)).trace for most in (9, 3, 9)]
    assert cold == found


async def test_logging_changes_nothing_else(z3: str, tmp_path: Path) -> None:
    """The answer is the same, and nothing is logged unless it is wished for."""
    logged, plain = [await asked(z3, tmp_path, has_trace=wish) for wish in (True, False)]
    assert plain.trace is None
    assert (Verdict.sat, logged.model_text, logged.detail) == (plain.verdict, plain.model_text, plain.detail)


async def test_a_failure_is_told_in_its_own_words(tmp_path: Path) -> None:
    """Not in those of the log."""
    program = tmp_path / "z3"
    program.write_text("#!/bin/sh\necho 'Entering level 1' >&2\necho 'no memory for this' >&2\nexit 3\n")
    program.chmod(0o755)
    answer = await asked(str(program), tmp_path)
    assert (Verdict.error, "no verdict, exit code 3: no memory for this") == (answer.verdict, answer.detail)
