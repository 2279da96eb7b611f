"""What the daemon sends to its workers and what comes back: plain data, as it goes over the wire."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from backends.answer import Answer, Configuration
from backends.examination import Standing
from chc.witness import Truth
from knowledge_base.records import Features, Origin, Severity


class Kind(StrEnum):
    """Why an instance is asked."""

    ask = "ask"
    """A parent itself, to learn its truth."""
    trick = "trick"
    """A child whose truth is known beforehand."""
    enrich = "enrich"
    """A child of whatever truth, to learn something new."""
    generate = "generate"
    """A seed made with its truth."""
    read = "read"
    """A text that a user has submitted is read; nobody is asked."""
    certify = "certify"
    """What a user has submitted, certified by everybody."""


class Parent(msgspec.Struct, frozen=True):
    """A known instance as text, with its witness as JSON."""

    address: str
    text: str
    truth: Truth | None = None
    witness: str | None = None


class Candidate(msgspec.Struct, frozen=True):
    """One way to ask one suspect."""

    configuration: Configuration
    is_warm: bool = False
    drawn: tuple[str, ...] = ()
    """Those of its options that nobody asked for: they were drawn."""


class Job(msgspec.Struct, frozen=True):
    """One query to be prepared, asked and judged. All its randomness follows from `seed`."""

    id: int
    kind: Kind
    seed: int
    configuration: Configuration
    limit_seconds: float
    memory_mb: int
    parents: tuple[Parent, ...] = ()
    """The first is where the chain starts; the others are partners for fusions."""
    source: str = ""
    """The name of the text that is to be read."""
    depth: int = 1
    first: str | None = None
    """The transformation to begin with, if it applies."""
    weights: dict[str, float] = {}
    """Of transformations; what is not named does not take part."""
    reorders: bool = False
    """Whether the clauses of the child are put into another order in the end."""
    is_warm: bool = False
    drawn: tuple[str, ...] = ()
    substitutes: tuple[Candidate, ...] = ()
    """Who is asked instead, in this order, where the instance lies outside of what the configuration supports."""
    examines_known_trouble: bool = False
    """Whether witnesses that are known to be unreliable are looked at in this query."""

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return (Candidate(self.configuration, self.is_warm, self.drawn), *self.substitutes)

    def put_to(self, place: int) -> Job:
        """The job with the candidate of this place as the one who is asked; the others can be asked besides."""
        chosen = self.candidates[place]
        others = (*self.candidates[:place], *self.candidates[place + 1 :])
        return msgspec.structs.replace(
            self,
            configuration=chosen.configuration,
            is_warm=chosen.is_warm,
            drawn=chosen.drawn,
            substitutes=others,
        )


class WireLink(msgspec.Struct, frozen=True):
    """A link of a chain, its choice as JSON text."""

    transformation: str
    choice: str
    partner: str | None = None


class Draft(msgspec.Struct, frozen=True):
    """A finding, as far as the worker knows it: confirmed by a cold run before all checkers."""

    severity: Severity
    answer: Answer
    evidence: str
    known: str | None = None
    is_flaky: bool = False
    needs: tuple[str, ...] = ()
    """Options without which it does not happen, though nobody asked for them."""


class Proof(msgspec.Struct, frozen=True):
    """A witness that checkers call valid, as JSON."""

    truth: Truth
    witness: str
    certified_by: tuple[str, ...]
    source: str
    """Who gave it: `transported`, `constructed`, or the label of a configuration."""


class Fault(msgspec.Struct, frozen=True):
    """A transported witness that does not check, or a promise that a certificate contradicts: our bug.

    `witness` is the one that fails, or the one that shows the promise to be wrong; `checkers` are those that say so.
    """

    truth: Truth
    witness: str
    reason: str
    checkers: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """What came of a job. Without `text` no child could be made, or there is a `refusal`."""

    id: int
    text: str | None = None
    address: str = ""
    features: Features = Features()
    origin: Origin = Origin.trick
    links: tuple[WireLink, ...] = ()
    promise: Truth | None = None
    transported: Standing = Standing.absent
    """What the checker says of the witness that came along with the child."""
    transported_reason: str = ""
    answer: Answer | None = None
    own: Standing = Standing.absent
    """What the checker says of the solver's own witness."""
    proof: Proof | None = None
    findings: tuple[Draft, ...] = ()
    remark: str = ""
    """What there is to be said of the answer to a user, whether anything is wrong with it or not."""
    fault: Fault | None = None
    asked: int = 0
    """The place of the candidate who was asked."""
    is_unsupported: bool = False
    """No candidate supports what the instance uses; nothing was asked."""
    is_repeated: bool = False
    """The same configuration had been asked the same text before; nothing was asked."""
    solver_seconds: float = 0.0
    """How long solvers have run in this worker since its last report."""
    preparation_seconds: float = 0.0
    trouble: str = ""
    """What went wrong in the worker itself, with its traceback."""
    refusal: str = ""
    """Why what a user has submitted is no instance."""
