"""One job from beginning to end, as a worker does it: prepare, ask, check, and confirm what looks wrong.

The answer of the suspect and the witness that travelled with the child are checked by one checker while the next
solver runs. Only where something looks wrong does everybody come together: a cold run of the same configuration,
all checkers, and whoever may know the truth. What remains after that is a finding.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import anyio
import msgspec

from backends.adapters import adapter_of
from backends.answer import Answer, Configuration, Verdict
from backends.examination import ABSENT, Examination, Standing
from backends.limits import Limits
from chc.instance import Instance
from chc.witness import Truth, Witness, proved_by, witness_to_json
from daemon.bench import Bench
from daemon.certify import Judgement, certify
from daemon.features import features_of
from daemon.fewest_options import needed, with_fewest_options
from daemon.jobs import Draft, Fault, Job, Kind, Proof, Report
from daemon.preparation import Library, prepare, to_wire
from daemon.reading import read_apart
from daemon.severity import severity_of
from knowledge_base.records import Origin, Severity
from transformations.stack import Trick

_MOST_ASKED: Final = 200_000
_DECIDED: Final = (Verdict.sat, Verdict.unsat)
_MOST_OPINIONS: Final = 2
"""So many others are asked about what nobody has proved."""
_START_UP_SECONDS: Final = 5.0
_PATIENCE: Final = 5.0
"""A confirmation may take so many times as long as the query did, within reason."""


class Suspect(msgspec.Struct, frozen=True):
    """An answer that looks wrong, with what was seen of its witness."""

    answer: Answer
    own: Examination


class Interrogation:
    """What a worker keeps from job to job: parents it has read, and what it has asked already."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._library = Library()
        self._asked: OrderedDict[tuple[str, str], None] = OrderedDict()

    async def perform(self, job: Job) -> Report:
        if job.kind is Kind.read:
            return await read_apart(job)
        began = time.perf_counter()
        trick = prepare(job, self._library)
        if trick is None:
            return Report(job.id, preparation_seconds=time.perf_counter() - began)
        instance = trick.known.instance
        report = Report(
            job.id,
            text=instance.text,
            address=instance.address,
            features=features_of(instance),
            origin=Origin.generated if job.kind is Kind.generate else Origin.trick,
            links=to_wire(trick.links),
            promise=trick.promise,
            preparation_seconds=time.perf_counter() - began,
        )
        if job.kind is Kind.certify:
            return await self._attest(job, trick, report)
        able = [place for place, each in enumerate(job.candidates) if _takes(each.configuration, instance)]
        if not able:
            return msgspec.structs.replace(report, is_unsupported=True)
        for place in able:
            chosen = job.put_to(place)
            if job.kind is Kind.ask or not self._has_been_asked(instance, chosen.configuration):
                return await self._judge(chosen, trick, msgspec.structs.replace(report, asked=place))
        return msgspec.structs.replace(report, is_repeated=True)

    async def _attest(self, job: Job, trick: Trick, report: Report) -> Report:
        """The whole judgement at once, by all checkers: a user wants to know, whatever it costs."""
        instance, witness = trick.known.instance, trick.known.witness
        proof = ABSENT if witness is None else await self._bench.thorough.examine(instance, witness)
        judgement = await certify(instance, job.configuration, _limits(job), self._bench, proof)
        report = _with_judgement(report, judgement, "confirmation")
        return msgspec.structs.replace(
            report,
            answer=_bare(judgement.answer),
            remark=judgement.evidence,
            findings=() if judgement.severity is None else (_draft(judgement),),
            solver_seconds=self._bench.take_solver_seconds(),
        )

    def _has_been_asked(self, instance: Instance, configuration: Configuration) -> bool:
        key = (instance.address, configuration.label)
        repeated = key in self._asked
        self._asked[key] = None
        if len(self._asked) > _MOST_ASKED:
            self._asked.popitem(last=False)
        return repeated

    async def _judge(self, job: Job, trick: Trick, report: Report) -> Report:
        instance, witness = trick.known.instance, trick.known.witness
        found: list[Examination] = []
        answers: list[Answer] = []

        async def check_transported() -> None:
            found.append(ABSENT if witness is None else await self._bench.quick.examine(instance, witness))

        async def ask() -> None:
            answers.append(await self._ask(job, instance))

        async with anyio.create_task_group() as group:
            group.start_soon(check_transported)
            group.start_soon(ask)
        report = await self._conclude(job, trick, report, found[0], answers[0])
        return msgspec.structs.replace(report, solver_seconds=self._bench.take_solver_seconds())

    async def _conclude(
        self, job: Job, trick: Trick, report: Report, transported: Examination, answer: Answer
    ) -> Report:
        witness = trick.known.witness
        if witness is not None and transported.standing is Standing.invalid:
            # One checker alone accuses nobody, not even us.
            transported = await self._bench.thorough.examine(trick.known.instance, witness)
        report = msgspec.structs.replace(
            report, answer=_bare(answer), transported=transported.standing, transported_reason=transported.reason
        )
        if witness is not None and transported.standing is Standing.invalid:
            return msgspec.structs.replace(report, fault=_failing(witness, transported))
        return await self._settle(job, trick, report, transported, answer)

    async def _ask(self, job: Job, instance: Instance) -> Answer:
        limits = _limits(job)
        if job.is_warm:
            return await self._bench.ask_warm(job.configuration, instance, limits)
        return await self._bench.ask(job.configuration, instance, limits, has_trace=True)

    async def _settle(self, job: Job, trick: Trick, report: Report, transported: Examination, answer: Answer) -> Report:
        """What the answer means, and what of it stands after a second look."""
        instance = trick.known.instance
        proof = transported if transported.standing is Standing.valid else ABSENT
        truth = None if proof.witness is None else proved_by(proof.witness)
        own = ABSENT
        if answer.verdict in _DECIDED and _is_worth_examining(job, answer, truth or trick.promise):
            own = await self._bench.quick.examine_answer(instance, answer)
        report = msgspec.structs.replace(report, own=own.standing)
        if _looks_wrong(answer, own, truth, trick.promise):
            return await self._confirm(job, trick, report, transported, Suspect(answer, own))
        if truth is None and own.standing is Standing.valid:
            return _with_proof(report, own, job.configuration.label)
        if truth is None and trick.promise is None and (answer.verdict in _DECIDED or job.kind is Kind.ask):
            return await self._compare(job, trick, report, Suspect(answer, own))
        return _with_proof(report, proof, "transported" if report.links else "constructed")

    async def _compare(self, job: Job, trick: Trick, report: Report, suspect: Suspect) -> Report:
        """Nobody has proved anything yet: another suspect may, or say the opposite, which everybody has to settle."""
        instance = trick.known.instance
        for other in [each for each in job.substitutes if _takes(each.configuration, instance)][:_MOST_OPINIONS]:
            configuration = adapter_of(other.configuration).for_witnesses(other.configuration)
            answer = await self._bench.ask(configuration, instance, _limits(job))
            if {answer.verdict, suspect.answer.verdict} == {Verdict.sat, Verdict.unsat}:
                return await self._confirm(job, trick, report, ABSENT, suspect, answer)
            own = await self._bench.quick.examine_answer(instance, answer)
            if own.standing is Standing.valid:
                return _with_proof(report, own, configuration.label)
        return report

    async def _confirm(
        self,
        job: Job,
        trick: Trick,
        report: Report,
        transported: Examination,
        suspect: Suspect,
        opposite: Answer | None = None,
    ) -> Report:
        """A cold run before all checkers; what it does not show again is flaky, or due to the warm process.

        Who is only suspect because another has given the `opposite` answer has shown nothing that must happen again.
        """
        instance = trick.known.instance
        proof = ABSENT
        if transported.witness is not None:
            proof = await self._bench.thorough.examine(instance, transported.witness)
        limits = msgspec.structs.replace(_limits(job), wall_seconds=max(10.0, _PATIENCE * job.limit_seconds))
        others = [each.configuration for each in job.substitutes]
        judgement = await certify(instance, job.configuration, limits, self._bench, proof, others)
        if opposite is not None:
            judgement = _with_opposite(judgement, opposite)
        is_transported = proof.standing is Standing.valid
        report = _with_judgement(report, judgement, "transported" if is_transported else "confirmation")
        if fault := _own_fault(trick, proof, judgement):
            report = msgspec.structs.replace(report, fault=fault)
        else:
            judgement = against_promise(judgement, trick.promise)
        liars = await self._expose(instance, limits, judgement)
        if judgement.severity is not None:
            judgement = await with_fewest_options(instance, judgement, job.drawn, limits, self._bench)
            return msgspec.structs.replace(report, findings=(_draft(judgement, job.drawn), *liars))
        if fault or opposite is not None:
            return msgspec.structs.replace(report, findings=liars)
        return msgspec.structs.replace(report, findings=(_once(job, suspect, judgement), *liars))

    async def _expose(self, instance: Instance, limits: Limits, judgement: Judgement) -> tuple[Draft, ...]:
        """Those who helped and were wrong, once they have said it again."""
        drafts: list[Draft] = []
        for configuration in judgement.contradicted_by:
            assert judgement.witness is not None
            proof = Examination(Standing.valid, witness=judgement.witness, certified_by=judgement.certified_by)
            again = await certify(instance, configuration, limits, self._bench, proof)
            if again.severity is not None:
                drafts.append(_draft(again))
        return tuple(drafts)


