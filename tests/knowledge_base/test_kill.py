"""A process that is killed while it writes: what it said was written is there, and nothing is half done."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge_base import counters
from knowledge_base.integrity import problems
from knowledge_base.store import open_knowledge_base

WRITER = """
import functools, sys
from knowledge_base import counters, findings, instances, truths
from knowledge_base.store import in_one, open_knowledge_base
from tests.knowledge_base.builders import finding, instance, trick, witness
knowledge = open_knowledge_base(sys.argv[1])
start = knowledge.read(counters.totals).get("rounds", 0)
seed = instance("seed")
knowledge.write_now(instances.add, seed)
def steps(number):
    child = trick(f"child {number} " + "x" * (number * 977 % 20000), seed)
    return [
        functools.partial(instances.add, record=child),
        functools.partial(counters.count, amounts={"rounds": 1}),
        functools.partial(truths.settle, witness=witness(child), checkers=["z3"], at=1.0),
        functools.partial(findings.record, finding=finding(child)),
    ]
number = start
while True:
    futures = [knowledge._writer.submit(in_one, steps(number + each)) for each in range(1 + number % 4)]
    for future in futures:
        future.result()
        number += 1
        print(number, flush=True)
"""


def rounds_until_killed(directory: Path, acknowledged: int) -> int:
    """Let it write until it has acknowledged so many rounds, kill it, and return the last one it told of."""
    command = [sys.executable, "-c", WRITER, str(directory)]
    repository = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=repository) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(acknowledged)]
        process.kill()
        # What it told between our last look and the kill counts too; the last line may be cut off.
        lines += [line for line in process.stdout if line.endswith("\n")]
    return int(lines[-1])


@pytest.mark.parametrize("seed", range(3))
def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path, seed: int) -> None:
    """Killed three times in a row at moments that chance chooses, it goes on where it was each time."""
    rng = random.Random(seed)
    for _ in range(3):
        told = rounds_until_killed(tmp_path, rng.randint(1, 40))
        with open_knowledge_base(tmp_path) as knowledge:
            done = knowledge.read(counters.totals)["rounds"]
            sizes = knowledge.read(counters.sizes)
            assert told <= done
            assert (done + 1, done, done, done) == tuple(
                sizes[table] for table in ("instances", "lineages", "truths", "findings")
            )
            assert [] == knowledge.read(problems)
