"""The adapter of Eldarica, a solver of Horn clauses by predicate abstraction, which runs on the JVM."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import anyio
import msgspec

from backends import eldarica_program as program
from backends import eldarica_trace
from backends.adapter import Adapter, Said, answer_of
from backends.answer import Answer, Configuration, Verdict
from backends.eldarica_options import SPACE, arguments
from backends.eldarica_server import Server
from backends.eldarica_witness import derivation_in, has_own_words, model_in
from backends.java import jvm_limits
from backends.judging import is_rejection, judge, text_of, unless_blank
from backends.limits import Limits
from backends.options import Option
from backends.places import Installed, Progress
from backends.printed import split_output
from backends.process import Ending, Run
from backends.support import Support, all_but
from chc.fragment import Theory
from chc.instance import Instance
from chc.model import Model
from chc.refutation import Derivation

_ASKED: Final = {"ssol": "true", "scex": "true", "solutionReconstruction": "wp"}
_EXHAUSTED: Final = re.compile(r"out of memory|OutOfMemoryError|stack overflow|StackOverflowError")
_WORDLESS: Final = re.compile(r"^error\s*$", re.MULTILINE)
_SERVER_ERROR: Final = re.compile(r"^ERROR: .*$", re.MULTILINE)
_EXCEPTION: Final = re.compile(r'^Exception in thread "[^"]*" (.*(?:\n\s+at .*)?)', re.MULTILINE)
_MISUSE: Final = re.compile(r"unrecognized option|no input file given")


class Eldarica(Adapter):
    """Takes integers, bit-vectors, arrays and datatypes, with clauses of any shape."""

    name = program.NAME
    # It takes reals as well, but what it says of them cannot be read.
    support = Support(all_but(Theory.reals, Theory.mixed))
    starts_slowly = True

    def decides(self, instance: Instance) -> bool:
        hard = {Theory.nonlinear, Theory.quantifiers}
        return self.refusal(instance) is None and not instance.fragment.theories & hard

    def option_space(self, version: str) -> tuple[Option, ...]:
        return SPACE

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        words = program.launcher(configuration.program, limits.memory_mb, program.MAIN)
        return (*words, *question(configuration, path, limits))

    def logging(self, command: tuple[str, ...]) -> tuple[str, ...]:
        return (*command[:-1], eldarica_trace.ARGUMENT, command[-1])

    def bounds(self, limits: Limits) -> Limits:
        return jvm_limits(limits)

    def read(self, result: Run) -> Said:
        """All that it complains about comes with exit code 0; only what it does not catch ends it otherwise."""
        if result.ending is Ending.could_not_start and program.java_is_missing():
            return Said(Verdict.error, program.JAVA_MISSING)
        text = text_of(result.stdout)
        said = split_output(text)
        error = said.error or (None if said.verdict else _complaint(text))
        uncaught = _EXCEPTION.search(text_of(result.stderr)) if result.exit_code else None
        if _EXHAUSTED.search(uncaught[1] if uncaught else error or ""):
            return Said(Verdict.memout, uncaught[1] if uncaught else error or "")
        if uncaught is not None and said.verdict is None:
            return Said(Verdict.crash, " ".join(uncaught[1].split()))
        verdict, detail = judge(result, said.verdict, error)
        return Said(
            verdict,
            detail,
            model_text=unless_blank(said.after) if verdict is Verdict.sat else None,
            proof_text=unless_blank(said.after) if verdict is Verdict.unsat else None,
            trace=eldarica_trace.trace_in(text_of(result.stderr) or said.before),
        )

    def warm(self, configuration: Configuration) -> WarmEldarica | None:
        """Only the JVM has a server in it."""
        has_jars = program.class_path(configuration.program) is not None
        return WarmEldarica(configuration) if has_jars else None

    def read_model(self, text: str, asked: Instance) -> Model:
        return model_in(text, asked)

    def read_derivation(self, text: str, asked: Instance) -> Derivation:
        return derivation_in(text, asked)

    def reads_surely(self, answer: Answer, instance: Instance) -> bool:
        return answer.verdict is not Verdict.sat or not has_own_words(answer.model_text or "", self.spelled(instance))

    def is_rejection(self, answer: Answer) -> bool:
        return is_rejection(answer) and not _MISUSE.search(answer.detail)

    def is_program(self, path: str) -> bool:
        return program.is_program(path)

    def releases(self) -> Iterator[Installed]:
        return program.releases()

    def version_of(self, path: str) -> str | None:
        return program.version_of(path)

    def install(self, version: str, progress: Progress) -> Installed:
        return program.install(version, progress)

    def remove(self, version: str) -> None:
        if not program.remove(version):
            super().remove(version)


ELDARICA: Final = Eldarica()


class WarmEldarica:
    """A server that is started when it is needed, and again when it has died; what it loses is asked cold."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._lock = anyio.Lock(fast_acquire=True)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._server: Server | None = None
        self._count = 0
        self._closed = False
        self.asked_cold = 0

    @property
    def pid(self) -> int | None:
        return None if self._server is None else self._server.pid

    async def ask(self, text: str, limits: Limits) -> Answer:
        async with self._lock:
            if self._closed:
                raise RuntimeError("this server has been closed; ask another one")
            path = self._fresh_path()
            path.write_text(text, encoding="utf-8")
            try:
                answer = await self._ask_server(path, limits)
                if answer is not None:
                    return answer
                self.asked_cold += 1
                return await ELDARICA.ask(self._configuration, path, limits)
            finally:
                path.unlink(missing_ok=True)

    def _fresh_path(self) -> Path:
        # Whatever tidies up the place for temporary files may have taken it away meanwhile.
        if self._folder is not None and not Path(self._folder.name).is_dir():
            self._folder.cleanup()
            self._folder = None
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="hornblower-eldarica-")
        self._count += 1
        return Path(self._folder.name) / f"{self._count}.smt2"

    async def _ask_server(self, path: Path, limits: Limits) -> Answer | None:
        """None if the query was lost, or if the server spoke of memory, of which others have left it less."""
        server = await self._fit_server(limits)
        if server is None:
            return None
        result = None
        try:
            result = await server.ask(ELDARICA.logging(question(self._configuration, path, limits)), limits)
        finally:
            if result is None or result.ending is not Ending.exited:
                await self._end()
        if result is None:
            return None
        said = ELDARICA.read(result)
        if said.verdict is Verdict.memout and server.has_served_others:
            await self._end()
            return None
        command = ELDARICA.command(self._configuration, path, limits)
        return answer_of(self._configuration, msgspec.structs.replace(result, argv=command), said)

    async def _fit_server(self, limits: Limits) -> Server | None:
        if self._server is not None and not self._server.is_fit(limits):
            await self._end()
        if self._server is None:
            self._server = await Server.start(self._configuration.program, limits.memory_mb)
        return self._server

    async def _end(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await server.end()

    async def aclose(self) -> None:
        """End the server; a query in progress is over then."""
        self._closed = True
        with anyio.CancelScope(shield=True):
            if self._server is not None:
                self._server.kill()
            async with self._lock:
                await self._end()
        if self._folder is not None:
            self._folder.cleanup()


def question(configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
    """What it is told apart from how it is started. Its own limit, a second later, is for whoever types it again."""
    options = {**_ASKED, **dict(configuration.options)}
    return (*arguments(options), f"-t:{math.ceil(limits.wall_seconds) + 1}", str(path.absolute()))


def _complaint(text: str) -> str | None:
    """What it says instead of an answer: a line of the server, or an exception that had no message."""
    if (found := _SERVER_ERROR.search(text)) is not None:
        return found[0]
    return "it says `error`, and nothing else" if _WORDLESS.search(text) else None