def _takes(configuration: Configuration, instance: Instance) -> bool:
    return adapter_of(configuration).refusal(instance) is None


def _limits(job: Job) -> Limits:
    # What relatives took is no measure for one that first has to come up.
    extra = _START_UP_SECONDS if adapter_of(job.configuration).starts_slowly else 0.0
    return Limits(wall_seconds=job.limit_seconds + extra, memory_mb=job.memory_mb)


def _is_worth_examining(job: Job, answer: Answer, expected: Truth | None) -> bool:
    """Every witness that the configuration is fairly expected to get right, and all that may teach a truth."""
    if expected is None or answer.verdict.value != expected.value:
        return True
    options, adapter = job.configuration.options, adapter_of(job.configuration)
    is_fair = adapter.known_trouble(options) is None if expected is Truth.sat else adapter.speaks_of_clauses(options)
    return is_fair or job.examines_known_trouble


def _looks_wrong(answer: Answer, own: Examination, truth: Truth | None, promise: Truth | None) -> bool:
    if answer.verdict is Verdict.crash or adapter_of(answer.configuration).is_rejection(answer):
        return True
    return severity_of(answer.verdict, own, truth or promise) is not None


def against_promise(judgement: Judgement, promise: Truth | None) -> Judgement:
    """Without a certificate from anyone, an answer against the promise is an unresolved contradiction."""
    verdict = judgement.answer.verdict
    if promise is None or judgement.truth is not None or judgement.severity is not None:
        return judgement
    if verdict not in _DECIDED or verdict.value == promise.value:
        return judgement
    words = f"it says {verdict}, but by its making the instance is {promise}; nobody has proved either"
    return msgspec.structs.replace(judgement, severity=Severity.unresolved, evidence=words)


