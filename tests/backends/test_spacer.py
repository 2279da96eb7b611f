"""Spacer itself, and programs in its place that lie, break off, crash, flood and hang."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from backends.answer import Answer, Configuration, Verdict
from backends.limits import Limits
from backends.spacer import SPACER
from chc.model import Model
from chc.script import read_instance

pytestmark = pytest.mark.anyio

Liar = Callable[[str], Configuration]

AMPLE = Limits(wall_seconds=100.0)
BRIEF = Limits(wall_seconds=0.5)
PLAIN = Configuration("spacer", "1.0", "/z3")

DIVERGES = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 1) (= y 1)) (P x y))))
(assert (forall ((x Int) (y Int)) (=> (P x y) (P (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (< (* 2 x) (- y 5)) (= 0 (mod (+ x y) 7))) false)))
(check-sat)
"""
NO_HORN_CLAUSE = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int) Bool)
(assert (forall ((x Int)) (or (P x) (Q x))))
(check-sat)
"""
DROPPED_ASSERTION = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (P x) (Q x))))
(check-sat)
"""


@pytest.fixture
def real(z3: str) -> Configuration:
    return Configuration("spacer", "own", z3)


@pytest.fixture
def liar(tmp_path: Path) -> Liar:
    """A Python program, given by its source, that stands in for z3."""

    def plant(source: str) -> Configuration:
        program = tmp_path / "liar"
        program.write_text(f"#!{sys.executable} -SE\n{source}")
        program.chmod(0o755)
        return Configuration("spacer", "liar", str(program))

    return plant


@pytest.fixture
def some_file(tmp_path: Path, horn_sat: str) -> Path:
    return write(tmp_path, horn_sat)


def write(folder: Path, text: str) -> Path:
    path = folder / "instance.smt2"
    path.write_text(text)
    return path


def with_options(configuration: Configuration, *options: tuple[str, str]) -> Configuration:
    return Configuration(configuration.solver, configuration.version, configuration.program, options)


async def test_sat_comes_with_its_model(real: Configuration, tmp_path: Path, horn_sat: str) -> None:
    """Only the text behind the verdict is the model; what print_certificate prints before it is not wanted."""
    text = horn_sat.replace("(get-model)", "")
    answer = await SPACER.ask(SPACER.for_witnesses(real), write(tmp_path, text), AMPLE)
    assert (Verdict.sat, "", None) == (answer.verdict, answer.detail, answer.proof_text)
    assert answer.model_text is not None
    assert 1 == answer.model_text.count("(define-fun P")
    assert answer.seconds > 0


async def test_unsat_comes_with_its_refutation(real: Configuration, tmp_path: Path, horn_unsat: str) -> None:
    """The refutation is the text before the verdict."""
    answer = await SPACER.ask(SPACER.for_witnesses(real), write(tmp_path, horn_unsat), AMPLE)
    assert (Verdict.unsat, "", None) == (answer.verdict, answer.detail, answer.model_text)
    assert answer.proof_text is not None
    assert "hyper-res" in answer.proof_text


async def test_unknown(real: Configuration, tmp_path: Path) -> None:
    """What is not Horn is answered with unknown, without a witness."""
    answer = await SPACER.ask(real, write(tmp_path, NO_HORN_CLAUSE), AMPLE)
    assert (Verdict.unknown, None, None) == (answer.verdict, answer.model_text, answer.proof_text)


async def test_timeout_is_the_runners(real: Configuration, tmp_path: Path) -> None:
    """z3's own limit lies a second later, so that the same ending is always reported in the same way."""
    answer = await SPACER.ask(real, write(tmp_path, DIVERGES), BRIEF)
    assert (Verdict.timeout, "killed after 0.5 s") == (answer.verdict, answer.detail)
    assert "-T:2" in answer.command


async def test_memout(real: Configuration, some_file: Path) -> None:
    """z3 does not even load in so little memory."""
    answer = await SPACER.ask(real, some_file, Limits(wall_seconds=100.0, memory_mb=30))
    assert Verdict.memout is answer.verdict, answer.detail


async def test_memout_by_an_option(real: Configuration, tmp_path: Path) -> None:
    """z3's own limit of memory counts as well as the runner's."""
    configuration = with_options(real, ("memory_max_size", "1"))
    answer = await SPACER.ask(configuration, write(tmp_path, DIVERGES), AMPLE)
    assert Verdict.memout is answer.verdict, answer.detail


