"""One instance, one configuration: the answer as it is, and apart from it the truth with its certificate.

The configuration is asked once, as it stands, and the witness that it prints is judged. Where that witness does not
settle the truth, others are asked for one: the same solver with the options under which its witnesses speak of the
instance, then the solver of our own environment. Whoever gives it, only a certificate counts.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from backends import spacer
from backends.answer import Answer, Configuration, Verdict
from backends.examination import ABSENT, Examination, Examiner, Standing
from backends.limits import Limits
from backends.store import own_spacer
from chc.instance import Instance
from chc.witness import Truth, Witness, proved_by
from daemon.severity import Severity, severity_of


class Judgement(msgspec.Struct, frozen=True):
    """What came of one query: the answer, the truth with its certificate, and what is wrong."""

    answer: Answer
    truth: Truth | None = None
    certified_by: tuple[str, ...] = ()
    witness: Witness | None = None
    severity: Severity | None = None
    known: str | None = None
    evidence: str = ""


class Bench:
    """Where answers are judged: the checkers, and a folder for the files that solvers read."""

    def __init__(self, examiner: Examiner) -> None:
        self.examiner = examiner
        self._folder = tempfile.TemporaryDirectory(prefix="hornblower-")
        self._count = 0

    async def __aenter__(self) -> Self:
        await self.examiner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.examiner.__aexit__(kind, error, trace)
        self._folder.cleanup()

    async def ask(self, configuration: Configuration, instance: Instance, limits: Limits) -> Answer:
        """A cold run on the instance as printed; its file is gone afterwards."""
        self._count += 1
        path = Path(self._folder.name) / f"{self._count}.smt2"
        path.write_text(instance.text, encoding="utf-8")
        try:
            return await spacer.ask(configuration, path, limits)
        finally:
            path.unlink()


async def certify(instance: Instance, configuration: Configuration, limits: Limits, bench: Bench) -> Judgement:
    """Ask, examine, find the truth, and say what is wrong with the answer."""
    instance = spacer.without_goal_names(instance)
    answer = await bench.ask(configuration, instance, limits)
    own = await bench.examiner.examine_answer(instance, answer)
    if own.standing is Standing.valid:
        return _judgement(answer, own, own, "")
    return await _with_help(instance, answer, own, limits, bench)


async def _with_help(instance: Instance, answer: Answer, own: Examination, limits: Limits, bench: Bench) -> Judgement:
    proof, rumours = ABSENT, []
    for helper in _helpers(answer.configuration):
        other = await bench.ask(helper, instance, limits)
        found = await bench.examiner.examine_answer(instance, other)
        if found.standing is Standing.valid:
            proof = found
            break
        if other.verdict in (Verdict.sat, Verdict.unsat):
            rumours.append(f"{helper.label} says {other.verdict}: {found.reason or 'without a witness'}")
            if {answer.verdict, other.verdict} == {Verdict.sat, Verdict.unsat}:
                rumours.insert(0, f"CONTRADICTION between {answer.verdict} and {other.verdict}")
    judgement = _judgement(answer, own, proof, "; ".join(rumours))
    if judgement.severity is Severity.invalid_model:
        return await _mark_known(instance, judgement, limits, bench)
    if judgement.severity is None:
        return _mark_failure(instance, judgement, contradicted=bool(rumours) and rumours[0].startswith("CONTRA"))
    return judgement


def _helpers(configuration: Configuration) -> list[Configuration]:
    """Who may know the truth: the same solver when it shows its steps, then our own without any wishes."""
    candidates = [spacer.with_witness_options(configuration), spacer.with_witness_options(own_spacer())]
    return [c for n, c in enumerate(candidates) if c != configuration and c not in candidates[:n]]


def _judgement(answer: Answer, own: Examination, proof: Examination, rumours: str) -> Judgement:
    truth = None if proof.witness is None else proved_by(proof.witness)
    severity = severity_of(answer.verdict, own, truth)
    evidence = [answer.detail, own.reason if severity or truth is None else "", "" if truth else rumours]
    if truth is not None and answer.verdict in (Verdict.sat, Verdict.unsat) and answer.verdict.value != truth.value:
        evidence.insert(0, f"it says {answer.verdict}, but a checked {_kind(truth)} proves {truth}")
    return Judgement(
        answer=answer,
        truth=truth,
        certified_by=proof.certified_by,
        witness=proof.witness,
        severity=severity,
        evidence="; ".join(part for part in evidence if part),
    )


def _kind(truth: Truth) -> str:
    return "model" if truth is Truth.sat else "refutation"


async def _mark_known(instance: Instance, judgement: Judgement, limits: Limits, bench: Bench) -> Judgement:
    """A wrong model that becomes right without the inliners is what Spacer's developers know and will not change."""
    configuration = judgement.answer.configuration
    reason = spacer.known_trouble(configuration.options)
    if reason is None:
        return judgement
    again = await bench.ask(spacer.without_inliners(configuration), instance, limits)
    repaired = await bench.examiner.examine_answer(instance, again)
    if again.verdict is Verdict.sat and repaired.standing is Standing.valid:
        return msgspec.structs.replace(judgement, known=reason)
    return judgement


def _mark_failure(instance: Instance, judgement: Judgement, *, contradicted: bool) -> Judgement:
    """Suspicions about an answer that is not wrong: contradicted, rejected, or given up though others decide it."""
    verdict = judgement.answer.verdict
    if contradicted:
        return msgspec.structs.replace(judgement, severity=Severity.unresolved)
    if verdict is Verdict.error and spacer.is_rejection(judgement.answer):
        return msgspec.structs.replace(judgement, severity=Severity.failed)
    if verdict is Verdict.unknown and judgement.truth is not None and spacer.decides(instance):
        words = f"it gives up, though {_kind(judgement.truth)}s are within reach of its other options"
        evidence = "; ".join(part for part in (judgement.evidence, words) if part)
        return msgspec.structs.replace(judgement, severity=Severity.gave_up, evidence=evidence)
    return judgement
