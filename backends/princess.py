"""The adapter of Princess, a theorem prover: it finds refutations without showing them, and hardly ever says sat."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backends import princess_releases
from backends.adapter import Adapter, Said
from backends.answer import Configuration
from backends.java import QUICK_START, jvm_limits, jvm_options
from backends.judging import judge, text_of
from backends.limits import Limits
from backends.options import Fairness, Option
from backends.places import Installed, Progress
from backends.printed import split_output
from backends.process import Run
from backends.support import Support, all_but
from chc.fragment import Theory
from chc.instance import Instance

_OPTIONS: Final = (
    Option("clausifier", ("none", "simple"), "none"),
    Option("generateTriggers", ("total", "all", "complete", "completeFrugal"), "total"),
    Option("mulProcedure", ("native", "bitShift"), "native"),
    Option("mulSplitting", ("sign", "spherical"), "sign"),
    Option("posUnitResolution", ("true", "false"), "true"),
    Option("triggerStrategy", ("maximal", "allMinimal", "allMaximal", "maximalOutermost"), "maximal"),
    Option("portfolio", ("casc", "qf_lia", "bv"), "none", Fairness.forbidden, "its provers race, so runs differ"),
)


class Princess(Adapter):
    """Takes all but reals, over which it has no quantifiers, and so no clauses."""

    name = princess_releases.NAME
    starts_slowly = True
    support = Support(all_but(Theory.reals, Theory.mixed))
    installs_newest = True
    seed_option = "randomSeed"

    def decides(self, instance: Instance) -> bool:
        """It searches for contradictions, and may well search for ever."""
        return False

    def option_space(self, version: str) -> tuple[Option, ...]:
        return _OPTIONS

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        # The limit of the runner is the authority; its own, a second later, is for whoever types the command again.
        milliseconds = (math.ceil(limits.wall_seconds) + 1) * 1000
        return (
            "env",
            f"JAVA_OPTS={' '.join((*jvm_options(limits.memory_mb), QUICK_START))}",
            configuration.program,
            "+quiet",
            "-inputFormat=smtlib",
            *(_flag(name, value) for name, value in configuration.options),
            f"-timeout={milliseconds}",
            str(path.absolute()),
        )

    def bounds(self, limits: Limits) -> Limits:
        return jvm_limits(limits)

    def read(self, result: Run) -> Said:
        said = split_output(text_of(result.stdout))
        return Said(*judge(result, said.verdict, said.error))

    def releases(self) -> Iterator[Installed]:
        return princess_releases.releases()

    def version_of(self, program: str) -> str | None:
        return princess_releases.version_of(program)

    def install(self, version: str, progress: Progress) -> Installed:
        return princess_releases.install(version, progress)

    def remove(self, version: str) -> None:
        if not princess_releases.remove(version):
            super().remove(version)


PRINCESS: Final = Princess()


def _flag(name: str, value: str) -> str:
    """`+name` and `-name` for what is true or false, `-name=value` for the rest."""
    return {"true": f"+{name}", "false": f"-{name}"}.get(value, f"-{name}={value}")