async def test_unknown_option_is_an_error_with_its_name(real: Configuration, some_file: Path) -> None:
    """The message is the one line that matters, not the list of all parameters below it."""
    answer = await SPACER.ask(with_options(real, ("fp.spacer.nonsense", "true")), some_file, AMPLE)
    assert Verdict.error is answer.verdict
    assert "unknown parameter" in answer.detail
    assert "nonsense" in answer.detail
    assert "\n" not in answer.detail


async def test_verdict_after_a_dropped_assertion_is_an_error(real: Configuration, tmp_path: Path) -> None:
    """z3 drops what it does not understand and answers sat about the rest."""
    answer = await SPACER.ask(real, write(tmp_path, DROPPED_ASSERTION), AMPLE)
    assert (Verdict.error, None) == (answer.verdict, answer.model_text)
    assert "unknown constant Q" in answer.detail


async def test_program_that_is_not_there(tmp_path: Path, some_file: Path) -> None:
    """The detail says what to type next."""
    answer = await SPACER.ask(Configuration("spacer", "gone", str(tmp_path / "gone")), some_file, AMPLE)
    assert Verdict.error is answer.verdict
    assert "gone" in answer.detail
    assert "hornblower solvers list" in answer.detail


LIES = {
    "plain lie": ("print('sat')", Verdict.sat, ""),
    "silence": ("", Verdict.error, "no verdict, exit code 0: it printed nothing"),
    "chatter": ("print('satisfied')", Verdict.error, "no verdict, exit code 0: satisfied"),
    "failure": ("raise SystemExit('no licence')", Verdict.error, "no verdict, exit code 1: no licence"),
    "segfault": (
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        Verdict.crash,
        "died of SIGSEGV (Segmentation fault)",
    ),
    "segfault behind a shell": ("raise SystemExit(139)", Verdict.crash, "died of SIGSEGV (Segmentation fault)"),
    "segfault after the verdict": (
        "import os, signal; print('sat', flush=True); os.kill(os.getpid(), signal.SIGSEGV)",
        Verdict.crash,
        "died of SIGSEGV (Segmentation fault), after it had said sat",
    ),
    "assertion": (
        r"import sys; sys.exit('ASSERTION VIOLATION\nFile: pob.cpp\nLine: 7\na != b')",
        Verdict.crash,
        "ASSERTION VIOLATION File: pob.cpp Line: 7 a != b",
    ),
}


@pytest.mark.parametrize(("source", "verdict", "detail"), LIES.values(), ids=LIES)
async def test_planted_liars(liar: Liar, some_file: Path, source: str, verdict: Verdict, detail: str) -> None:
    """Whatever a program does becomes an answer, and says in words what it was."""
    answer = await SPACER.ask(liar(source), some_file, AMPLE)
    assert (verdict, detail) == (answer.verdict, answer.detail)
    assert (None, None) == (answer.model_text, answer.proof_text)


async def test_truncated_model_is_passed_on_as_it_came(liar: Liar, some_file: Path) -> None:
    """The reader of models is to find that it does not end, not we."""
    answer = await SPACER.ask(liar(r"print('sat\n(\n  (define-fun P ((x!0 Int)) Bo')"), some_file, AMPLE)
    assert Verdict.sat is answer.verdict
    assert answer.model_text is not None
    assert answer.model_text.rstrip().endswith("Bo")


async def test_flood_without_a_verdict(liar: Liar, some_file: Path) -> None:
    """Endless output is cut off."""
    limits = Limits(wall_seconds=100.0, output_bytes=1000)
    answer = await SPACER.ask(liar("while True: print('x' * 99)"), some_file, limits)
    assert Verdict.error is answer.verdict
    assert "1000 bytes of output" in answer.detail


async def test_flood_after_the_verdict(liar: Liar, some_file: Path) -> None:
    """The verdict has been given, whatever becomes of the witness."""
    limits = Limits(wall_seconds=100.0, output_bytes=1000)
    answer = await SPACER.ask(liar("print('sat')\nwhile True: print('x' * 99)"), some_file, limits)
    assert Verdict.sat is answer.verdict
    assert "the witness may be cut off" in answer.detail


