"""`hornblower status`: how the daemon is doing, once or again and again."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping

import msgspec
from rich.console import Console
from rich.live import Live
from rich.text import Text

from daemon.cli.arguments import positive
from daemon.cli.socket_options import EXIT_CODES, add_options, connect
from daemon.client import Client
from daemon.protocol import AskHealth, AskStatus, HealthReply, JobList, Jobs, StatusReply

_EPILOG = f"""\
exit codes:
  0  the daemon answers, and nothing is unwell
  1  it answers, and says what is unwell
  2  the command is misspelt
{EXIT_CODES}
"""
_FOR_PROGRAMS = ("transformations", "health")
"""What is long, or shown elsewhere."""


class Picture(msgspec.Struct, frozen=True):
    """What is shown, and what `--json` prints."""

    status: dict[str, object]
    health: tuple[dict[str, object], ...]
    open_jobs: int


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "status",
        help="how the daemon is doing",
        description="Shows how the hunt is going, what is unwell, and how many jobs are open.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser)
    parser.add_argument("--watch", action="store_true", help="again and again, until interrupted")
    parser.add_argument(
        "--every", type=positive(float), default=2.0, metavar="S", help="seconds between two looks with --watch (2)"
    )
    parser.set_defaults(command=status)


def status(arguments: argparse.Namespace) -> int:
    with connect(arguments) as client:
        if arguments.watch:
            return _watch(client, arguments)
        picture = look(client)
    print(msgspec.json.encode(picture).decode() if arguments.json else "\n".join(lines_of(picture)))
    return 1 if picture.health else 0


def look(client: Client) -> Picture:
    return Picture(
        client.ask(AskStatus(client.next_id()), StatusReply).status,
        client.ask(AskHealth(client.next_id()), HealthReply).episodes,
        len(client.ask(Jobs(client.next_id()), JobList).jobs),
    )


def _watch(client: Client, arguments: argparse.Namespace) -> int:
    """On a terminal in one place, elsewhere as one line of JSON or one block of text after the other."""
    console = Console()
    if arguments.json or not console.is_terminal:
        while True:
            picture = look(client)
            print(msgspec.json.encode(picture).decode() if arguments.json else "\n".join(lines_of(picture)), flush=True)
            time.sleep(arguments.every)
    with Live(console=console, auto_refresh=False) as live:
        while True:
            live.update(Text("\n".join(lines_of(look(client)))), refresh=True)
            time.sleep(arguments.every)


def lines_of(picture: Picture) -> Iterator[str]:
    """For people: a line for each thing, nested ones indented."""
    yield from _lines(picture.status, "")
    yield f"open jobs: {picture.open_jobs}"
    if not picture.health:
        yield "health: well"
    for episode in picture.health:
        yield "unwell: " + "; ".join(str(value) for value in episode.values() if value not in ("", None))


def _lines(fields: Mapping[str, object], indent: str) -> Iterator[str]:
    for name, value in fields.items():
        label = f"{indent}{name.replace('_', ' ')}:"
        if name in _FOR_PROGRAMS:
            continue
        if isinstance(value, Mapping) and any(isinstance(each, str | Mapping) for each in value.values()):
            yield label
            yield from _lines(value, indent + "  ")
        elif isinstance(value, Mapping):
            yield f"{label} {', '.join(f'{key} {each}' for key, each in value.items()) or 'none'}"
        elif isinstance(value, list):
            yield f"{label} {', '.join(map(str, value)) or 'none'}"
        else:
            yield f"{label} {value}"
