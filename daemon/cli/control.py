"""`hornblower pause`, `resume`, `drain`, `explain` and `metrics`: one question to the daemon, one answer."""

from __future__ import annotations

import argparse

import msgspec

from daemon.cli.errors import UserError
from daemon.cli.socket_options import EXIT_CODES, add_options, connect
from daemon.protocol import AskMetrics, Done, Drain, Explain, Explanation, Metrics, Pause, Resume

_EPILOG = f"""\
exit codes:
  0  done
  2  the command is misspelt
{EXIT_CODES}
"""
_CONTROLS: dict[str, tuple[type[Pause] | type[Resume] | type[Drain], str]] = {
    "pause": (Pause, "ask nothing more until resumed; what is under way is finished"),
    "resume": (Resume, "go on after a pause"),
    "drain": (Drain, "finish what is under way, then stop the daemon; jobs go on when it is started again"),
}


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for name, (_, words) in _CONTROLS.items():
        _add(commands, name, words).set_defaults(command=control, control=name)
    words = "why was this asked, with the whole chain back to a seed"
    explaining = _add(commands, "explain", words)
    explaining.add_argument("what", metavar="ID", help="of a finding, an instance or a job; the beginning is enough")
    explaining.set_defaults(command=explain)
    _add(commands, "metrics", "numbers in the text format of Prometheus").set_defaults(command=metrics)


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, words: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=words,
        description=f"{words[0].upper()}{words[1:]}.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser)
    return parser


def control(arguments: argparse.Namespace) -> int:
    kind = _CONTROLS[arguments.control][0]
    with connect(arguments) as client:
        words = client.ask(kind(client.next_id()), Done).words
    print(msgspec.json.encode({"done": words}).decode() if arguments.json else words)
    return 0


def explain(arguments: argparse.Namespace) -> int:
    what = arguments.what.lower()
    if len(what) < 2 or set(what) - set("0123456789abcdef"):
        raise UserError(f"{arguments.what} is no key, address or id: these are made of the digits 0-9 and a-f")
    with connect(arguments) as client:
        found = client.ask(Explain(client.next_id(), what), Explanation)
    print(msgspec.json.encode(found).decode() if arguments.json else "\n".join(found.lines))
    return 0


def metrics(arguments: argparse.Namespace) -> int:
    with connect(arguments) as client:
        text = client.ask(AskMetrics(client.next_id()), Metrics).text
    print(
        msgspec.json.encode({"text": text}).decode() if arguments.json else text, end="" if not arguments.json else "\n"
    )
    return 0
