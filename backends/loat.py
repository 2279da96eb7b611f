"""The adapter of LoAT, which accelerates loops. The steps of its refutations are of clauses that it has accelerated,
each standing for any number of steps of the instance, and are not read.
"""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backends.adapter import Adapter, Said
from backends.answer import Configuration, Verdict
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.model_reader import read_model
from backends.options import Fairness, Option
from backends.places import Installed, on_path, registered, said_by
from backends.printed import split_output
from backends.process import Run
from backends.support import Support
from chc.fragment import Theory
from chc.instance import Instance
from chc.model import Model

_VERSIONS: Final = re.compile(r"^(?:LoAT|Yices|SwInE|Z3|\w+): .*$", re.MULTILINE)
_TRIVIAL: Final = "(set-logic HORN)\n(declare-fun P () Bool)\n(assert (=> P false))\n(check-sat)\n"
_SWITCH: Final = ("true", "false")
_OPTIONS: Final = (
    Option("engine", ("trl", "bmc", "abmc", "kind", "adcl_sat"), "trl"),
    Option("engine", ("adcl",), "trl", Fairness.forbidden, "it never decides sat"),
    Option("direction", ("interleaved", "forward", "backward"), "interleaved"),
    Option("smt", ("swine", "yices", "heuristic"), "heuristic"),
    Option("abmc::blocking_clauses", _SWITCH, "true"),
    Option("trl::recurrent_exps", _SWITCH, "true"),
    Option("trl::mbp_kind", ("int", "lower_int", "upper_int", "real"), "int"),
)


class Loat(Adapter):
    name = "loat"
    support = Support(
        frozenset((Theory.booleans, Theory.integers, Theory.nonlinear, Theory.arrays)), nonlinear_clauses=False
    )
    never_tried = True

    def decides(self, instance: Instance) -> bool:
        return False

    def option_space(self, version: str) -> tuple[Option, ...]:
        return _OPTIONS

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        options = [word for name, value in configuration.options for word in (f"--{name}", value)]
        return (configuration.program, "--mode", "safety", "--proof", *options, str(path.absolute()))

    def read(self, result: Run) -> Said:
        """Behind the witness it always says of what versions it is made."""
        said = split_output(text_of(result.stdout))
        verdict, detail = judge(result, said.verdict, said.error)
        witness = unless_blank(_VERSIONS.split(said.after, maxsplit=1)[0])
        return Said(verdict, detail, model_text=witness if verdict is Verdict.sat else None)

    def read_model(self, text: str, asked: Instance) -> Model:
        return read_model(text, asked, may_omit=True)

    def releases(self) -> Iterator[Installed]:
        yield from on_path(self.name, "loat-static", version_of)
        yield from registered(self.name)

    def version_of(self, program: str) -> str | None:
        return version_of(program)


LOAT: Final = Loat()


@functools.cache
def version_of(program: str) -> str | None:
    """What a LoAT says about its version, which it does only behind an answer; None if it is none or does not run."""
    with tempfile.TemporaryDirectory(prefix="hornblower-") as folder:
        path = Path(folder) / "trivial.smt2"
        path.write_text(_TRIVIAL, encoding="utf-8")
        found = re.search(r"^LoAT: (\w[\w.-]*)", said_by((program, "--mode", "safety", str(path))) or "", re.MULTILINE)
    return found[1] if found else None
