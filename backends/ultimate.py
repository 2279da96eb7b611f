"""The adapters of Ultimate's two solvers, TreeAutomizer and Unihorn: verdicts in a log, and no witnesses.

The program is the launcher of an unpacked Ultimate, `plugins/org.eclipse.equinox.launcher_….jar`. The files of the tool
chain and of the settings are looked for beside `plugins`, unless the options `toolchain` and `settings` say otherwise.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Final

from backends.adapter import Adapter, Said, answer_of
from backends.answer import Answer, Configuration
from backends.java import jvm_limits, jvm_options
from backends.judging import judge, text_of
from backends.limits import Limits
from backends.places import Installed, registered
from backends.process import Run, run
from backends.support import Support, all_but
from chc.fragment import Theory
from chc.instance import Instance

_EXCEPTION: Final = re.compile(r"The toolchain threw an exception.*|RESULT: An exception occur+ed.*")
_LAUNCHER: Final = re.compile(r"org\.eclipse\.equinox\.launcher_[\w.-]+\.jar")
_CORE: Final = re.compile(r"\.ultimate\.core_(\d+\.\d+\.\d+)")


class _Ultimate(Adapter):
    support = Support(all_but(Theory.datatypes, Theory.parametric, Theory.quantifiers))
    never_tried = True
    starts_slowly = True
    files: ClassVar[dict[str, str]]
    verdicts: ClassVar[dict[str, str]]

    def decides(self, instance: Instance) -> bool:
        return False

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        """That of a run in the folder of the instance; `ask` gives each one a folder of its own."""
        options, home = dict(configuration.options), Path(configuration.program).parent.parent
        toolchain, settings = (options.get(kind) or str(home / name) for kind, name in self.files.items())
        own = path.absolute().parent
        return (
            *("java", f"-Dosgi.configuration.area={own / 'config'}", *jvm_options(limits.memory_mb), "-Xss4m"),
            *("-jar", configuration.program, "-data", str(own / "data")),
            *("-tc", toolchain, "-s", settings, "-i", str(path.absolute())),
        )

    def bounds(self, limits: Limits) -> Limits:
        return jvm_limits(limits)

    async def ask(self, configuration: Configuration, path: Path, limits: Limits, *, has_trace: bool = False) -> Answer:
        """With a configuration and data of its own: runs at the same time must not share them."""
        home = Path(configuration.program).parent.parent
        with tempfile.TemporaryDirectory(prefix="ultimate-", dir=path.parent) as folder:
            own = Path(folder) / path.name
            shutil.copy(path, own)
            if (home / "config").is_dir():
                shutil.copytree(home / "config", own.parent / "config")
            result = await run(self.command(configuration, own, limits), self.bounds(limits), cwd=folder)
        return answer_of(configuration, result, self.read(result))

    def read(self, result: Run) -> Said:
        log = text_of(result.stdout)
        exception = _EXCEPTION.search(log)
        verdict = next((verdict for words, verdict in self.verdicts.items() if words in log), None)
        if verdict is None and exception is None and "Ultimate" in log and result.exit_code is not None:
            verdict = "unknown"  # it has come to its end without a result
        return Said(*judge(result, verdict, None if exception is None else exception[0].strip()))

    def is_program(self, path: str) -> bool:
        return _LAUNCHER.fullmatch(Path(path).name) is not None and Path(path).is_file()

    def releases(self) -> Iterator[Installed]:
        """Jars need no permission to be executed, so that all that are registered count."""
        return registered(self.name)

    def version_of(self, program: str) -> str | None:
        """That of the core beside the launcher."""
        found = (_CORE.search(each.name) for each in Path(program).parent.iterdir())
        return next((match[1] for match in found if match), None)


class TreeAutomizer(_Ultimate):
    name = "ultimate-treeautomizer"
    files: ClassVar[dict[str, str]] = {
        "toolchain": "TreeAutomizer.xml",
        "settings": "TreeAutomizerHopcroftMinimization.epf",
    }
    verdicts: ClassVar[dict[str, str]] = {
        "ChcUnsatResult: UNSAT": "unsat",
        "The given horn clause set is UNSAT": "unsat",
        "ChcSatResult: SAT": "sat",
        "The given horn clause set is SAT": "sat",
    }


class Unihorn(_Ultimate):
    name = "ultimate-unihorn"
    files: ClassVar[dict[str, str]] = {"toolchain": "AutomizerCHC.xml", "settings": "chccomp-Unihorn_Default.epf"}
    verdicts: ClassVar[dict[str, str]] = {"CounterExampleResult": "unsat", "PositiveResult": "sat"}


TREE_AUTOMIZER: Final = TreeAutomizer()
UNIHORN: Final = Unihorn()
