"""docs/protocol.md and docs/protocol.schema.json, made from the structs of the protocol:

.venv/bin/python -m daemon.protocol_page docs
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Final, get_args

import msgspec

from daemon import protocol
from daemon.desk import MOST_OPEN, MOST_OWN
from daemon.documented import member_words_of, summary_of, words_of
from daemon.errands import MOST_DEATHS, TOLD_ONE_BY_ONE
from daemon.lines import SocketRules
from knowledge_base.errands import MOST_REMEMBERED, Budget, Priority, State

Schema = Mapping[str, object]

_REFERENCE: Final = "#/$defs/{name}"
_HEAD: Final = f"""\
# The protocol of the socket

This page is made from the code by `daemon.protocol_page`. It describes version {protocol.VERSION}; the version grows
with every change that an older client would not understand. `hornblower submit` and its relatives speak it
([submit.md](submit.md)); any program that can open a Unix socket and read JSON can do the same.

## How to talk

One JSON object per line, in UTF-8, each way. The daemon speaks first: `hello` says which version it speaks and how long
a line may be. A client sends requests; each has an `id` of the client's choice (a string or an integer), and whatever
the daemon says about a request carries that `id`. Requests on one connection are answered one after another, except for
`attach` and `tail`: these are streams that go on beside the others. Who has said everything may close its writing side
and still listen.

    $ printf '%s\\n' '{{"id": 1, "request": "jobs"}}' | socat - UNIX-CONNECT:/run/hornblower/hornblower.sock
    {{"reply":"hello","protocol":1,"version":"0.1.0","pid":4711,"largest_line":8388608}}
    {{"reply":"jobs","id":1,"jobs":[]}}

A field that is not named here is refused, and so is a value outside of its bounds. Fields with a default may be left
out. Replies and events may get new fields without a new version: ignore what you do not know. The same as a JSON
Schema, for programs, is in [protocol.schema.json](protocol.schema.json): `Request` is what a client may send, `Reply`
what it may hear.

## Who may connect

The mode of the socket says it: root, the user of the daemon, and the members of its group. The daemon asks the kernel
who is at the other end, checks it once more, and logs it (event `client`). Everybody who may connect may submit, look,
and pause, resume or drain the hunt, which is logged (event `control`). A job can be cancelled by its user, by root and
by the user of the daemon. Programs by path (`spacer@path:...`) and options that are not known to be harmless can only
be named by root and the user of the daemon, because solvers have options that write files.

A text is read by a process of its own, with limits of time and memory, and printed anew: what a solver sees is
Hornblower's own text. Commands other than those of the CHC-COMP format never reach one.

## Bounds
"""
_JOBS: Final = f"""\
## Jobs

A job is stored before `taken` is said. It goes on whatever happens to the client, and after a restart of the daemon;
what was under way then is done again. First its text is read, then each solver is asked and its answer is certified
as by `hornblower check`. With a budget, the neighbourhood follows: trick instances made from the instance and from its
descendants. Time in which the hunt is paused does not count.

`attach` tells all events from the beginning, or after a number, and then as they happen; the last one is `over`. Of the
queries of an interrogation the first {TOLD_ONE_BY_ONE} are told one by one, then one in a hundred and those with
findings. A step over which {MOST_DEATHS} worker processes have died is given up. At most {MOST_OPEN} jobs may be open,
{MOST_OWN} of one user; the latest {MOST_REMEMBERED} that are over are remembered.
"""


def page() -> str:
    parts = [
        _HEAD,
        *_table(("bound", "default", "meaning"), _bounds()),
        "",
        "## Requests",
        "",
        "Every request has `request`, its name, and `id`.",
        "",
        *_structs(get_args(protocol.Request), hidden=("id",)),
        _JOBS,
        *_members("state", State),
        *_members("priority", Priority),
        *_members("trust", protocol.Trust),
        "## Events of jobs",
        "",
        "They come in `happened`, as its field `event`, and are told apart by their own field `event`.",
        "",
        *_structs(get_args(protocol.Event)),
        "## Replies",
        "",
        "Every reply has `reply`, its name, and the `id` of its request; `hello` has none.",
        "",
        *_structs(get_args(protocol.Reply), hidden=("id",)),
        "### Parts of replies",
        "",
        *_structs((protocol.JobLine, protocol.Solver, protocol.FindingLine, Budget)),
        *_members("code", protocol.Code),
    ]
    return "\n".join(parts).rstrip() + "\n"


def schema_file() -> str:
    return msgspec.json.format(msgspec.json.encode(schema())).decode() + "\n"


def schema() -> dict[str, object]:
    (request, reply), components = msgspec.json.schema_components(
        (protocol.Request, protocol.Reply), ref_template=_REFERENCE, schema_hook=_anything
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"hornblower protocol {protocol.VERSION}",
        "$defs": {"Request": request, "Reply": reply, **components},
    }


def _anything(kind: type) -> dict[str, object]:
    """What is not of the protocol's own making, such as the fields of the status."""
    return {"title": "anything"}