async def test_sleeper(liar: Liar, some_file: Path) -> None:
    """A program that hangs is killed at the limit, whatever it was told about its own."""
    answer = await SPACER.ask(liar("import time; time.sleep(1000)"), some_file, BRIEF)
    assert (Verdict.timeout, "killed after 0.5 s") == (answer.verdict, answer.detail)


async def test_bytes_that_are_no_text(liar: Liar, some_file: Path) -> None:
    """Garbage is no verdict, and no reason to stumble."""
    answer = await SPACER.ask(liar(r"import os; os.write(1, b'\xff\xfe\0')"), some_file, AMPLE)
    assert Verdict.error is answer.verdict


def test_users_options_win() -> None:
    """An option is passed once, with the value of the configuration."""
    configuration = Configuration("spacer", "1.0", "/z3", (("fp.xform.slice", "true"), ("fp.engine", "bmc")))
    configuration = SPACER.for_witnesses(configuration)
    command = SPACER.command(configuration, Path("a.smt2"), Limits(wall_seconds=2.5))
    assert ("/z3", "-model", "fp.engine=bmc", "fp.print_certificate=true") == command[:4]
    assert ("-T:4", str(Path("a.smt2").absolute())) == command[-2:]
    assert ["fp.xform.slice=true"] == [word for word in command if "slice" in word]


def test_known_trouble() -> None:
    """Models are trusted only without both inliners."""
    eager, linear = ("fp.xform.inline_eager", "false"), ("fp.xform.inline_linear", "false")
    assert SPACER.known_trouble((eager, linear)) is None
    assert SPACER.known_trouble(SPACER.trusted(PLAIN).options) is None
    for options in ((), (eager,), (linear,), (eager, ("fp.xform.inline_linear", "true"))):
        assert "7319" in (SPACER.known_trouble(options) or "")


def test_label() -> None:
    """A configuration is named as people would type it."""
    options = (("fp.xform.slice", "false"),)
    assert "spacer@4.13.4 fp.xform.slice=false" == Configuration("spacer", "4.13.4", "/z3", options).label


def test_goal_names_are_taken_away() -> None:
    """Each predicate that z3 could confuse gets a name that nobody has, also not one that was given just before."""
    names = ("query!0", "query!1", "user_query!0", "P", "")
    declarations = "".join(f"(declare-fun |{name}| () Bool)" for name in names)
    instance = read_instance(f"(set-logic HORN){declarations}(assert (=> query!1 query!0))(check-sat)")
    asked = SPACER.spelled(instance)
    found = [predicate.name for predicate in asked.predicates]
    assert len(names) == len(set(found))
    assert ["user_query!0", "P"] == found[2:4]
    assert not {"query!0", "query!1", ""} & set(found)
    head = asked.clauses[0].head
    assert head is not None
    assert (found[0], found[1]) == (head.predicate, asked.clauses[0].body[0].predicate)
    plain = read_instance("(set-logic HORN)(declare-fun P () Bool)(check-sat)")
    assert plain is SPACER.spelled(plain)


def test_witness_is_about_the_instance_that_was_given() -> None:
    """Not about the one with other names that z3 saw."""
    instance = read_instance("(set-logic HORN)(declare-fun query!0 (Int) Bool)(assert (query!0 1))(check-sat)")
    text = "((define-fun user_query!0 ((x Int)) Bool true))"
    witness = SPACER.read_witness(Answer(PLAIN, (), Verdict.sat, 0.1, 0.1, 1.0, model_text=text), instance)
    assert isinstance(witness, Model)
    assert ["query!0"] == list(witness.interpretations)


def test_steps_of_refutations_are_those_of_clauses() -> None:
    """Only if nothing rewrites the clauses; options of other parts do not matter."""
    witness = SPACER.for_witnesses(PLAIN).options
    assert SPACER.speaks_of_clauses(witness)
    assert SPACER.speaks_of_clauses((*witness, ("fp.spacer.random_seed", "7")))
    assert not SPACER.speaks_of_clauses(())
    assert not SPACER.speaks_of_clauses(witness[1:])
    assert not SPACER.speaks_of_clauses((*witness, ("fp.xform.unfold_rules", "1")))
    assert not SPACER.speaks_of_clauses((*witness[1:], ("fp.xform.inline_eager", "true")))
