"""HoIce: its models in any order, its errors that drop clauses, and itself where it is installed."""

import json
from pathlib import Path

import pytest

from backends.answer import Answer, Configuration, Verdict
from backends.examination import Examiner, Standing
from backends.hoice import HOICE
from backends.hoice_model import model_in
from backends.limits import Limits
from backends.process import Ending, Run
from backends.store import installed
from backends.unreadable import Malformed, Unreadable
from chc.instance import Instance
from chc.printer import show_term
from chc.script import read_instance
from tests.backends.golden.record import instances, reading
from tests.backends.golden.runs import Recording, answer_to, recordings

pytestmark = pytest.mark.anyio

LIMITS = Limits(wall_seconds=60.0, memory_mb=2048)
PLAIN = Configuration("hoice", "1.10.0", "/hoice")
INSTANCES = instances()
BOTH = read_instance(
    """(set-logic HORN)
(declare-fun |P Q| (Int) Bool)
(declare-fun R (Int Int) Bool)
(assert (|P Q| 1))
(assert (forall ((x Int)) (=> (|P Q| x) (R x x))))
(check-sat)
"""
)


def said(stdout: str, exit_code: int = 0) -> tuple[str, str, str | None]:
    found = HOICE.read(Run(("/hoice", "a.smt2"), Ending.exited, exit_code, stdout=stdout.encode()))
    return found.verdict, found.detail, found.model_text


@pytest.mark.parametrize("recording", recordings("hoice"), ids=lambda each: each.configuration.label)
async def test_golden(recording: Recording) -> None:
    """What it prints reads as it was recorded, and every model that can be read is certified."""
    assert len(recording.samples) > 10
    async with Examiner() as examiner:
        for sample in recording.samples:
            answer, instance = answer_to(recording.configuration, sample), INSTANCES[sample.instance]
            assert (sample.verdict, sample.detail) == (answer.verdict, answer.detail), sample.instance
            assert sample.read == reading(answer, instance), sample.instance
            standing = (await examiner.examine_answer(instance, answer)).standing
            assert sample.standing == standing, sample.instance
            assert standing not in (Standing.invalid, Standing.disputed), sample.instance


@pytest.mark.shared
async def test_recordings(shared_dir: Path) -> None:
    """Models of real runs are certified, but those with recursive helpers; where clauses were dropped there is none."""
    found: dict[str, str] = {}
    async with Examiner() as examiner:
        for line in (shared_dir / "recordings" / "hoice" / "runs.jsonl").read_text().splitlines():
            run = json.loads(line)
            instance = read_instance((shared_dir / run["input"]).read_text())
            verdict, detail, model = said(run["stdout"], run["exit"])
            answer = Answer(PLAIN, (), Verdict(verdict), 0.1, 0.1, 1.0, detail, model_text=model)
            examined = await examiner.examine_answer(instance, answer)
            found[Path(run["input"]).stem] = f"{verdict} {examined.standing}"
    assert "sat valid" == found["chain-sat"] == found["z3-invalid-model"] == found["quoted-sat"] == found["lra-sat"]
    assert "sat undecided" == found["adt-sat"]
    assert "error absent" == found["bv-sat"] == found["bv-unsat"]
    assert "unsat absent" == found["nl-unsat"]
    assert not [name for name, standing in found.items() if "invalid" in standing]


UNORDERED = """sat
(model
  (define-fun R
    ( (v_0 Int) (v_1 Int) ) Bool
    (and (|P Q| v_0) (|P Q| v_1))
  )
  (define-fun |P Q|
    ( (v_0 Int) ) Bool
    (exists ( (v_0 Int) ) (helper v_0))
  )
  (define-fun helper
    ( (v_0 Int) ) Bool
    (>= v_0 1)
  )
)
"""


async def test_definitions_that_call_one_another() -> None:
    """In whatever order they stand; a parameter that is bound again is another."""
    verdict, detail, text = said(UNORDERED)
    assert (Verdict.sat, "") == (verdict, detail)
    model = model_in(text or "", BOTH)
    assert "(exists ((v_0!1 Int)) (>= v_0!1 1))" == show_term(model.interpretations["P Q"].body)
    async with Examiner() as examiner:
        assert Standing.valid is (await examiner.examine(BOTH, model)).standing


async def test_a_wrong_model_is_caught() -> None:
    """Also where the mistake lies in a definition that another one calls."""
    wrong = UNORDERED.replace("(>= v_0 1)", "(>= v_0 v_0 1 2)").replace("exists ( (v_0 Int) )", "and")
    async with Examiner() as examiner:
        found = await examiner.examine(BOTH, model_in(said(wrong)[2] or "", BOTH))
    assert Standing.invalid is found.standing
    assert "clause 1" in found.reason


