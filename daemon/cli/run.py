"""`hornblower run`: hunt for wrong answers until told to stop."""

from __future__ import annotations

import argparse
import os
import random
import secrets
import signal
import sqlite3
from pathlib import Path
from typing import Final

import anyio
from anyio.abc import TaskStatus

from backends.guardian import HOUSEHOLD
from backends.store import find, parse_solver
from daemon.cli.arguments import MEMORY, SLOTS, duration, place, positive
from daemon.cli.errors import UserError
from daemon.cli.inputs import from_path, read
from daemon.events import Summary, UnreadableSeed
from daemon.hunt import Goal, Hunt, HuntFailed, Stage
from daemon.seeding import Seed, embedded_seeds, seed_of
from daemon.settings import Settings, Switches
from daemon.state import state_directory
from daemon.status import Display, conclusion, display_for
from knowledge_base.lock import AlreadyOwned
from knowledge_base.schedules import DEFAULT, SCHEDULES
from knowledge_base.schema import UnusableDatabase
from knowledge_base.store import KnowledgeBase, open_knowledge_base
from transformations.catalogue import CATALOGUE

FOUND: Final = 3
NOTHING_FOUND: Final = 0
_EPILOG: Final = """\
exit codes:
  0  nothing wrong was found
  2  the command is misspelt
  3  at least one finding that is not known trouble (see: hornblower findings list)
  4  an input cannot be read, or the state directory cannot be used

interrupt once to finish what is under way, twice to stop at once; start again to continue

examples:
  hornblower run --for 10m
  hornblower run --solver spacer@4.13.4 --seeds my/instances --until-bug
"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "run",
        help="hunt for wrong answers",
        description="Interrogates solvers with trick instances until told to stop.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--solver",
        action="append",
        dest="solvers",
        metavar="NAME[@VERSION][,OPTION=VALUE]",
        help="a suspect, repeatable; the newest spacer unless told",
    )
    parser.add_argument(
        "--seeds", action="append", default=[], metavar="DIR|FILE", help="instances to begin with, repeatable"
    )
    parser.add_argument("--without-corpus", action="store_true", help="begin without the embedded instances")
    parser.add_argument(
        "--state", type=place, metavar="DIR", help=f"where to keep what is learnt ({state_directory()})"
    )
    parser.add_argument("--slots", type=SLOTS, metavar="N", help=f"solvers at the same time ({os.cpu_count() or 1})")
    limit = parser.add_argument_group("when to stop (whichever comes first)")
    limit.add_argument("--for", type=duration, dest="seconds", metavar="10m", help="stop after this time")
    limit.add_argument("--queries", type=positive(int), metavar="N", help="stop after so many queries")
    limit.add_argument("--until-bug", action="store_true", help="stop at the first finding that is news")
    parser.add_argument("--seed", type=int, metavar="N", help="of the random choices (drawn and shown unless told)")
    parser.add_argument("--schedule", choices=sorted(SCHEDULES), default=DEFAULT, help=f"what to ask next ({DEFAULT})")
    parser.add_argument(
        "--timeout", type=positive(float), default=10.0, metavar="S", help="at most so long for a query (10)"
    )
    parser.add_argument("--memory", type=MEMORY, default=2048, metavar="MB", help="memory for each query (2048)")
    parser.add_argument(
        "--budget", type=positive(int), default=2048, metavar="MB", help="size of the knowledge base (2048)"
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=("knowledge-base", "witnesses", "options"),
        help="leave out a part of the method, for comparison; repeatable",
    )
    parser.add_argument(
        "--only", choices=sorted(CATALOGUE), metavar="TRANSFORMATION", help="use one transformation only"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per event, the last one a summary")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments)
    seeds, unreadable = _seeds(arguments)
    goal = Goal(arguments.seconds, arguments.queries, arguments.until_bug)
    with _open(arguments.state or state_directory()) as knowledge, display_for(as_json=arguments.json) as display:
        for name, reason in unreadable.items():
            display(UnreadableSeed(name, reason))
        try:
            summary = anyio.run(_hunt, settings, goal, knowledge, display, seeds)
        except HuntFailed as problem:
            raise UserError(str(problem)) from problem
        finally:
            HOUSEHOLD.guardian.stop()
    if arguments.json:
        display(summary)
    else:
        print(conclusion(summary))
    return FOUND if summary.findings else NOTHING_FOUND


def _open(directory: Path) -> KnowledgeBase:
    try:
        return open_knowledge_base(directory)
    except (AlreadyOwned, UnusableDatabase) as problem:
        raise UserError(str(problem)) from problem
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise UserError(f"{directory} cannot be the state directory: {reason}; name another: --state DIR") from problem
    except sqlite3.Error as problem:
        raise UserError(f"the knowledge base in {directory} cannot be opened: {problem}") from problem


async def _hunt(
    settings: Settings, goal: Goal, knowledge: KnowledgeBase, display: Display, seeds: list[Seed]
) -> Summary:
    run_id = secrets.token_hex(8)
    hunt = Hunt(settings, goal, knowledge, display, run_id)
    problem: HuntFailed | None = None
    async with anyio.create_task_group() as group:
        await group.start(_heed_signals, hunt)
        group.start_soon(_refresh, hunt, display)
        try:
            summary = await hunt.run(seeds)
        except HuntFailed as failure:
            problem = failure  # outside, so that no group of exceptions is made of it
        group.cancel_scope.cancel()
    if problem is not None:
        raise problem
    return summary


async def _heed_signals(hunt: Hunt, *, task_status: TaskStatus[None]) -> None:
    """The first one ends the hunt, the second one at once."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        task_status.started()
        async for _ in received:
            if hunt.stage is Stage.draining:
                hunt.stop()
            else:
                hunt.drain()


async def _refresh(hunt: Hunt, display: Display) -> None:
    while True:
        await anyio.sleep(0.5)
        display.show(hunt.summary())


def _settings(arguments: argparse.Namespace) -> Settings:
    configurations = [parse_solver(text) for text in arguments.solvers or []] or [find("spacer")]
    switches = Switches(
        knowledge_base="knowledge-base" not in arguments.without,
        witnesses="witnesses" not in arguments.without,
        options="options" not in arguments.without,
        only=arguments.only,
    )
    return Settings(
        configurations=tuple(configurations),
        slots=arguments.slots or os.cpu_count() or 1,
        seed=random.SystemRandom().getrandbits(31) if arguments.seed is None else arguments.seed,
        schedule=arguments.schedule,
        memory_mb=arguments.memory,
        ceiling_seconds=arguments.timeout,
        budget_bytes=arguments.budget * 1024 * 1024,
        switches=switches,
    )


def _seeds(arguments: argparse.Namespace) -> tuple[list[Seed], dict[str, str]]:
    """The embedded ones, and each file as an instance of open truth; and why those that were left out cannot be read.

    A file that is named and cannot be read ends the command; one among others in a directory is left out.
    """
    seeds = [] if arguments.without_corpus else embedded_seeds()
    unreadable: dict[str, str] = {}
    for path in arguments.seeds:
        found = len(seeds)
        for source in from_path(path):
            try:
                given = read(source)
            except UserError as problem:
                if not Path(path).is_dir():
                    raise
                unreadable[source.name] = str(problem)
            else:
                seeds.append(seed_of(given.name, given.instance))
        if len(seeds) == found:
            raise UserError(
                f"{path}: no file in this directory can be read; the last one: {[*unreadable.values()][-1]}"
            )
    return seeds, unreadable
