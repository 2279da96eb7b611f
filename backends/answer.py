"""What was asked of which solver, and what came back."""

from enum import StrEnum

import msgspec

from backends.trace import Trace


class Verdict(StrEnum):
    """What a solver said, or how it failed to say anything."""

    sat = "sat"
    unsat = "unsat"
    unknown = "unknown"
    timeout = "timeout"
    memout = "memout"
    crash = "crash"
    error = "error"


class Configuration(msgspec.Struct, frozen=True):
    """One solver at one version with one assignment of its options. `program` is an absolute path."""

    solver: str
    version: str
    program: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """For people, for instance `spacer@4.13.4 fp.xform.slice=false`."""
        return " ".join([f"{self.solver}@{self.version}", *(f"{name}={value}" for name, value in self.options)])


class Answer(msgspec.Struct, frozen=True):
    """What one run of a configuration on one instance gave.

    `detail` says in words why there is no plain answer: the text of an error, the name of a signal. A verdict can
    have one too, when the solver was stopped after it, and then the witness may be cut off. The texts are those
    parts of the output that hold the witness, as they came.
    """

    configuration: Configuration
    command: tuple[str, ...]
    verdict: Verdict
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float
    detail: str = ""
    model_text: str | None = None
    proof_text: str | None = None
    own_check: str = ""
    """What the solver holds of its own witness, in words, where it looks at it again."""
    trace: Trace | None = None
    """What the solver did, where it logged that."""