def _bounds() -> Iterator[tuple[str, str, str]]:
    words = words_of(SocketRules)
    for name, default in msgspec.structs.asdict(SocketRules()).items():
        yield f"`{name}`", f"{default:g}" if isinstance(default, float) else str(default), words[name]


def _structs(kinds: Sequence[type[msgspec.Struct]], hidden: Sequence[str] = ()) -> Iterator[str]:
    for kind in kinds:
        tag = kind.__struct_config__.tag
        yield f"### {f'`{tag}`' if tag else kind.__name__}"
        yield ""
        yield _own_words(kind)
        yield ""
        rows = [row for row in _fields(kind) if row[0] not in {f"`{name}`" for name in hidden}]
        if rows:
            yield from _table(("field", "type", "default", "meaning"), rows)
            yield ""


def _own_words(kind: type[msgspec.Struct]) -> str:
    """Its docstring; msgspec and Python make one up where there is none."""
    return summary_of(kind) if "__doc__" in vars(kind) and kind.__doc__ else ""


def _fields(kind: type[msgspec.Struct]) -> Iterator[tuple[str, str, str, str]]:
    _, components = msgspec.json.schema_components((kind,), ref_template=_REFERENCE, schema_hook=_anything)
    properties = components[kind.__name__]["properties"]
    words = words_of(kind)
    for field in msgspec.structs.fields(kind):
        default = "" if field.required else f"`{msgspec.json.encode(field.default).decode()}`"
        yield f"`{field.encode_name}`", _type(properties[field.encode_name], components), default, words[field.name]


def _type(schema: Schema, components: Mapping[str, Schema]) -> str:
    """A JSON Schema in a few words."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        target = components[name]
        return " or ".join(f"`{each}`" for each in _list(target["enum"])) if "enum" in target else name
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(each, components) for each in _schemas(schema["anyOf"])))
    if schema.get("type") == "array":
        items = schema.get("items")
        return f"list of {_type(items, components)}" if isinstance(items, Mapping) else "list"
    bounds = [f"{sign} {schema[key]}" for key, sign in _BOUNDS.items() if key in schema]
    pattern = [f"like `{schema['pattern']}`"] if "pattern" in schema else []
    return ", ".join([str(schema.get("type", "anything")), *bounds, *pattern])


_BOUNDS: Final = {
    "minimum": "≥",
    "exclusiveMinimum": ">",
    "maximum": "≤",
    "minLength": "length ≥",
    "maxLength": "length ≤",
}


def _list(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _schemas(value: object) -> Iterator[Schema]:
    return (each for each in _list(value) if isinstance(each, Mapping))


def _members(title: str, kind: type[Enum]) -> Iterator[str]:
    words = member_words_of(kind)
    yield from _table((title, "meaning"), ((f"`{each.value}`", words[each.name]) for each in kind))
    yield ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


if __name__ == "__main__":
    docs = Path(sys.argv[1])
    (docs / "protocol.md").write_text(page(), encoding="utf-8")
    (docs / "protocol.schema.json").write_text(schema_file(), encoding="utf-8")
