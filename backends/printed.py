"""What a solver printed, taken apart: the verdict, what came before and after it, and the first complaint."""

import re
from typing import Final

import msgspec

# A name in bars may hold line breaks, and behind them whatever looks like a verdict or an error; so may a message.
_LANDMARK: Final = re.compile(
    r"^(?P<error>\(error (?:\"[^\"]*\".*|.*))$|^(?P<verdict>sat|unsat|unknown|timeout)[ \t\r]*$|\|[^|\\]*\|",
    re.MULTILINE,
)


class Printed(msgspec.Struct, frozen=True):
    """The first verdict with the texts around it; everything is `before` where there is none."""

    verdict: str | None
    before: str
    after: str
    error: str | None
    """The first error before the verdict. One behind it, such as of a model that is not there, spoils nothing."""


def split_output(text: str) -> Printed:
    error: str | None = None
    for found in _LANDMARK.finditer(text):
        if found["verdict"]:
            return Printed(found["verdict"], text[: found.start()], text[found.end() :], error)
        if found["error"] and error is None:
            error = " ".join(found["error"].split())
    return Printed(None, text, "", error)