def _failing(witness: Witness, examination: Examination) -> Fault:
    return Fault(proved_by(witness), _json(witness), examination.reason)


def _own_fault(trick: Trick, proof: Examination, judgement: Judgement) -> Fault | None:
    """What turns out to be our mistake when everybody has come together."""
    if proof.standing is Standing.invalid and proof.witness is not None:
        return _failing(proof.witness, proof)
    truth, promise = judgement.truth, trick.promise
    if truth is None or promise is None or truth is promise or judgement.witness is None:
        return None
    reason = f"by its making the instance is {promise}, but this witness proves {truth}"
    return Fault(truth, _json(judgement.witness), reason, judgement.certified_by)


def _with_opposite(judgement: Judgement, opposite: Answer) -> Judgement:
    """The judgement of an answer that was doubted because of another one, which may be the wrong one."""
    liar = opposite.configuration
    if judgement.truth is None or opposite.verdict.value == judgement.truth.value or liar in judgement.contradicted_by:
        return judgement
    return msgspec.structs.replace(judgement, contradicted_by=(*judgement.contradicted_by, liar))


def _draft(judgement: Judgement, drawn: Sequence[str] = ()) -> Draft:
    assert judgement.severity is not None
    needs = needed(judgement.answer.configuration, drawn)
    words = [judgement.evidence, f"only with {' '.join(needs)}, which is not the default" if needs else ""]
    evidence = "; ".join(part for part in words if part)
    known = judgement.known
    if needs and judgement.answer.verdict is Verdict.error:
        known = known or "the solver does not take these options, which is no news"
    return Draft(judgement.severity, judgement.answer, evidence, known, needs=needs)


def _once(job: Job, suspect: Suspect, judgement: Judgement) -> Draft:
    """What looked wrong once and does not any more: the warm process is to blame, or chance."""
    answer, own = suspect.answer, suspect.own
    trouble = adapter_of(job.configuration).known_trouble(job.configuration.options)
    known = trouble if own.standing is Standing.invalid else None
    said = f"{answer.verdict} ({own.reason})" if own.standing is Standing.invalid else str(answer.verdict)
    if job.is_warm:
        words = f"a warm process said {said}, a cold one says {judgement.answer.verdict}"
        return Draft(Severity.warm_cold, answer, words, known)
    words = f"it said {said}, and {judgement.answer.verdict} in a second run"
    severity = severity_of(answer.verdict, own, judgement.truth) or Severity.unresolved
    return Draft(severity, answer, words, known, is_flaky=True)


def _with_judgement(report: Report, judgement: Judgement, source: str) -> Report:
    if judgement.truth is None or judgement.witness is None:
        return report
    proof = Proof(judgement.truth, _json(judgement.witness), judgement.certified_by, source)
    return msgspec.structs.replace(report, proof=proof)


def _with_proof(report: Report, proof: Examination, source: str) -> Report:
    if proof.standing is not Standing.valid or proof.witness is None:
        return report
    found = Proof(proved_by(proof.witness), _json(proof.witness), proof.certified_by, source)
    return msgspec.structs.replace(report, proof=found)


def _json(witness: Witness) -> str:
    return msgspec.json.encode(witness_to_json(witness)).decode()


def _bare(answer: Answer) -> Answer:
    """The answer without the texts of its witness, which nobody reads any more."""
    return msgspec.structs.replace(answer, model_text=None, proof_text=None)
