"""Real outputs of other releases of Golem and Eldarica, from the collection beside the repository."""

from pathlib import Path

import msgspec
import pytest

from backends.adapter import answer_of
from backends.adapters import ADAPTERS
from backends.answer import Configuration, Verdict
from backends.examination import Examiner, Standing
from backends.process import Ending, Run
from chc.script import read_instance

pytestmark = [pytest.mark.anyio, pytest.mark.shared]

DECIDED = (Verdict.sat, Verdict.unsat)


class Recorded(msgspec.Struct, frozen=True):
    """One run as it was recorded; a signal is a negative exit code."""

    args: list[str]
    input: str
    exit: int
    stdout: str
    stderr: str

    @property
    def run(self) -> Run:
        return Run(
            ("/a/program", *self.args, self.input),
            Ending.exited if self.exit >= 0 else Ending.signal,
            self.exit if self.exit >= 0 else None,
            -self.exit if self.exit < 0 else None,
            self.stdout.encode(),
            self.stderr.encode(),
        )


@pytest.mark.parametrize(("solver", "witness", "least"), [("golem", "--print-witness", 24), ("eldarica", "-ssol", 42)])
async def test_what_is_decided_is_certified(shared_dir: Path, solver: str, witness: str, least: int) -> None:
    """On the tiny instances, as far as the solver supports them; nothing else comes with a witness that counts."""
    adapter, configuration = ADAPTERS[solver], Configuration(solver, "recorded", "/a/program")
    lines = (shared_dir / "recordings" / solver / "runs.jsonl").read_bytes()
    runs = msgspec.json.Decoder(Recorded).decode_lines(lines)
    certified = 0
    async with Examiner() as examiner:
        for recorded in runs:
            instance = read_instance((shared_dir / recorded.input).read_text(), recorded.input)
            if "/tiny/" not in recorded.input or witness not in recorded.args or adapter.refusal(instance) is not None:
                continue
            answer = answer_of(configuration, recorded.run, adapter.read(recorded.run))
            if answer.verdict in DECIDED:
                assert Standing.valid == (await examiner.examine_answer(instance, answer)).standing, recorded.input
                certified += 1
    assert certified >= least
