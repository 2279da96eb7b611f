"""The adapter of Theta, a model checker. It writes its model into a file, and insists on the competition's form."""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from backends.adapter import Adapter, Said, answer_of
from backends.answer import Answer, Configuration, Verdict
from backends.competition import competition_text
from backends.java import jvm_limits, jvm_options
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.model_reader import read_model
from backends.options import Fairness, Option
from backends.places import Installed, on_path, registered, said_by
from backends.printed import split_output
from backends.process import Run, run
from backends.support import Support, all_but
from chc.fragment import Theory
from chc.instance import Instance
from chc.model import Model

_ANSWER: Final = "chc-answer.smt2"
_RESULT: Final = re.compile(r"\(SafetyResult (Safe|Unsafe|Unknown)")
_VERDICTS: Final = {"Safe": Verdict.sat, "Unsafe": Verdict.unsat, "Unknown": Verdict.unknown}
_OUT_OF_MEMORY_EXIT: Final = 200
_FAILURES: Final = {
    201: Said(Verdict.timeout, "its own limit of time"),
    209: Said(Verdict.error, "(error) it says that something in the instance is not supported"),
    220: Said(Verdict.unknown, "it makes no progress any more"),
}
_OPTIONS: Final = (
    Option("domain", ("PRED_CART", "PRED_BOOL", "PRED_SPLIT", "EXPL"), "PRED_CART"),
    Option("refinement", ("SEQ_ITP", "BW_BIN_ITP", "FW_BIN_ITP"), "SEQ_ITP"),
    Option("search", ("BFS", "DFS", "ERR"), "ERR"),
    Option("predsplit", ("WHOLE", "CONJUNCTS", "ATOMS"), "WHOLE"),
    Option("lbe", ("NO_LBE", "LBE_SEQ", "LBE_FULL", "LBE_LOCAL"), "LBE_LOCAL"),
    Option("backend", ("CEGAR", "KIND", "IMC", "IC3", "MDD"), "CEGAR"),
    Option("backend", ("BMC",), "CEGAR", Fairness.forbidden, "it never decides sat"),
    Option("chc-transformation", ("FORWARD", "PORTFOLIO"), "PORTFOLIO"),
    Option("chc-transformation", ("BACKWARD",), "PORTFOLIO", Fairness.known, "it gives no model"),
)


class Theta(Adapter):
    name = "theta"
    support = Support(all_but(Theory.datatypes, Theory.parametric, Theory.uninterpreted, Theory.quantifiers))
    never_tried = True
    starts_slowly = True

    def decides(self, instance: Instance) -> bool:
        return False

    def text_of(self, instance: Instance) -> str:
        return competition_text(self.spelled(instance))

    def option_space(self, version: str) -> tuple[Option, ...]:
        return _OPTIONS

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        """A jar is started as one; whatever else has this name is a script that does so."""
        program = Path(configuration.program)
        java = ("java", *jvm_options(limits.memory_mb), "-Xss120m", "-jar") if program.suffix == ".jar" else ()
        options = [word for name, value in configuration.options for word in (f"--{name}", value)]
        words = ("--input-type", "CHC", "--input", str(path.absolute()), "--print-model", *options)
        return (*java, str(program), *words, "--smt-home", str(program.parent / "solvers"))

    def bounds(self, limits: Limits) -> Limits:
        return jvm_limits(limits)

    async def ask(self, configuration: Configuration, path: Path, limits: Limits, *, has_trace: bool = False) -> Answer:
        """In a folder of its own, because it does not write its answer where there is one already."""
        with tempfile.TemporaryDirectory(prefix="theta-", dir=path.parent) as folder:
            result = await run(self.command(configuration, path, limits), self.bounds(limits), cwd=folder)
            text = _written_below(Path(folder))
        said = self.read(result)
        if said.verdict is Verdict.sat:
            said = msgspec.structs.replace(said, model_text=unless_blank(split_output(text).after))
        return answer_of(configuration, result, said)

    def read(self, result: Run) -> Said:
        output = text_of(result.stdout)
        found, said = _RESULT.search(output), split_output(output)
        verdict = said.verdict if found is None else _VERDICTS[found[1]].value
        if verdict is None and result.exit_code in _FAILURES:
            return _FAILURES[result.exit_code]
        return Said(*judge(result, verdict, said.error, out_of_memory_exit=_OUT_OF_MEMORY_EXIT))

    def read_model(self, text: str, asked: Instance) -> Model:
        return read_model(text, asked, may_omit=True)

    def is_program(self, path: str) -> bool:
        return super().is_program(path) or (path.endswith(".jar") and Path(path).is_file())

    def releases(self) -> Iterator[Installed]:
        yield from on_path(self.name, "theta", version_of)
        yield from registered(self.name)

    def version_of(self, program: str) -> str | None:
        return version_of(program)


THETA: Final = Theta()


def _written_below(folder: Path) -> str:
    answer = next(folder.rglob(_ANSWER), None)
    return "" if answer is None else answer.read_text(encoding="utf-8", errors="replace")


@functools.cache
def version_of(program: str) -> str | None:
    """What a Theta says about its version; None if it is none or does not run."""
    java = ("java", "-jar") if program.endswith(".jar") else ()
    found = re.search(r"(\d+\.\d+\.\d+)", said_by((*java, program, "--version")) or "")
    return found[1] if found else None
