"""The adapter of HoIce, which learns models, and drives a z3 while it does."""

from __future__ import annotations

import functools
import math
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backends.adapter import Adapter, Said
from backends.answer import Configuration, Verdict
from backends.checker_programs import OWN_Z3
from backends.hoice_model import model_in
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.options import Option
from backends.places import Installed, on_path, registered, said_by
from backends.printed import split_output
from backends.process import Run
from backends.renaming import without_names
from backends.support import Support, all_but
from chc.fragment import Theory
from chc.instance import Instance
from chc.model import Model

_SWITCH: Final = ("on", "off")
_OPTIONS: Final = (
    Option("split", _SWITCH, "off"),
    Option("split_strengthen", _SWITCH, "on"),
    Option("split_sort", _SWITCH, "on"),
    Option("assistant", _SWITCH, "on"),
    Option("bias_cexs", _SWITCH, "on"),
    Option("partial", _SWITCH, "on"),
    Option("qual_bias", _SWITCH, "on"),
    Option("qual_complete", _SWITCH, "off"),
    Option("simple_gain_ratio", ("0", "20", "50", "100"), "20"),
)
_OWN_NAME: Final = re.compile(r"v_\d+")
_HELPER: Final = "_hoice_reserved_fun"


class HoIce(Adapter):
    """Drops what it cannot read and goes on, so that nothing counts behind an error."""

    name = "hoice"
    support = Support(
        all_but(Theory.bit_vectors, Theory.quantifiers, Theory.uninterpreted, Theory.nested_arrays, Theory.parametric),
        unknown_words=frozenset(("xor", "abs", "divisible", "List")),  # a List is one of z3's, which reads after it
        chains=False,
        mutual_datatypes=False,
    )

    def decides(self, instance: Instance) -> bool:
        unsure = {Theory.arrays, Theory.datatypes, Theory.nonlinear, Theory.mixed}
        return self.refusal(instance) is None and not instance.fragment.theories & unsure

    def spelled(self, instance: Instance) -> Instance:
        """With other names for predicates that are called like the parameters and helpers of its models."""
        return without_names(instance, lambda name: not name or bool(_OWN_NAME.fullmatch(name)) or _HELPER in name)

    def text_of(self, instance: Instance) -> str:
        """Where there is no model, the error that follows the verdict spoils nothing."""
        return f"{super().text_of(instance)}(get-model)\n"

    def option_space(self, version: str) -> tuple[Option, ...]:
        return _OPTIONS

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        defaults = {} if shutil.which("z3") else {"z3": OWN_Z3}
        options = {**defaults, **dict(configuration.options)}
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        seconds = str(math.ceil(limits.wall_seconds) + 1)
        return (configuration.program, *words, "-t", seconds, str(path.absolute()))

    def read(self, result: Run) -> Said:
        said = split_output(text_of(result.stdout))
        verdict, detail = judge(result, said.verdict, said.error)
        return Said(verdict, detail, model_text=unless_blank(said.after) if verdict is Verdict.sat else None)

    def read_model(self, text: str, asked: Instance) -> Model:
        return model_in(text, asked)

    def releases(self) -> Iterator[Installed]:
        yield from on_path(self.name, "hoice", version_of)
        yield from registered(self.name)

    def version_of(self, program: str) -> str | None:
        return version_of(program)


HOICE: Final = HoIce()


@functools.cache
def version_of(program: str) -> str | None:
    """What a HoIce says about its version; None if it is none or does not run."""
    found = re.match(r"hoice (\d\S*)", said_by((program, "--version")) or "")
    return found[1] if found else None
