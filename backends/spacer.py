"""The adapter of Spacer, the Horn engine of z3."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from backends import spacer_options, spacer_releases, spacer_trace
from backends.adapter import Adapter, Said, answer_of, with_options
from backends.answer import Answer, Configuration, Verdict
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.model_reader import read_model
from backends.options import Option
from backends.places import Installed, Progress, registered
from backends.printed import split_output
from backends.process import Ending, Run
from backends.renaming import without_names
from backends.spacer_proof import is_goal_name, read_derivation
from backends.warm import Upkeep, WarmProcess
from chc.fragment import Theory
from chc.instance import Instance
from chc.model import Model
from chc.refutation import Derivation

# Without the engine, z3 silently takes its datalog engine for finite sorts. Certificates do not perturb a run.
_ALWAYS: Final = (("fp.engine", "spacer"), ("fp.print_certificate", "true"))
_FOR_WITNESSES: Final = (
    ("fp.xform.inline_eager", "false"),
    ("fp.xform.inline_linear", "false"),
    ("fp.xform.slice", "false"),
    ("fp.xform.subsumption_checker", "false"),
)
_REWRITING: Final = "fp.xform."
_INLINERS: Final = ("fp.xform.inline_eager", "fp.xform.inline_linear")
_KNOWN_TROUBLE: Final = (
    "Spacer's models can be wrong unless both fp.xform.inline_eager=false and fp.xform.inline_linear=false are "
    "given; its developers know and do not mean to change it (z3 issues 6664 and 7319)"
)
OUT_OF_MEMORY_EXIT: Final = 101
_UPKEEP: Final = Upkeep(max_queries=500, max_memory_mb=512.0)


class Spacer(Adapter):
    """Takes everything that the language has; gives up on products of unknowns and on inner quantifiers."""

    name = "spacer"
    seed_option = spacer_options.SEED

    def decides(self, instance: Instance) -> bool:
        return not instance.fragment.theories & {Theory.nonlinear, Theory.quantifiers}

    def spelled(self, instance: Instance) -> Instance:
        """With those predicates renamed that z3 would confuse with its own goals, or print as nothing."""
        return without_names(instance, lambda name: is_goal_name(name) or not name)

    def option_name(self, name: str) -> str:
        """z3 takes several spellings for the same."""
        return name.lower().replace("-", "_")

    def option_space(self, version: str) -> tuple[Option, ...]:
        return spacer_options.space(version)

    def for_witnesses(self, configuration: Configuration) -> Configuration:
        return with_options(configuration, {**dict(_FOR_WITNESSES), **dict(configuration.options)})

    def trusted(self, configuration: Configuration) -> Configuration:
        return with_options(configuration, {**dict(configuration.options), **dict.fromkeys(_INLINERS, "false")})

    def known_trouble(self, options: Iterable[tuple[str, str]]) -> str | None:
        given = dict(options)
        return None if all(given.get(name) == "false" for name in _INLINERS) else _KNOWN_TROUBLE

    def speaks_of_clauses(self, options: Iterable[tuple[str, str]]) -> bool:
        given = {name: value for name, value in options if name.startswith(_REWRITING)}
        return given == dict(_FOR_WITNESSES)

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        # The limit of the runner is the authority; z3's own, a second later, is for whoever types the command again.
        seconds = math.ceil(limits.wall_seconds) + 1
        return (configuration.program, "-model", *_settings(configuration), f"-T:{seconds}", str(path.absolute()))

    def logging(self, command: tuple[str, ...]) -> tuple[str, ...]:
        return (command[0], *spacer_trace.ARGUMENTS, *command[1:])

    def read(self, result: Run) -> Said:
        said = split_output(text_of(result.stdout))
        logged = spacer_trace.read_log(text_of(result.stderr))
        result = msgspec.structs.replace(result, stderr=logged.rest.encode())
        verdict, detail = judge(result, said.verdict, said.error, out_of_memory_exit=OUT_OF_MEMORY_EXIT)
        return Said(
            verdict,
            detail,
            model_text=unless_blank(said.after) if verdict is Verdict.sat else None,
            proof_text=unless_blank(said.before) if verdict is Verdict.unsat else None,
            trace=logged.trace,
        )

    def warm(self, configuration: Configuration) -> WarmSpacer:
        return WarmSpacer(configuration)

    def read_model(self, text: str, asked: Instance) -> Model:
        return read_model(text, asked)

    def read_derivation(self, text: str, asked: Instance) -> Derivation:
        return read_derivation(text, asked)

    def releases(self) -> Iterator[Installed]:
        yield from registered(self.name)
        yield from spacer_releases.releases()

    def version_of(self, program: str) -> str | None:
        return spacer_releases.version_of(program)

    def install(self, version: str, progress: Progress) -> Installed:
        return spacer_releases.install(version, progress)

    def remove(self, version: str) -> None:
        if not spacer_releases.remove(version):
            super().remove(version)


SPACER: Final = Spacer()


class WarmSpacer:
    """A z3 that reads from its standard input; it keeps the options of its command line through each `(reset)`."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._command = (configuration.program, *spacer_trace.ARGUMENTS, "-in", *_settings(configuration))
        self._process = WarmProcess(self._command, _UPKEEP)

    async def ask(self, text: str, limits: Limits) -> Answer:
        reply = await self._process.ask(f"{text}(get-model)", limits)
        is_alive = reply.ending is Ending.answered
        result = Run(
            self._command,
            Ending.exited if is_alive else reply.ending,
            exit_code=0 if is_alive else reply.exit_code,
            signal=reply.signal,
            stdout=reply.output.encode(),
            stderr=reply.stderr.encode(),
            seconds=reply.seconds,
            message=reply.message,
        )
        return answer_of(self._configuration, result, SPACER.read(result))

    async def aclose(self) -> None:
        await self._process.aclose()


def _settings(configuration: Configuration) -> list[str]:
    options = {**dict(_ALWAYS), **dict(configuration.options)}
    return [f"{name}={value}" for name, value in options.items()]
