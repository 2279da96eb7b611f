"""Makes docs/events.md from the structs of the events: python -m daemon.events_page > docs/events.md"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from enum import Enum

import msgspec

from daemon import events
from daemon.documented import summary_of, words_of
from daemon.events import VERSION, Event, Yield
from daemon.hygiene import Hygiene

_HEAD = f"""\
# Events of the log

What the daemon says, one JSON object per line; `hornblower run --json` says the same. This page is made from the code.
How to read the log, with recipes, is told in [log.md](log.md).

Every line begins with

| field | meaning |
|---|---|
| `event` | the name of the event |
| `at` | when, in seconds since 1970 |
| `level` | `debug`, `info`, `warning` or `error` |
| `v` | the version of this set of events: {VERSION}. It grows when readers would break, not for new fields |

The name of a run, the number of a query, the address of an instance, the key of a finding and the id of a job mean the
same here, in the knowledge base (`hornblower findings`, `hornblower explain`), and on the socket.
"""


def all_events() -> list[type[Event]]:
    """In the order in which they stand in the code."""
    return [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Event)][1:]


def page() -> str:
    parts = [_HEAD, *(_section(each) for each in all_events())]
    parts += [_table_of("What stands in `transformations`", Yield), _table_of("What stands in `hygiene`", Hygiene)]
    return "\n".join(parts)


def _section(kind: type[Event]) -> str:
    name = kind.__struct_config__.tag
    level = "error, or info for known trouble and what is flaky" if kind is events.Finding else kind.level.name
    return _table_of(f"`{name}`", kind, f"{summary_of(kind)} Level: {level}.")


def _table_of(title: str, kind: type[msgspec.Struct], words: str = "") -> str:
    lines = [f"## {title}", "", words or summary_of(kind), ""]
    rows = list(_rows(kind))
    return "\n".join([*lines, *(["| field | type | meaning |", "|---|---|---|", *rows, ""] if rows else [])])


def _rows(kind: type[msgspec.Struct]) -> Iterator[str]:
    hints = typing.get_type_hints(kind)
    for name, words in words_of(kind).items():
        yield f"| `{name}` | {_type_of(hints[name])} | {words.replace('|', chr(92) + '|')} |"


def _type_of(hint: object) -> str:
    """As it is in JSON."""
    if isinstance(hint, types.UnionType):
        return " or ".join(_type_of(each) for each in typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        return f"list of {_type_of(typing.get_args(hint)[0])}"
    if typing.get_origin(hint) is dict:
        return f"object of {_type_of(typing.get_args(hint)[1])}"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "one of " + ", ".join(f"`{each.value}`" for each in hint)
    names = {
        str: "string",
        int: "integer",
        float: "number",
        bool: "true or false",
        type(None): "null",
        object: "anything",
    }
    return names.get(hint, "object") if isinstance(hint, type) else "anything"


if __name__ == "__main__":
    print(page(), end="")
