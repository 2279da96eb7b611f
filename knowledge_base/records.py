"""What is stored, as frozen records. Instances go by content address, the rest by keys made of their content."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from functools import cached_property

import msgspec

from backends.answer import Answer, Configuration
from chc.witness import Truth


class Origin(StrEnum):
    """Where an instance comes from; the first in this order wins when a text has several origins."""

    seed = "seed"
    user = "user"
    generated = "generated"
    trick = "trick"

    @property
    def rank(self) -> int:
        return list(Origin).index(self)


class WitnessOrigin(StrEnum):
    solver = "solver"
    transported = "transported"
    constructed = "constructed"


class Severity(StrEnum):
    """What is wrong with an answer, as computed from truth and answer."""

    unsound = "1"
    false_refutation = "2"
    wrong_model = "3a"
    wrong_refutation = "3b"
    unknown = "4a"
    failure = "4b"
    unresolved = "unresolved"
    warm_cold = "warm-cold"


class Status(StrEnum):
    """How far a finding has come."""

    open = "open"
    confirmed = "confirmed"
    unresolved = "unresolved"
    known = "known"
    flaky = "flaky"
    dismissed = "dismissed"


class Features(msgspec.Struct, frozen=True, omit_defaults=True):
    """What schedules and people want to know of an instance without reading it."""

    fragment: str = ""
    clauses: int = 0
    predicates: int = 0
    nodes: int = 0
    shape: str = ""
    """A label of the form apart from names and constants; a shape not seen before teaches something."""


class Link(msgspec.Struct, frozen=True):
    """One transformation of a chain, with the choice that makes it repeatable and the address of a partner."""

    transformation: str
    choice: msgspec.Raw
    partner: str | None = None


class Lineage(msgspec.Struct, frozen=True):
    """How an instance was made. The first parent is where the chain starts; partners are parents too."""

    parents: tuple[str, ...]
    chain: tuple[Link, ...] = ()


class InstanceRecord(msgspec.Struct, frozen=True, dict=True):
    """A text with where it comes from."""

    text: str
    origin: Origin
    source: str = ""
    features: Features = Features()
    lineage: Lineage | None = None
    added: float = 0.0

    @cached_property
    def address(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a schedule chose, with the share that each part had, so that schedules can be compared afterwards."""

    schedule: str
    instance: str
    truth: Truth | None
    instance_share: float
    transformation: str | None = None
    transformation_share: float = 1.0
    limit_seconds: float = 0.0


class AnswerRecord(msgspec.Struct, frozen=True):
    """One run of a configuration on an instance. Texts of witnesses are stored as far as the answer has them."""

    instance: str
    answer: Answer
    at: float
    is_warm: bool = False
    limit_seconds: float | None = None
    run: str | None = None
    choice: Choice | None = None


class WitnessRecord(msgspec.Struct, frozen=True):
    """A model (truth sat) or a refutation (truth unsat) of an instance, as JSON; nobody need have checked it."""

    instance: str
    truth: Truth
    data: str
    origin: WitnessOrigin
    at: float
    source: str = ""
    """Who gave it: the label of a configuration, the name of a transformation or of a generator."""


class CertificateRecord(msgspec.Struct, frozen=True):
    """A witness with the checkers that called it valid, and the time of the first of them."""

    key: str
    witness: WitnessRecord
    checkers: tuple[str, ...]
    at: float


class Contradiction(msgspec.Struct, frozen=True):
    """A certificate for the opposite of a known truth: a checker is wrong, and everything rests on that."""

    witness: WitnessRecord
    checkers: tuple[str, ...]
    known: Truth
    at: float


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One wrong or suspicious answer. `answer` and `certificate` are keys."""

    severity: Severity
    status: Status
    instance: str
    configuration: Configuration
    command: tuple[str, ...]
    evidence: str
    at: float
    answer: str | None = None
    expected: Truth | None = None
    certificate: str | None = None
    lineage: Lineage | None = None
    run: str | None = None
    reason: str = ""
    """Why it is known, dismissed or our own fault."""


class StoredFinding(msgspec.Struct, frozen=True):
    """A finding with its key, which is the same in every knowledge base, and when it last changed."""

    key: str
    finding: Finding
    changed: float


class OwnFault(msgspec.Struct, frozen=True, kw_only=True):
    """A transported witness that did not check: our bug, with everything needed to see it again."""

    instance: str
    lineage: Lineage
    truth: Truth
    witness: str
    checker: str
    reason: str
    at: float
    run: str | None = None


class Run(msgspec.Struct, frozen=True):
    """One campaign: from which seed, by which schedule, with which switches, on which versions."""

    id: str
    seed: int
    schedule: str
    started: float
    switches: dict[str, str] = {}
    versions: dict[str, str] = {}
    ended: float | None = None