BROKEN = {
    "no model": ("", Malformed, "there is no whole model"),
    "cut off": (UNORDERED[4:-20], Malformed, "there is no whole model"),
    "no definition": ("(model (assert true))", Malformed, "is no definition"),
    "bits": ("(model 17)", Malformed, "is no definition"),
    "missing": ("(model (define-fun |P Q| ((v_0 Int)) Bool true))", Malformed, "says nothing about the predicate `R`"),
    "circle": (UNORDERED[4:].replace("(>= v_0 1)", "(R v_0 v_0)"), Unreadable, "leads back to itself"),
    "calls itself": (UNORDERED[4:].replace("(>= v_0 1)", "(helper v_0)"), Unreadable, "leads back to itself"),
    "recursive": (
        UNORDERED[4:].replace("(define-fun helper", "(define-fun-rec helper"),
        Unreadable,
        "rests on the recursive function `helper`",
    ),
    "unknown": (UNORDERED[4:].replace("(>= v_0 1)", "(S v_0)"), Unreadable, "S"),
}


@pytest.mark.parametrize(("text", "kind", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken_models(text: str, kind: type[Unreadable], reason: str) -> None:
    """What is said says what is wrong."""
    with pytest.raises(kind, match=reason) as caught:
        model_in(text, BOTH)
    assert kind is caught.type


def test_a_recursive_helper_that_nobody_needs() -> None:
    """It does not matter."""
    helper = "(define-fun-rec other ((v_0 Int)) Int (other v_0))"
    assert model_in(UNORDERED[4:], BOTH) == model_in(UNORDERED[4:].replace("(model", f"(model {helper}", 1), BOTH)


def test_what_it_says() -> None:
    """Nothing counts behind an error, whose whole text is told; the one behind a verdict spoils nothing."""
    missing = '(error "\n  no model available\n")\n'
    dropped = '(error "\n  illegal use of keyword `_` at [2:18]:\n    |\n")\n'
    assert (Verdict.unsat, "", None) == said(f"unsat\n{missing}", 2)
    assert (Verdict.unknown, "", None) == said(f"unknown\n{missing}", 2)
    verdict, detail, text = said(f"{dropped}{dropped}sat\n(model\n)\n")
    assert (Verdict.error, '(error " illegal use of keyword `_` at [2:18]: | ")', None) == (verdict, detail, text)


def chc(*lines: str) -> Instance:
    return read_instance("\n".join(["(set-logic HORN)", "(declare-fun P (Int) Bool)", *lines, "(check-sat)"]))


REFUSED = {
    "BitVec": "(assert (forall ((x (_ BitVec 8))) (=> (= x #x00) (P 1))))",
    "quantifiers": "(assert (forall ((x Int)) (=> (forall ((y Int)) (= x (* y x))) (P x))))",
    "parametric": "(declare-datatypes ((Box 1)) ((par (T) ((box (open T))))))",
    "a sort `List`": "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))",
    "datatypes that need each other": "(declare-datatypes ((A 0) (B 0)) (((a (b B))) ((c) (d (e A)))))",
    "`xor`": "(assert (forall ((x Int) (b Bool)) (=> (xor b (< x 1)) (P x))))",
    "`<` between more than two": "(assert (forall ((x Int)) (=> (< 1 x 3) (P x))))",
}


@pytest.mark.parametrize(("reason", "line"), REFUSED.items())
def test_what_it_is_not_asked(reason: str, line: str) -> None:
    """What it would drop, or stumble over."""
    assert f"hoice does not support {reason}" in (HOICE.refusal(chc(line)) or "")


def test_what_it_is_asked() -> None:
    """Everything else, if only under other names."""
    instance = chc("(declare-fun v_0 (Int) Bool)", "(assert (forall ((x Int)) (=> (< x 3) (v_0 x))))")
    assert HOICE.refusal(instance) is None
    assert HOICE.decides(instance)
    assert ["P", "user_v_0"] == [predicate.name for predicate in HOICE.spelled(instance).predicates]
    assert HOICE.text_of(instance).endswith("(check-sat)\n(get-model)\n")


async def test_itself(tmp_path: Path, horn_sat: str, horn_unsat: str) -> None:
    """Where it is installed."""
    real = [each for each in installed() if each.solver == "hoice"]
    if not real:
        pytest.skip("needs HoIce; if you have it, type: hornblower solvers add hoice /path/to/hoice")
    configuration = Configuration("hoice", real[-1].version, real[-1].program, (("assistant", "off"),))
    for text, verdict in ((horn_sat.replace("(get-model)", ""), Verdict.sat), (horn_unsat, Verdict.unsat)):
        instance = read_instance(text)
        path = tmp_path / "instance.smt2"
        path.write_text(HOICE.text_of(instance))
        answer = await HOICE.ask(configuration, path, LIMITS)
        assert (verdict, "") == (answer.verdict, answer.detail)
        if verdict is Verdict.sat:
            async with Examiner() as examiner:
                assert Standing.valid is (await examiner.examine_answer(instance, answer)).standing
