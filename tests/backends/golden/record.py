"""Records what releases of Spacer print for the instances in this folder, and what we read from it.

    python -m tests.backends.golden.record spacer@4.13.4 spacer@5.4.0

Look at the difference before it is committed: what stands in these files is what the readers are tested against.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import anyio
import msgspec

from backends.adapters import adapter_of
from backends.answer import Answer, Configuration, Verdict
from backends.examination import Examiner
from backends.limits import Limits
from backends.printed import split_output
from backends.process import run
from backends.spacer import SPACER
from backends.store import parse_solver
from backends.unreadable import Unreadable
from chc.instance import Instance
from chc.model import Model, model_to_json
from chc.printer import show_atom
from chc.refutation import Derivation, Refutation, refutation_to_json
from chc.script import read_instance

HERE = Path(__file__).parent
LIMITS = Limits(wall_seconds=20.0, memory_mb=2048)
PLAIN = Configuration("spacer", "recorded", "/z3")


class Sample(msgspec.Struct, frozen=True):
    """One run: what was printed, what is read from it, and what all checkers together hold of that."""

    instance: str
    for_witness: bool
    stdout: str
    verdict: str
    read: object
    standing: str


class Recording(msgspec.Struct, frozen=True):
    """One file: its name says the release, each of its lines is a sample."""

    release: str
    samples: tuple[Sample, ...]


def instances() -> dict[str, Instance]:
    return {path.stem: read_instance(path.read_text(), path.name) for path in sorted(HERE.glob("*.smt2"))}


def recordings() -> list[Recording]:
    decoder = msgspec.json.Decoder(Sample)
    files = sorted(HERE.glob("spacer-*.jsonl"))
    return [
        Recording(path.stem.removeprefix("spacer-"), tuple(decoder.decode_lines(path.read_bytes()))) for path in files
    ]


def answer_of(stdout: str, *, for_witness: bool) -> Answer:
    """The answer that a run with this output would have given."""
    said = split_output(stdout)
    configuration = SPACER.for_witnesses(PLAIN) if for_witness else PLAIN
    verdict = Verdict(said.verdict or "error")
    return Answer(configuration, (), verdict, 0.0, 0.0, 0.0, "", said.after, said.before)


def reading(answer: Answer, instance: Instance) -> object:
    """What is read from an answer, as plain data."""
    try:
        found = adapter_of(answer.configuration).read_witness(answer, instance)
    except Unreadable as problem:
        return {type(problem).__name__: str(problem)}
    if isinstance(found, Model):
        return model_to_json(found)
    if isinstance(found, Refutation):
        return refutation_to_json(found)
    if isinstance(found, Derivation):
        return [[show_atom(each.fact), list(each.premises)] for each in found.facts]
    return None


async def _record(configuration: Configuration, examiner: Examiner) -> Recording:
    samples = []
    for name, instance in instances().items():
        for for_witness in (False, True):
            stdout = await _run(configuration, instance, for_witness=for_witness)
            answer = answer_of(stdout, for_witness=for_witness)
            standing = (await examiner.examine_answer(instance, answer)).standing
            read = reading(answer, instance)
            samples.append(Sample(name, for_witness, stdout, answer.verdict, read, standing))
    return Recording(configuration.version, tuple(samples))


async def _run(configuration: Configuration, instance: Instance, *, for_witness: bool) -> str:
    asked = SPACER.for_witnesses(configuration) if for_witness else configuration
    async with await anyio.open_file(HERE / "asked.tmp", "w") as file:
        await file.write(SPACER.spelled(instance).text)
    result = await run(SPACER.command(asked, HERE / "asked.tmp", LIMITS), LIMITS)
    return re.sub(r"[ \t]*\n[ \t]*", "\n", result.stdout.decode())


async def main(releases: list[str]) -> None:
    async with Examiner() as examiner:
        for release in releases:
            recording = await _record(parse_solver(release), examiner)
            path = HERE / f"spacer-{recording.release}.jsonl"
            path.write_bytes(msgspec.json.Encoder().encode_lines(recording.samples))
            print(
                path, *(f"{s.instance}: {s.verdict} {s.standing}" for s in recording.samples if s.standing != "valid")
            )
    (HERE / "asked.tmp").unlink()


if __name__ == "__main__":
    anyio.run(main, sys.argv[1:])
