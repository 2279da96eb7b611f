"""z3's other engines for Horn clauses, which have little in common with Spacer: cheap to ask for a second opinion.

They come with every release of Spacer. A refutation that they print is not in the form of Spacer's, and not read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Final

import msgspec

from backends import spacer_releases
from backends.adapter import Adapter, Said
from backends.answer import Configuration, Verdict
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.model_reader import read_model
from backends.places import Installed, InstallError, Progress
from backends.printed import split_output
from backends.process import Run
from backends.spacer import OUT_OF_MEMORY_EXIT, SPACER
from backends.support import Support
from chc.fragment import Theory
from chc.instance import Instance
from chc.model import Model


class _Engine(Adapter):
    settings: ClassVar[Mapping[str, str]] = {}
    """What makes z3 take this engine."""

    def decides(self, instance: Instance) -> bool:
        return False

    def spelled(self, instance: Instance) -> Instance:
        return SPACER.spelled(instance)

    def option_name(self, name: str) -> str:
        return SPACER.option_name(name)

    def trusted(self, configuration: Configuration) -> Configuration:
        return SPACER.trusted(configuration)

    def known_trouble(self, options: Iterable[tuple[str, str]]) -> str | None:
        return SPACER.known_trouble(options)

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        options = {**self.settings, **dict(configuration.options)}
        words = (f"{name}={value}" for name, value in options.items())
        return (configuration.program, "-model", *words, f"-T:{math.ceil(limits.wall_seconds) + 1}", str(path))

    def read(self, result: Run) -> Said:
        said = split_output(text_of(result.stdout))
        verdict, detail = judge(result, said.verdict, said.error, out_of_memory_exit=OUT_OF_MEMORY_EXIT)
        return Said(verdict, detail, model_text=unless_blank(said.after) if verdict is Verdict.sat else None)

    def releases(self) -> Iterator[Installed]:
        return (msgspec.structs.replace(each, solver=self.name) for each in SPACER.releases())

    def version_of(self, program: str) -> str | None:
        return spacer_releases.version_of(program)

    def install(self, version: str, progress: Progress) -> Installed:
        return msgspec.structs.replace(SPACER.install(version, progress), solver=self.name)

    def remove(self, version: str) -> None:
        raise InstallError(f"{self.name}@{version} goes with Spacer; type: hornblower solvers remove spacer@{version}")


class Bmc(_Engine):
    """Unrolls clauses; it finds refutations, and says sat only where nothing recurs. The model is not its own then."""

    name = "z3-bmc"
    support = Support(nonlinear_clauses=False)
    settings: ClassVar[Mapping[str, str]] = {"fp.engine": "bmc"}


class Datalog(_Engine):
    """Enumerates what can be derived. z3 takes it by itself for bit-vectors, and only if no engine is named."""

    name = "z3-datalog"
    support = Support(frozenset((Theory.booleans, Theory.bit_vectors)))

    def refusal(self, instance: Instance) -> str | None:
        if Theory.bit_vectors not in instance.fragment.theories:
            return f"{self.name} is for bit-vectors"
        return super().refusal(instance)

    def read_model(self, text: str, asked: Instance) -> Model:
        return read_model(text, asked)


BMC: Final = Bmc()
DATALOG: Final = Datalog()
