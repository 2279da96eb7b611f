"""The adapter of cvc5, no solver of Horn clauses: it guesses models by synthesis, and refutes by instantiation.

The two exclude each other in practice: where it looks for a model that is not there, it looks for ever. So a query is
two runs, a quarter of the time for the refuting side and the rest for the other, unless the options choose a side.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from backends.adapter import Adapter, Said, answer_of, with_options
from backends.answer import Answer, Configuration, Verdict
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.model_reader import read_model
from backends.options import Fairness, Option
from backends.places import Installed, InstallError, Progress, on_path, registered, said_by
from backends.printed import split_output
from backends.process import Run, run
from chc.instance import Instance
from chc.model import Model

_DRIVER: Final = str(Path(__file__).with_name("cvc5_driver.py"))
_ALWAYS: Final = {"produce-models": "true", "arrays-exp": "true", "incremental": "false"}
_REFUTING: Final = {"full-saturate-quant": "true"}
_MODELLING: Final = {"sygus-inference": "try", "full-saturate-quant": "true"}
_REFUTING_SHARE: Final = 0.25
_SIDES: Final = frozenset(("sygus-inference", "full-saturate-quant", "enum-inst", "mbqi", "finite-model-find"))
"""Whoever sets one of these has chosen, and is asked as he says."""
_OPTIONS: Final = (
    Option("full-saturate-quant", ("true", "false"), "false"),
    Option("enum-inst", ("true", "false"), "false"),
    Option("mbqi", ("true", "false"), "false"),
    Option("finite-model-find", ("true", "false"), "false"),
    Option("sygus-inference", ("try",), "off"),
    Option("cegqi", ("true", "false"), "true"),
    Option("quant-ind", ("true", "false"), "false"),
    Option("simplification", ("batch", "none"), "batch"),
    Option("miniscope-quant", ("conj-and-fv", "off", "conj", "fv", "agg"), "conj-and-fv"),
    Option("sygus-inference", ("on",), "off", Fairness.forbidden, "it ends in an error where there is no model"),
    Option("bool-to-bv", ("ite", "all"), "off", Fairness.forbidden, "it is for bit-vectors without quantifiers only"),
)


class Cvc5(Adapter):
    """Takes everything; what it decides is a matter of luck."""

    name = "cvc5"
    seed_option = "seed"

    def decides(self, instance: Instance) -> bool:
        return False

    def text_of(self, instance: Instance) -> str:
        """What follows upon anything but sat does not count: after unknown, it prints a model that is none."""
        return f"{super().text_of(instance)}(get-model)\n"

    def option_space(self, version: str) -> tuple[Option, ...]:
        return _OPTIONS

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        options = {**_ALWAYS, **dict(configuration.options)}
        return (*_start_of(configuration.program, options), str(path.absolute()))

    async def ask(self, configuration: Configuration, path: Path, limits: Limits, *, has_trace: bool = False) -> Answer:
        if _SIDES & dict(configuration.options).keys():
            return await self._ask_once(configuration, configuration, path, limits)
        seconds = limits.wall_seconds * _REFUTING_SHARE
        first = await self._ask_once(configuration, _on(configuration, _REFUTING), path, _within(limits, seconds))
        if first.verdict not in (Verdict.unknown, Verdict.timeout):
            return first
        left = _within(limits, limits.wall_seconds - first.seconds)
        second = await self._ask_once(configuration, _on(configuration, _MODELLING), path, left)
        return msgspec.structs.replace(
            second,
            seconds=first.seconds + second.seconds,
            cpu_seconds=first.cpu_seconds + second.cpu_seconds,
            peak_memory_mb=max(first.peak_memory_mb, second.peak_memory_mb),
        )

    async def _ask_once(self, named: Configuration, asked: Configuration, path: Path, limits: Limits) -> Answer:
        result = await run(self.command(asked, path, limits), self.bounds(limits))
        return answer_of(named, result, self.read(result))

    def read(self, result: Run) -> Said:
        said = split_output(text_of(result.stdout))
        verdict, detail = judge(result, said.verdict, said.error)
        return Said(verdict, detail, model_text=unless_blank(said.after) if verdict is Verdict.sat else None)

    def read_model(self, text: str, asked: Instance) -> Model:
        return read_model(text, asked)

    def releases(self) -> Iterator[Installed]:
        yield from registered(self.name)
        yield from on_path(self.name, self.name, version_of)
        if (version := version_of(_DRIVER)) is not None:
            yield Installed(self.name, version, _DRIVER, is_own=True)

    def version_of(self, program: str) -> str | None:
        return version_of(program)

    def install(self, version: str, progress: Progress) -> Installed:
        raise InstallError(
            f"cvc5@{version or 'newest'} cannot be installed beside the one of the environment of hornblower, because "
            "its packages hold no program; get one from its developers, then type: hornblower solvers add cvc5 "
            "/path/to/cvc5"
        )


CVC5_SOLVER: Final = Cvc5()


@functools.cache
def version_of(program: str) -> str | None:
    """What it says about its version; None if it is no cvc5 or does not run."""
    found = re.match(r"This is cvc5 version (\d[\w.]*)", said_by([*_start_of(program, {}), "--version"]) or "")
    return found[1] if found else None


def _start_of(program: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """Our driver of the library takes every option as a pair; the program has flags for what is true or false."""
    if program == _DRIVER:
        return (sys.executable, "-E", program, *(f"--{name}={value}" for name, value in options.items()))
    return (program, *(_flag(name, value) for name, value in options.items()))


def _flag(name: str, value: str) -> str:
    return {"true": f"--{name}", "false": f"--no-{name}"}.get(value, f"--{name}={value}")


def _on(configuration: Configuration, side: Mapping[str, str]) -> Configuration:
    return with_options(configuration, {**side, **dict(configuration.options)})


def _within(limits: Limits, seconds: float) -> Limits:
    return msgspec.structs.replace(limits, wall_seconds=max(seconds, 0.1))
