"""docs/protocol.md and its schema are those that the code makes, and the messages that are shown are messages."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from daemon import protocol
from daemon.protocol_page import page, schema, schema_file

DOCS = Path(__file__).resolve().parents[2] / "docs"
AGAIN = "make it anew: .venv/bin/python -m daemon.protocol_page docs"


def test_the_page_is_what_the_code_makes() -> None:
    """After a change of the protocol it has to be made anew."""
    assert page() == (DOCS / "protocol.md").read_text(encoding="utf-8"), AGAIN


def test_the_schema_is_what_the_code_makes() -> None:
    """Likewise."""
    assert schema_file() == (DOCS / "protocol.schema.json").read_text(encoding="utf-8"), AGAIN


@pytest.mark.parametrize("kind", [*get_args(protocol.Request), *get_args(protocol.Reply), *get_args(protocol.Event)])
def test_every_message_has_its_section(kind: type[msgspec.Struct]) -> None:
    """With its tag as the heading."""
    assert f"### `{kind.__struct_config__.tag}`\n" in page()


def test_every_reference_of_the_schema_leads_somewhere() -> None:
    """To one of its definitions."""
    text = json.dumps(schema())
    definitions = schema()["$defs"]
    assert isinstance(definitions, dict)
    wanted = set(re.findall(r'"#/\$defs/(\w+)"', text))
    assert {"Submit", "Happened"} <= wanted
    assert set() == wanted - set(definitions)


def test_the_conversation_that_is_shown_is_one() -> None:
    """Its request and its replies can be read."""
    (request,) = re.findall(r"printf '%s\\n' '(.*)' \|", page())
    replies = re.findall(r"^    (\{\"reply.*\})$", page(), re.MULTILINE)
    assert protocol.Jobs(1) == protocol.read_request(request.encode())
    assert [protocol.Hello, protocol.JobList] == [type(protocol.read_reply(each.encode())) for each in replies]
