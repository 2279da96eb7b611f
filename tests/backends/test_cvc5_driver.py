"""cvc5 from its wheel, as a process that is asked like any other solver."""

import sys
from pathlib import Path

import pytest

import backends
from backends.limits import Limits
from backends.process import Ending, run
from backends.warm import WarmProcess

pytestmark = pytest.mark.anyio

AMPLE = Limits(wall_seconds=120.0)
COMMAND = [sys.executable, "-E", str(Path(backends.__file__).with_name("cvc5_driver.py"))]
SAT = "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (> x 2))\n(check-sat)"
UNSAT = f"{SAT}\n(assert (< x 2))\n(check-sat)"
HARD = (
    "(set-logic ALL)\n(declare-fun f (Int) Int)\n(assert (forall ((y Int)) (> (f (+ (f y) 1)) (f (f y)))))\n"
    "(assert (forall ((y Int)) (> (* y y (f y)) (f (* 2 y)))))\n(check-sat)"
)


async def test_queries_are_answered_one_after_another() -> None:
    async with WarmProcess(COMMAND) as cvc5:
        replies = [await cvc5.ask(text, AMPLE) for text in (SAT, UNSAT, SAT)]
    assert ["sat\n", "sat\nunsat\n", "sat\n"] == [reply.output for reply in replies]
    assert {Ending.answered} == {reply.ending for reply in replies}


async def test_a_cold_run_reads_to_the_end_of_its_input(horn_unsat: str) -> None:
    result = await run([*COMMAND, "--enum-inst=true"], AMPLE, stdin=horn_unsat.encode())
    assert (Ending.exited, 0, b"unsat\n") == (result.ending, result.exit_code, result.stdout)


async def test_unknown_comes_without_its_reason(horn_sat: str) -> None:
    async with WarmProcess(COMMAND) as cvc5:
        reply = await cvc5.ask(horn_sat.replace("(get-model)", "(get-info :reason-unknown)"), AMPLE)
    assert "unknown\n(:reason-unknown incomplete)\n" == reply.output


async def test_options_of_the_command_line_hold_after_each_reset(horn_sat: str) -> None:
    options = ["--incremental=false", "--produce-models=true", "--sygus-inference=try"]
    async with WarmProcess([*COMMAND, *options]) as cvc5:
        for _ in range(2):
            assert (await cvc5.ask(horn_sat, AMPLE)).output.startswith("sat\n(\n(define-fun P ")
        inline = await cvc5.ask(f"(reset){horn_sat}", AMPLE)
    assert inline.output.startswith("sat\n(\n(define-fun P ")


async def test_options_of_one_query_do_not_reach_the_next() -> None:
    values = "(get-value (x))"
    async with WarmProcess(COMMAND) as cvc5:
        with_models = await cvc5.ask(f"(set-option :produce-models true)\n{SAT}{values}", AMPLE)
        without = await cvc5.ask(f"{SAT}{values}(get-info :name)", AMPLE)
    assert "sat\n((x 3))\n" == with_models.output
    assert without.output.startswith("sat\n(error")
    assert without.output.endswith('(:name "cvc5")\n')


@pytest.mark.parametrize(
    "broken", ["(assert (> y 2))", "(assert (> x", "(assert x))", "nonsense", '(echo "', "(push 1)(pop 3)"]
)
async def test_after_an_error_no_verdict_is_given(broken: str) -> None:
    text = f"(set-logic QF_LIA)\n(declare-fun x () Int)\n{broken}\n(check-sat)"
    async with WarmProcess(COMMAND) as cvc5:
        reply = await cvc5.ask(text, AMPLE)
        assert Ending.answered == reply.ending
        assert reply.output.startswith("(error ")
        assert "sat" not in reply.output.splitlines()
        assert "sat\n" == (await cvc5.ask(SAT, AMPLE)).output


async def test_a_time_limit_within_the_query() -> None:
    async with WarmProcess(COMMAND) as cvc5:
        reply = await cvc5.ask(f"(set-option :tlimit-per 100)\n{HARD}", AMPLE)
        assert (Ending.answered, "unknown\n") == (reply.ending, reply.output)


async def test_exit_ends_the_process() -> None:
    async with WarmProcess(COMMAND) as cvc5:
        reply = await cvc5.ask(f"{SAT}\n(exit)", AMPLE)
        assert (Ending.exited, 0, "sat\n") == (reply.ending, reply.exit_code, reply.output)


async def test_names_beyond_ascii_survive() -> None:
    text = "(set-option :produce-models true)(declare-fun |größe| () Int)\n(assert (= |größe| 7))"
    async with WarmProcess(COMMAND) as cvc5:
        reply = await cvc5.ask(f"{text}(check-sat)(get-value (|größe|))", AMPLE)
    assert "sat\n((|größe| 7))\n" == reply.output


@pytest.mark.parametrize(("option", "where"), [("--no-such-option=1", "stdout"), ("--seed", "stderr")])
async def test_a_wrong_option_is_refused(option: str, where: str) -> None:
    result = await run([*COMMAND, option], AMPLE, stdin=SAT.encode())
    assert (Ending.exited, 1) == (result.ending, result.exit_code)
    assert option.strip("-").split("=")[0].encode() in (result.stdout if where == "stdout" else result.stderr)
