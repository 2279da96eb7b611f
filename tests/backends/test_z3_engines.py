"""z3's other engines: what they decide, and what they are not asked."""

from pathlib import Path

import pytest

from backends.adapter import Adapter
from backends.answer import Answer, Configuration, Verdict
from backends.examination import Examiner, Standing
from backends.limits import Limits
from backends.places import InstallError
from backends.process import Ending, Run
from backends.store import find
from backends.z3_engines import BMC, DATALOG
from chc.script import read_instance

pytestmark = pytest.mark.anyio

LIMITS = Limits(wall_seconds=60.0, memory_mb=2048)
EVEN = """(set-logic HORN)
(declare-fun even ((_ BitVec 8)) Bool)
(assert (even #x00))
(assert (forall ((x (_ BitVec 8))) (=> (even x) (even (bvadd x #x02)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (even x) (= x #x07)) false)))
(check-sat)
"""


async def ask(adapter: Adapter, text: str, folder: Path) -> Answer:
    path = folder / "instance.smt2"
    path.write_text(adapter.text_of(read_instance(text)))
    return await adapter.ask(find(adapter.name), path, LIMITS)


async def test_unrolling_refutes(tmp_path: Path, horn_unsat: str) -> None:
    """Without a witness that we read."""
    answer = await ask(BMC, horn_unsat, tmp_path)
    assert (Verdict.unsat, None) == (answer.verdict, BMC.read_witness(answer, read_instance(horn_unsat)))


async def test_enumeration_decides(tmp_path: Path) -> None:
    """Sat comes with the values themselves as a model."""
    answer = await ask(DATALOG, EVEN, tmp_path)
    assert Verdict.sat is answer.verdict
    async with Examiner() as examiner:
        assert Standing.valid is (await examiner.examine_answer(read_instance(EVEN), answer)).standing
    assert Verdict.unsat is (await ask(DATALOG, EVEN.replace("#x07", "#x08"), tmp_path)).verdict


async def test_a_planted_model_is_caught() -> None:
    """One value too few is seen."""
    model = "((define-fun even ((x!0 (_ BitVec 8))) Bool (= x!0 #x00)))"
    said = DATALOG.read(Run((), Ending.exited, 0, stdout=f"sat\n{model}\n".encode()))
    answer = Answer(
        Configuration("z3-datalog", "1", "/z3"), (), said.verdict, 0.1, 0.1, 1.0, model_text=said.model_text
    )
    async with Examiner() as examiner:
        assert Standing.invalid is (await examiner.examine_answer(read_instance(EVEN), answer)).standing


def test_what_they_are_asked() -> None:
    """Unrolling is for one atom in a body, enumerating for bit-vectors."""
    linear = read_instance("(set-logic HORN)(declare-fun P (Int) Bool)(assert (P 1))")
    twice = "(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))"
    branching = read_instance(f"(set-logic HORN)(declare-fun P (Int) Bool){twice}")
    assert (None, "z3-datalog is for bit-vectors") == (BMC.refusal(linear), DATALOG.refusal(linear))
    assert "several atoms" in (BMC.refusal(branching) or "")
    assert DATALOG.refusal(read_instance(EVEN)) is None


def test_models_under_preprocessing() -> None:
    """They go through the same preprocessing as Spacer's, with the same known trouble."""
    plain = Configuration("z3-datalog", "1", "/z3")
    assert "7319" in (DATALOG.known_trouble(plain.options) or "")
    assert DATALOG.known_trouble(DATALOG.trusted(plain).options) is None


def test_they_come_with_spacer() -> None:
    """And go with it."""
    assert find("spacer").version == find("z3-bmc").version == find("z3-datalog").version
    with pytest.raises(InstallError, match=r"hornblower solvers remove spacer@4\.13\.4"):
        BMC.remove("4.13.4")
