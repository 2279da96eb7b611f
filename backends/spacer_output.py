"""What z3 printed, taken apart: the verdict, what came before and after it, and the first complaint."""

import re
from typing import Final

import msgspec

_VERDICT: Final = re.compile(r"^(sat|unsat|unknown|timeout)[ \t\r]*$", re.MULTILINE)
_ERROR: Final = re.compile(r"^\(error .*$", re.MULTILINE)


class SpacerOutput(msgspec.Struct, frozen=True):
    """The first verdict with the texts around it; everything is `before` where there is none."""

    verdict: str | None
    before: str
    after: str
    error: str | None
    """The first error before the verdict. One behind it, such as of a model that is not there, spoils nothing."""


def split_output(text: str) -> SpacerOutput:
    found = _VERDICT.search(text)
    before = text if found is None else text[: found.start()]
    error = _ERROR.search(before)
    return SpacerOutput(
        verdict=None if found is None else found[1],
        before=before,
        after="" if found is None else text[found.end() :],
        error=None if error is None else error[0].strip(),
    )
