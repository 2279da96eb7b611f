"""Small records to fill a knowledge base with; what is said here about solvers is made up."""

import os
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from backends.answer import Answer, Configuration, Verdict
from backends.trace import trace_of
from chc.witness import Truth
from knowledge_base.records import (
    AnswerRecord,
    Features,
    Finding,
    InstanceRecord,
    Lineage,
    Link,
    Origin,
    OwnFault,
    Run,
    Severity,
    Status,
    WitnessOrigin,
    WitnessRecord,
)

SPACER = Configuration("spacer", "4.13.4", "/opt/z3", (("fp.xform.slice", "false"),))
GOLEM = Configuration("golem", "0.9.0", "/opt/golem")


def quick_directory() -> Path:
    """A fresh directory, in memory where that can be had: many small tests need not wait for a disk to flush."""
    memory = "/dev/shm"
    return Path(mkdtemp(prefix="hornblower-", dir=memory if os.access(memory, os.W_OK) else None))


def instance(text: str = "(set-logic HORN)", origin: Origin = Origin.seed) -> InstanceRecord:
    return InstanceRecord(
        text, origin, source=f"{len(text)}.smt2", features=Features("LIA", 1, 1, len(text)), added=1.0
    )


def lineage(*parents: InstanceRecord, number: int = 0) -> Lineage:
    """A chain of one link that starts from the first parent and takes the second, if there is one, as partner."""
    partner = parents[1].address if len(parents) > 1 else None
    link = Link("swap-and", msgspec.Raw(f'{{"clause":{number}}}'), partner)
    return Lineage(tuple(parent.address for parent in parents), (link,))


def trick(text: str, *parents: InstanceRecord) -> InstanceRecord:
    return InstanceRecord(text, Origin.trick, lineage=lineage(*parents), added=2.0)


def answer(
    record: InstanceRecord, verdict: Verdict = Verdict.sat, configuration: Configuration = SPACER, at: float = 3.0
) -> AnswerRecord:
    return AnswerRecord(
        record.address,
        Answer(
            configuration,
            (configuration.program, "in.smt2"),
            verdict,
            0.25,
            0.2,
            12.5,
            "said so",
            "(model)",
            trace=None if verdict is Verdict.unsat else trace_of(["level 1", f"level {len(record.text)}"]),
        ),
        at,
        limit_seconds=10.0,
    )


def witness(record: InstanceRecord, truth: Truth = Truth.sat, data: str = '{"p":1}') -> WitnessRecord:
    return WitnessRecord(record.address, truth, data, WitnessOrigin.transported, 4.0, "swap-and")


def finding(record: InstanceRecord, status: Status = Status.open, at: float = 5.0) -> Finding:
    return Finding(
        severity=Severity.unresolved if status is Status.unresolved else Severity.unsound,
        status=status,
        instance=record.address,
        configuration=SPACER,
        command=("/opt/z3", "in.smt2"),
        evidence="clause 1 is violated by x = 0",
        expected=Truth.unsat,
        at=at,
    )


def fault(record: InstanceRecord, *parents: InstanceRecord) -> OwnFault:
    return OwnFault(
        instance=record.address,
        lineage=lineage(*parents, number=7),
        truth=Truth.sat,
        witness='{"p":2}',
        checker="z3",
        reason="clause 2 is violated",
        at=6.0,
    )


def run(name: str = "run-1") -> Run:
    return Run(name, 2**70, "adaptive", 1.0, {"witnesses": "off"}, {"spacer": "4.13.4"})
