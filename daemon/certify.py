"""One instance, one configuration: the answer as it is, and apart from it the truth with its certificate.

The configuration is asked once, as it stands, and the witness that it prints is judged. Where that witness does not
settle the truth, others are asked for one: the same solver with the options under which its witnesses speak of the
instance, then the solver of our own environment, then all others that support the instance. Whoever gives it, only a
certificate counts: a majority proves nothing, and once there is a certificate, whoever says otherwise is wrong.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import anyio
import msgspec

from backends.adapters import adapter_of
from backends.answer import Answer, Configuration, Verdict
from backends.examination import ABSENT, Examination, Standing
from backends.limits import Limits
from backends.options import trouble_of
from backends.spacer_releases import own_spacer
from chc.instance import Instance
from chc.witness import Truth, Witness, proved_by
from daemon.bench import Bench
from daemon.severity import severity_of
from knowledge_base.records import Severity

_HELP_PATIENCE: Final = 3.0
"""All who help may take so many times the limit of the query together."""
_ALWAYS_HEARD: Final = 2
_LEAST_SECONDS: Final = 1.0


class Judgement(msgspec.Struct, frozen=True):
    """What came of one query: the answer, the truth with its certificate, and what is wrong."""

    answer: Answer
    truth: Truth | None = None
    certified_by: tuple[str, ...] = ()
    witness: Witness | None = None
    severity: Severity | None = None
    known: str | None = None
    evidence: str = ""
    contradicted_by: tuple[Configuration, ...] = ()
    """Who helped and said the opposite of the truth."""


async def certify(
    instance: Instance,
    configuration: Configuration,
    limits: Limits,
    bench: Bench,
    proof: Examination = ABSENT,
    others: Sequence[Configuration] = (),
) -> Judgement:
    """Ask, examine, find the truth, and say what is wrong with the answer.

    `proof` is what is known beforehand: a witness that the checkers have already seen. `others` are asked for help
    before the helpers of the bench.
    """
    judgement = await _judge(instance, configuration, limits, bench, proof, others)
    if judgement.severity is None or judgement.known is not None:
        return judgement
    space = adapter_of(configuration).option_space(configuration.version)
    return msgspec.structs.replace(judgement, known=trouble_of(space, configuration.options))


async def _judge(
    instance: Instance,
    configuration: Configuration,
    limits: Limits,
    bench: Bench,
    proof: Examination,
    others: Sequence[Configuration],
) -> Judgement:
    refusal = adapter_of(configuration).refusal(instance)
    if refusal is not None:
        detail = f"not asked: {refusal}"
        return Judgement(Answer(configuration, (), Verdict.unknown, 0.0, 0.0, 0.0, detail), evidence=detail)
    answer = await bench.ask(configuration, instance, limits)
    own = await bench.thorough.examine_answer(instance, answer)
    if proof.standing is Standing.valid:
        judgement = _judgement(answer, own, proof)
    elif own.standing is Standing.valid:
        return _judgement(answer, own, own)
    else:
        helpers = _helpers(answer.configuration, instance, (*others, *bench.helpers))
        judgement = await _with_help(instance, answer, own, limits, bench, helpers)
    if judgement.severity is Severity.wrong_model:
        return await _mark_known(instance, judgement, limits, bench)
    return judgement if judgement.severity is not None else _mark_failure(instance, judgement)


async def _with_help(
    instance: Instance,
    answer: Answer,
    own: Examination,
    limits: Limits,
    bench: Bench,
    helpers: Sequence[Configuration],
) -> Judgement:
    """The truth from others; where nobody can prove one, at least what they say."""
    rumours: list[str] = []
    disputed: list[str] = []
    said: dict[Configuration, Verdict] = {}
    async for helper, other in _answers(helpers, instance, limits, bench):
        found = await bench.thorough.examine_answer(instance, other)
        said[helper] = other.verdict
        if found.standing is Standing.valid:
            return _alarmed(_against(said, _judgement(answer, own, found, disputed)), disputed)
        rumours.append(f"{helper.label} says {other.verdict}: {found.reason or other.detail or 'without a witness'}")
        if found.standing is Standing.disputed:
            disputed.append(rumours[-1])
    if {Verdict.sat, Verdict.unsat} <= {answer.verdict, *said.values()}:
        disputed.append("CONTRADICTION between sat and unsat")
        rumours.insert(0, disputed[-1])
    return _alarmed(_judgement(answer, own, ABSENT, rumours), disputed)


async def _answers(
    helpers: Sequence[Configuration], instance: Instance, limits: Limits, bench: Bench
) -> AsyncIterator[tuple[Configuration, Answer]]:
    """What each of them says, as long as there is time. Ours are always heard: they are cheap."""
    deadline = anyio.current_time() + _HELP_PATIENCE * limits.wall_seconds
    for place, helper in enumerate(helpers):
        left = deadline - anyio.current_time()
        if left > 0 or place < _ALWAYS_HEARD:
            seconds = min(limits.wall_seconds, max(left, _LEAST_SECONDS))
            yield helper, await bench.ask(helper, instance, msgspec.structs.replace(limits, wall_seconds=seconds))


def _against(said: Mapping[Configuration, Verdict], judgement: Judgement) -> Judgement:
    """With those who said the opposite of what is proved now."""
    assert judgement.truth is not None
    wrong = judgement.truth.opposite.value
    liars = tuple(helper for helper, verdict in said.items() if verdict.value == wrong)
    return msgspec.structs.replace(judgement, contradicted_by=liars)


def _alarmed(judgement: Judgement, alarming: Sequence[str]) -> Judgement:
    """What cannot be as it is said to be must not pass for a right answer."""
    if judgement.severity is not None or not alarming:
        return judgement
    return msgspec.structs.replace(judgement, severity=Severity.unresolved)


def _helpers(configuration: Configuration, instance: Instance, others: Sequence[Configuration]) -> list[Configuration]:
    """Who may know the truth: the same solver when it shows its steps, our own without any wishes, and the others."""
    showing = [adapter_of(each).for_witnesses(each) for each in (configuration, own_spacer(), *others)]
    able = [each for each in showing if each != configuration and adapter_of(each).refusal(instance) is None]
    return list(dict.fromkeys(able))


def _judgement(answer: Answer, own: Examination, proof: Examination, remarks: Sequence[str] = ()) -> Judgement:
    truth = None if proof.witness is None else proved_by(proof.witness)
    severity = severity_of(answer.verdict, own, truth)
    evidence = [answer.detail, own.reason if severity or truth is None else "", *remarks]
    if not severity and truth is not None:
        evidence.append(proof.reason)  # why a checker has not signed
    if truth is not None and answer.verdict in (Verdict.sat, Verdict.unsat) and answer.verdict.value != truth.value:
        evidence.insert(0, f"it says {answer.verdict}, but a checked {_kind(truth)} proves {truth}")
        if own.standing is Standing.valid:
            evidence.insert(
                0, f"CERTIFICATES CONTRADICT EACH OTHER: {', '.join(own.certified_by)} also certify its own"
            )
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
    """A wrong model that becomes right without the options known for trouble is what the developers know already."""
    configuration = judgement.answer.configuration
    adapter = adapter_of(configuration)
    reason = adapter.known_trouble(configuration.options)
    if reason is None:
        return judgement
    again = await bench.ask(adapter.trusted(configuration), instance, limits)
    repaired = await bench.thorough.examine_answer(instance, again)
    if again.verdict is Verdict.sat and repaired.standing is Standing.valid:
        return msgspec.structs.replace(judgement, known=reason)
    return judgement


def _mark_failure(instance: Instance, judgement: Judgement) -> Judgement:
    """Suspicions about an answer that is not wrong: rejected, or given up though others decide it."""
    verdict, adapter = judgement.answer.verdict, adapter_of(judgement.answer.configuration)
    if verdict is Verdict.error and adapter.is_rejection(judgement.answer):
        return msgspec.structs.replace(judgement, severity=Severity.failure)
    if verdict is Verdict.unknown and judgement.truth is not None and _should_decide(judgement.answer, instance):
        words = f"it gives up, though a checked {_kind(judgement.truth)} proves {judgement.truth}"
        evidence = "; ".join(part for part in (judgement.evidence, words) if part)
        return msgspec.structs.replace(judgement, severity=Severity.unknown, evidence=evidence)
    return judgement


def _should_decide(answer: Answer, instance: Instance) -> bool:
    adapter = adapter_of(answer.configuration)
    return adapter.decides(instance) and adapter.misfit(answer.configuration, instance) is None
