"""`hornblower solvers doctor`: does each solver that is here run, and answer rightly; and how to get the others."""

from __future__ import annotations

import argparse
from typing import Final

import anyio
import msgspec

from backends.abilities import abilities_of
from backends.adapter import Adapter
from backends.adapters import ADAPTERS, adapter_of
from backends.answer import Answer, Configuration, Verdict
from backends.examination import Examination, Examiner, Standing
from backends.limits import Limits
from backends.places import Installed
from backends.store import how_to_get, installed
from chc.script import read_instance
from chc.witness import Truth
from daemon.bench import Bench

HEALTHY: Final = 0
ILL: Final = 1
_LIMITS: Final = Limits(wall_seconds=30.0, memory_mb=2048)
_TINY: Final = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 3)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x {most})) false)))
(check-sat)
"""
_INSTANCES: Final = {
    Truth.sat: read_instance(_TINY.format(most=3), "tiny sat"),
    Truth.unsat: read_instance(_TINY.format(most=1), "tiny unsat"),
}


class Diagnosis(msgspec.Struct, frozen=True):
    """One solver: what is right, or what is wrong and what to do. Without a version, it is not here."""

    solver: str
    version: str
    program: str
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    remedy: str = ""

    @property
    def is_ill(self) -> bool:
        return bool(self.version and self.problems)


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("doctor", help="see whether each solver runs and answers rightly, and what is missing")
    parser.add_argument("--json", action="store_true", help="one JSON object per solver")
    parser.set_defaults(command=examine)


def examine(arguments: argparse.Namespace) -> int:
    """The exit code is 1 if something that is here does not work; what is not here does no harm."""
    diagnoses = [*anyio.run(_diagnose_all), *missing()]
    for each in diagnoses:
        print(msgspec.json.encode(each).decode() if arguments.json else in_words(each), flush=True)
    return ILL if any(each.is_ill for each in diagnoses) else HEALTHY


def in_words(diagnosis: Diagnosis) -> str:
    if not diagnosis.version:
        return diagnosis.remedy
    state = "; ".join([*diagnosis.problems, diagnosis.remedy] if diagnosis.problems else ["well", *diagnosis.remarks])
    return f"{diagnosis.solver}@{diagnosis.version}: {state} ({diagnosis.program})"


async def _diagnose_all() -> list[Diagnosis]:
    async with Bench(Examiner()) as bench:
        return [await diagnose(each, bench) for each in installed()]


async def diagnose(release: Installed, bench: Bench) -> Diagnosis:
    """Ask a release for its version, and two tiny questions."""
    configuration = Configuration(release.solver, release.version, release.program)
    adapter = adapter_of(configuration)
    problems = list(_version_problems(adapter, release))
    remarks: list[str] = []
    for truth, instance in _INSTANCES.items():
        answer = await bench.ask(adapter.for_witnesses(configuration), instance, _LIMITS)
        found = await bench.thorough.examine_answer(instance, answer)
        problem, remark = judge(adapter, release.version, truth, answer, found)
        problems += [problem] if problem else []
        remarks += [remark] if remark else []
    remedy = _remedy(release) if problems else ""
    return Diagnosis(release.solver, release.version, release.program, tuple(problems), tuple(remarks), remedy)


def _version_problems(adapter: Adapter, release: Installed) -> list[str]:
    if type(adapter).version_of is Adapter.version_of:
        return []
    said = adapter.version_of(release.program)
    if said == release.version:
        return []
    return [f"it says that its version is {said}" if said else "it does not say its version"]


def judge(adapter: Adapter, version: str, truth: Truth, answer: Answer, found: Examination) -> tuple[str, str]:
    """What is wrong with the answer to a tiny question, and what is worth a remark."""
    can = abilities_of(adapter, version)
    shows = can.models if truth is Truth.sat else can.refutations
    if answer.verdict.value == truth.value:
        if found.standing is Standing.valid:
            return "", f"{truth}: certified"
        if shows:
            return f"it says {truth}, but its witness is {found.standing}: {found.reason}", ""
        return "", f"{truth}: right, without a witness"
    if answer.verdict in (Verdict.unknown, Verdict.timeout) and not shows:
        return "", f"{truth}: not decided"
    return f"it says {answer.verdict} to what is {truth}{f': {answer.detail}' if answer.detail else ''}", ""


def _remedy(release: Installed) -> str:
    if release.is_own:
        return "repair the environment: make setup"
    name = f"{release.solver}@{release.version}"
    return f"if it stays like that, drop it: hornblower solvers remove {name}"


def missing() -> list[Diagnosis]:
    here = {each.solver for each in installed()}
    return [Diagnosis(name, "", "", remedy=how_to_get(name)) for name in ADAPTERS if name not in here]
