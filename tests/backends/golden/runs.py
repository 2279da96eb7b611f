"""Records what solvers other than Spacer do with the instances in this folder, and what we read from it.

    python -m tests.backends.golden.runs golem golem,proof-format=intermediate eldarica@2.2.1

Look at the difference before it is committed: what stands in these files is what the readers are tested against.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import anyio
import msgspec

from backends.adapter import answer_of
from backends.adapters import ADAPTERS, adapter_of
from backends.answer import Answer, Configuration
from backends.examination import Examiner
from backends.limits import Limits
from backends.process import Ending, Run, run
from backends.store import parse_solver
from tests.backends.golden.record import HERE, instances, reading

LIMITS = Limits(wall_seconds=200.0, memory_mb=2048)


class Sample(msgspec.Struct, frozen=True):
    """One run: how it ended and what it printed, what is read from it, and what the checkers hold of that."""

    instance: str
    exit_code: int | None
    signal: int | None
    stdout: str
    stderr: str
    verdict: str
    detail: str
    own_check: str
    read: object
    standing: str


class Recording(msgspec.Struct, frozen=True):
    """One file: its name says the configuration, each of its lines is a sample."""

    configuration: Configuration
    samples: tuple[Sample, ...]


def recordings(solver: str) -> list[Recording]:
    """What has been recorded of a solver; `runs-golem@0.9.1,engine=kind.jsonl` is of that configuration."""
    decoder = msgspec.json.Decoder(Sample)
    files = sorted(HERE.glob(f"runs-{solver}@*.jsonl"))
    return [Recording(_recorded(path), tuple(decoder.decode_lines(path.read_bytes()))) for path in files]


def _recorded(path: Path) -> Configuration:
    head, *settings = path.stem.removeprefix("runs-").split(",")
    name, _, version = head.partition("@")
    options = tuple((option, value) for option, _, value in (each.partition("=") for each in settings))
    return Configuration(name, version, "/a/program", options)


def answer_to(configuration: Configuration, sample: Sample) -> Answer:
    """The answer that a run that went so would give."""
    ending = Ending.exited if sample.signal is None else Ending.signal
    result = Run(
        ("/a/program", "/an/instance.smt2"),
        ending,
        exit_code=sample.exit_code,
        signal=sample.signal,
        stdout=sample.stdout.encode(),
        stderr=sample.stderr.encode(),
    )
    return answer_of(configuration, result, ADAPTERS[configuration.solver].read(result))


async def _record(configuration: Configuration, examiner: Examiner, folder: Path) -> Recording:
    samples = []
    adapter = adapter_of(configuration)
    for name, instance in instances().items():
        if adapter.refusal(instance) is not None:
            continue
        path = folder / "asked.smt2"
        path.write_text(adapter.text_of(instance))
        result = await run(adapter.command(configuration, path, LIMITS), adapter.bounds(LIMITS))
        if result.ending not in (Ending.exited, Ending.signal):
            print(name, result.message)
            continue
        said = result.stdout.decode(), re.sub(r"/\S+/", "", result.stderr.decode())
        sample = Sample(name, result.exit_code, result.signal, *said, "", "", "", None, "")
        answer = answer_to(configuration, sample)
        examined = await examiner.examine_answer(instance, answer)
        samples.append(
            msgspec.structs.replace(
                sample,
                verdict=answer.verdict.value,
                detail=answer.detail,
                own_check=answer.own_check,
                read=reading(answer, instance),
                standing=examined.standing.value,
            )
        )
    return Recording(configuration, tuple(samples))


async def main(solvers: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with Examiner() as examiner:
            for solver in solvers:
                recording = await _record(parse_solver(solver), examiner, Path(folder))
                name = recording.configuration.label.replace(" ", ",")
                (HERE / f"runs-{name}.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(recording.samples))
                print(
                    name, *(f"{s.instance}: {s.verdict} {s.standing} {s.detail}" for s in recording.samples), sep="\n  "
                )


if __name__ == "__main__":
    anyio.run(main, sys.argv[1:])
