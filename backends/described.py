"""The adapter of a solver that is known by a table alone."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from backends import eldarica_witness, golem_proof, spacer_proof
from backends.adapter import Adapter, Said
from backends.answer import Answer, Configuration, Verdict
from backends.competition import competition_text
from backends.description import (
    BadDescription,
    Description,
    Form,
    ModelFormat,
    ProofFormat,
    line_of,
    name_of,
    places,
    read_description,
)
from backends.hoice_model import model_in
from backends.judging import judge, text_of, unless_blank
from backends.limits import Limits
from backends.model_reader import read_model
from backends.options import Option
from backends.places import Installed, InstallError, Progress, directory
from backends.process import Run
from backends.support import Support
from chc.instance import Instance
from chc.model import Model
from chc.refutation import Derivation, Refutation

_MODELS: Final[Mapping[ModelFormat, Callable[[str, Instance], Model]]] = {
    ModelFormat.smt_lib: functools.partial(read_model, may_omit=True),
    ModelFormat.hoice: model_in,
    ModelFormat.eldarica: eldarica_witness.model_in,
}
_PROOFS: Final[Mapping[ProofFormat, Callable[[str, Instance], Derivation | Refutation | None]]] = {
    ProofFormat.spacer: spacer_proof.read_derivation,
    ProofFormat.eldarica: eldarica_witness.derivation_in,
    ProofFormat.golem: golem_proof.read_proof,
}


class Described(Adapter):
    def __init__(self, name: str, table: Description) -> None:
        self.name = name
        self.never_tried = True
        self.seed_option = table.seed_option
        supports = table.supports
        self.support = Support(
            supports.theories,
            nonlinear_clauses=supports.nonlinear_clauses,
            unknown_words=supports.unknown_words,
            chains=supports.chains,
            mutual_datatypes=supports.mutual_datatypes,
        )
        self._table = table

    def decides(self, instance: Instance) -> bool:
        return self._table.supports.decides and self.refusal(instance) is None

    def text_of(self, instance: Instance) -> str:
        asked = self.spelled(instance)
        text = competition_text(asked) if self._table.form is Form.competition else asked.text
        return f"{text}{self._table.append}\n" if self._table.append else text

    def option_space(self, version: str) -> tuple[Option, ...]:
        return tuple(
            Option(name, each.values, each.default, each.fairness, each.reason)
            for name, each in self._table.options.items()
        )

    def speaks_of_clauses(self, options: Iterable[tuple[str, str]]) -> bool:
        return self._table.witnesses.proof_of_clauses

    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        seconds = math.ceil(limits.wall_seconds) + 1
        words = {
            "program": configuration.program,
            "file": str(path.absolute()),
            "seconds": seconds,
            "milliseconds": 1000 * seconds,
            "memory": limits.memory_mb or 0,
        }
        options = [self._written(name, value) for name, value in configuration.options]
        return tuple(
            each
            for word in self._table.command
            for each in (options if word == "{options}" else [word.format(**words)])
        )

    def _written(self, name: str, value: str) -> str:
        known = self._table.options.get(name)
        return (known.written if known else "--{name}={value}").format(name=name, value=value)

    def bounds(self, limits: Limits) -> Limits:
        return msgspec.structs.replace(limits, address_space=self._table.address_space)

    def read(self, result: Run) -> Said:
        text, found = text_of(result.stdout), self._first_verdict(text_of(result.stdout))
        before, after = (text, "") if found is None else (text[: found[1].start()], text[found[1].end() :])
        error = re.search(line_of(self._table.verdicts.error), before, re.MULTILINE)
        verdict, detail = judge(result, found and found[0], error and error[0].strip())
        proof = before if self._table.witnesses.proof is ProofFormat.spacer else after
        return Said(
            verdict,
            detail,
            model_text=unless_blank(after) if verdict is Verdict.sat and self.reads_models else None,
            proof_text=unless_blank(proof) if verdict is Verdict.unsat and self.reads_refutations else None,
        )

    def _first_verdict(self, text: str) -> tuple[str, re.Match[str]] | None:
        patterns = self._table.verdicts
        each = {"sat": patterns.sat, "unsat": patterns.unsat, "unknown": patterns.unknown}
        found = ((word, re.search(line_of(line), text, re.MULTILINE)) for word, line in each.items())
        return min(((word, match) for word, match in found if match), key=lambda pair: pair[1].start(), default=None)

    def is_rejection(self, answer: Answer) -> bool:
        pattern = line_of(self._table.verdicts.error)
        return answer.verdict is Verdict.error and re.match(pattern, answer.detail) is not None

    @property
    def reads_models(self) -> bool:
        return self._table.witnesses.model is not ModelFormat.none

    @property
    def reads_refutations(self) -> bool:
        return self._table.witnesses.proof is not ProofFormat.none

    def read_model(self, text: str, asked: Instance) -> Model | None:
        return _MODELS[self._table.witnesses.model](text, asked) if self.reads_models else None

    def read_derivation(self, text: str, asked: Instance) -> Derivation | Refutation | None:
        return _PROOFS[self._table.witnesses.proof](text, asked) if self.reads_refutations else None

    def releases(self) -> Iterator[Installed]:
        if self.is_program(self._table.program):
            yield Installed(self.name, self._table.version, self._table.program)

    def version_of(self, program: str) -> str | None:
        """Nobody but the table knows it."""
        return self._table.version if self.is_program(program) else None

    def install(self, version: str, progress: Progress) -> Installed:
        raise InstallError(
            f"{self.name} is described by a table, whose program {self._table.program} is not one that can be run; "
            f"see: ls -l {self._table.program}"
        )

    def remove(self, version: str) -> None:
        raise InstallError(
            f"{self.name} is described by a table; delete that: rm {directory()}/described/{self.name}.toml"
        )


def described() -> dict[str, Described]:
    """The solvers of all tables, by name. Raises `BadDescription` where one is not as it should be."""
    found: dict[str, Path] = {}
    for path in places():
        name = name_of(path)
        if name in found:
            raise BadDescription(f"{path}: {name} is described in {found[name]} as well; rename one of the two")
        found[name] = path
    return {name: _described(name, path, path.stat().st_mtime_ns) for name, path in found.items()}


@functools.lru_cache(maxsize=256)
def _described(name: str, path: Path, changed: int) -> Described:
    """Read once for each change of its file."""
    return Described(name, read_description(path))
