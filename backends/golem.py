"""The adapter of Golem, a solver of Horn clauses over linear arithmetic with a dozen engines."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from backends.adapter import Adapter, Said, with_options
from backends.answer import Configuration, Verdict
from backends.golem_options import ENGINES, SPACE, arguments
from backends.golem_proof import read_proof
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.model_reader import read_model
from backends.options import Option
from backends.places import Installed, on_path, registered, said_by
from backends.printed import split_output
from backends.process import Ending, Run
from backends.renaming import without_names
from backends.support import Support, all_but
from backends.trace import Trace, capped, trace_of
from chc.fragment import Theory
from chc.instance import Instance
from chc.model import Model
from chc.refutation import Derivation, Refutation
from chc.terms import Kind, subterms

_THEORIES: Final = all_but(
    Theory.datatypes,
    Theory.parametric,
    Theory.bit_vectors,
    Theory.uninterpreted,
    Theory.quantifiers,
    Theory.nonlinear,
    Theory.mixed,
)
_UNKNOWN_WORDS: Final = frozenset(("abs", "const"))
_FOR_ARRAYS: Final = ("kind", "bmc", "se")
_FOR_ALL_CLAUSES: Final = ("spacer", "pa")
_NOT_FOR_REALS: Final = ("trl",)
_GIVES_UP: Final = ("trl", "bmc", "se")
"""Engines that do not decide all that is in their reach."""
_OWN_CHECK: Final = re.compile(r"^Internal witness validation (successful|failed)!$", re.MULTILINE)
_NUMBER: Final = re.compile(r"\d+")
_OUTCOMES: Final = {"successful": "succeeded", "failed": "failed"}
_MISUSE: Final = re.compile(
    r"^.*(?:unrecognized option|invalid option|requires an argument|Unknown engine specified).*$", re.MULTILINE
)
_EXCEPTION: Final = re.compile(r"terminate called after throwing an instance of '([^']*)'\n\s*what\(\):\s*(.*)")
_ASKED: Final = {"print-witness": "true", "validate": "true"}
_FOR_ARRAYS_ASKED: Final = {"logic": "QF_ALIA", "engine": "kind"}
_REFUSALS: Final = "opensmt::"
"""Exceptions of the SMT solver below, which say that a construct is not supported."""


class Golem(Adapter):
    """Takes linear arithmetic over either integers or reals, and arrays of integers; no clause without a predicate."""

    name = "golem"
    support = Support(_THEORIES)

    def refusal(self, instance: Instance) -> str | None:
        theories = instance.fragment.theories
        if (refusal := super().refusal(instance)) is not None:
            return refusal
        if {Theory.integers, Theory.reals} <= theories:
            return "golem does not support integers and reals in one instance"
        if any(not clause.atoms for clause in instance.clauses):
            return "golem takes no clause without a predicate"
        if {Theory.arrays, Theory.reals} <= theories:
            return "golem does not support arrays of reals"
        return _refused_words(instance)

    def decides(self, instance: Instance) -> bool:
        return self.refusal(instance) is None and Theory.arrays not in instance.fragment.theories

    def misfit(self, configuration: Configuration, instance: Instance) -> str | None:
        wanted = dict(configuration.options).get("engine")
        fitting = set(engines_for(instance)).difference(_GIVES_UP)
        if wanted is None or fitting.intersection(wanted.split(",")):
            return None
        return f"golem's engine {wanted} is not made to decide it"

    def spelled(self, instance: Instance) -> Instance:
        """An empty name is printed as nothing."""
        return without_names(instance, lambda name: not name)

    def option_space(self, version: str) -> tuple[Option, ...]:
        return SPACE

    def for_witnesses(self, configuration: Configuration) -> Configuration:
        return with_options(configuration, {"proof-format": "intermediate", **dict(configuration.options)})

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        """Where there are arrays, printing a witness aborts, and the engine that golem prefers gives up."""
        has_arrays = "(Array " in path.read_text(encoding="utf-8")
        defaults = _FOR_ARRAYS_ASKED if has_arrays else _ASKED
        options = {**defaults, **dict(configuration.options)}
        return (configuration.program, *arguments(options), str(path.absolute()))

    def logging(self, command: tuple[str, ...]) -> tuple[str, ...]:
        return (command[0], "-v", "-v", *command[1:])

    def read(self, result: Run) -> Said:
        said = split_output(text_of(result.stdout))
        if misuse := _MISUSE.search(text_of(result.stderr)):
            return Said(Verdict.error, misuse[0].strip())
        verdict, detail = judge(result, said.verdict, said.error)
        if verdict is Verdict.crash and (exception := _exception(result)) is not None:
            is_refusal = exception.startswith(_REFUSALS) and said.verdict is None
            return Said(
                Verdict.error if is_refusal else Verdict.crash, exception if is_refusal else f"{detail}: {exception}"
            )
        if verdict is Verdict.error and _is_silent_portfolio(result):
            return Said(Verdict.unknown, "none of the engines decides it")
        own_check = _OWN_CHECK.search(said.after)
        witness = unless_blank(_OWN_CHECK.sub("", said.after))
        return Said(
            verdict,
            detail,
            model_text=witness if verdict is Verdict.sat else None,
            proof_text=witness if verdict is Verdict.unsat else None,
            own_check="" if own_check is None else f"golem's own validation of it {_OUTCOMES[own_check[1]]}",
            trace=_trace(said.before),
        )

    def read_model(self, text: str, asked: Instance) -> Model:
        return read_model(text, asked, may_omit=True)

    def read_derivation(self, text: str, asked: Instance) -> Derivation | Refutation | None:
        return read_proof(text, asked)

    def releases(self) -> Iterator[Installed]:
        yield from on_path(self.name, "golem", version_of)
        yield from registered(self.name)

    def version_of(self, program: str) -> str | None:
        return version_of(program)


GOLEM: Final = Golem()


def engines_for(instance: Instance) -> tuple[str, ...]:
    """The engines that are made for the instance, the one to try first in front; none where it is refused."""
    if GOLEM.refusal(instance) is not None:
        return ()
    fitting = ENGINES if instance.fragment.linear else _FOR_ALL_CLAUSES
    if Theory.arrays in instance.fragment.theories:
        return tuple(engine for engine in _FOR_ARRAYS if engine in fitting)
    unfit = _NOT_FOR_REALS if Theory.reals in instance.fragment.theories else ()
    return tuple(engine for engine in fitting if engine not in unfit)


def _trace(log: str) -> Trace | None:
    """What engines that count their steps say of each, the numbers capped; the others say nothing."""
    lines = (line for line in log.splitlines() if line.startswith((";", "[")))
    return trace_of(_NUMBER.sub(lambda found: str(capped(found[0])), line) for line in lines)


def _refused_words(instance: Instance) -> str | None:
    for clause in instance.clauses:
        for term in subterms(clause.terms):
            if term.kind is Kind.BUILTIN and term.name in _UNKNOWN_WORDS:
                return f"golem does not know `{term.name}`" + (" of arrays" if term.name == "const" else "")
    return None


def _is_silent_portfolio(result: Run) -> bool:
    """Of several engines, those that do not know say nothing at all."""
    is_silent = result.ending is Ending.exited and not result.stdout.strip() and not result.stderr.strip()
    return is_silent and any("," in word for word in result.argv[1:-1])


def _exception(result: Run) -> str | None:
    """What the uncaught exception says that ended it."""
    found = _EXCEPTION.search(text_of(result.stderr))
    return None if found is None else f"{found[1]}: {found[2]}"


@functools.cache
def version_of(program: str) -> str | None:
    """What a golem says about its version; None if it does not run."""
    said = said_by((program, "--version"))
    match = re.match(r"Golem (\d\S*)", said or "")
    return match[1] if match else None
