"""What the rest of the house knows of a solver: what it takes, how it is asked, how its answers are read."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from backends.answer import Answer, Configuration, Verdict
from backends.judging import is_rejection
from backends.limits import Limits
from backends.options import Option
from backends.places import Installed, InstallError, Progress, registered, unregister
from backends.process import Run, run
from backends.renaming import rename_model, rename_proof
from backends.support import Support
from backends.trace import Trace
from chc.instance import Instance
from chc.model import Model
from chc.refutation import Derivation, Refutation


class Said(msgspec.Struct, frozen=True):
    """What a run amounts to: the verdict, why there is no plain one, the texts of witnesses as they came, the trace."""

    verdict: Verdict
    detail: str = ""
    model_text: str | None = None
    proof_text: str | None = None
    own_check: str = ""
    trace: Trace | None = None


class WarmSolver(Protocol):
    """A process that answers many queries, one after another, in the same terms as cold ones."""

    async def ask(self, text: str, limits: Limits) -> Answer: ...

    async def aclose(self) -> None: ...


class Adapter(ABC):
    """One solver. It has no state; what is written here holds for a solver without peculiarities."""

    name: str
    support: Support = Support()
    installs_newest: bool = False
    """Whether `install` takes an empty version for the newest."""
    never_tried: bool = False
    """Whether the adapter was written from documentation alone, without a run of the solver."""
    seed_option: str | None = None
    """The option that takes a number from which all random choices follow."""
    starts_slowly: bool = False
    """Whether a process of its own takes seconds to come up, so that others are asked for help before it."""

    # What it takes ----------------------------------------------------------------------------------------

    def refusal(self, instance: Instance) -> str | None:
        """Why the instance lies outside of what the solver supports; it is not asked then."""
        return self.support.refusal(instance, self.name)

    def decides(self, instance: Instance) -> bool:
        """Whether the instance lies where the solver is meant to decide, so that giving up is strange."""
        return self.refusal(instance) is None

    def misfit(self, configuration: Configuration, instance: Instance) -> str | None:
        """Why this configuration may give up on what the solver decides, such as an engine for other shapes."""
        return None

    def spelled(self, instance: Instance) -> Instance:
        """The instance with other names where the solver would stumble over some."""
        return instance

    def text_of(self, instance: Instance) -> str:
        """The text that the solver is sent."""
        return self.spelled(instance).text

    # What its options mean --------------------------------------------------------------------------------

    def option_name(self, name: str) -> str:
        """The one spelling of the name of an option."""
        return name

    def option_space(self, version: str) -> tuple[Option, ...]:
        """The options of a release, as far as they may be varied or must not be."""
        return ()

    def for_witnesses(self, configuration: Configuration) -> Configuration:
        """The configuration under which each step of a refutation is by a clause of the instance."""
        return configuration

    def trusted(self, configuration: Configuration) -> Configuration:
        """The configuration without what is known trouble."""
        return configuration

    def known_trouble(self, options: Iterable[tuple[str, str]]) -> str | None:
        """Why an invalid model under these options is no news, or None where it would be."""
        return None

    def speaks_of_clauses(self, options: Iterable[tuple[str, str]]) -> bool:
        """Whether the steps of a refutation under these options should be those of the instance's own clauses."""
        return True

    # Asking -----------------------------------------------------------------------------------------------

    @abstractmethod
    def command(self, configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
        """The command line that asks about the instance in a file."""

    @abstractmethod
    def read(self, result: Run) -> Said:
        """What a finished run amounts to."""

    def bounds(self, limits: Limits) -> Limits:
        """The limits as the program can bear them."""
        return limits

    def logging(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """The command line with what makes the program log its steps, and changes nothing else, so that `read` finds
        a trace; as it is where there is no such thing."""
        return command

    async def ask(self, configuration: Configuration, path: Path, limits: Limits, *, has_trace: bool = False) -> Answer:
        """The answer to the instance in a file. Whatever the program does is data: nothing is raised for it."""
        command = self.command(configuration, path, limits)
        result = await run(self.logging(command) if has_trace else command, self.bounds(limits))
        return answer_of(configuration, result, self.read(result))

    def warm(self, configuration: Configuration) -> WarmSolver | None:
        """A process that serves many queries of this configuration; None where there is no such thing.

        It logs its steps if that costs little.
        """
        return None

    # Reading ----------------------------------------------------------------------------------------------

    @property
    def reads_models(self) -> bool:
        """Whether there may be one behind its sat, so that it proves what it says."""
        return type(self).read_model is not Adapter.read_model

    @property
    def reads_refutations(self) -> bool:
        """The same for unsat."""
        return type(self).read_derivation is not Adapter.read_derivation

    def read_model(self, text: str, asked: Instance) -> Model | None:
        """The model in the text, about the instance as it was spelled; None where the solver prints none."""
        return None

    def read_derivation(self, text: str, asked: Instance) -> Derivation | Refutation | None:
        """The refutation in the text likewise, with the clauses and values of its steps if it has them."""
        return None

    def read_witness(self, answer: Answer, instance: Instance) -> Model | Derivation | Refutation | None:
        """What the answer offers as a witness, None if nothing; `Unreadable` where it cannot be read.

        The answer is about the instance as it was `spelled`; the witness is about the instance itself.
        """
        asked = self.spelled(instance)
        names = {new.name: old.name for new, old in zip(asked.predicates, instance.predicates, strict=True)}
        if answer.verdict is Verdict.sat and answer.model_text is not None:
            model = self.read_model(answer.model_text, asked)
            return model if model is None or asked is instance else rename_model(model, names)
        if answer.verdict is Verdict.unsat and answer.proof_text is not None:
            found = self.read_derivation(answer.proof_text, asked)
            return found if found is None or asked is instance else rename_proof(found, names)
        return None

    def reads_surely(self, answer: Answer, instance: Instance) -> bool:
        """Whether its witness has one meaning only, so that it is the solver's fault if it is wrong."""
        return True

    def is_rejection(self, answer: Answer) -> bool:
        """Whether it refused the text of the instance; an option that it does not know is the user's mistake."""
        return is_rejection(answer)

    # Finding and installing -------------------------------------------------------------------------------

    def releases(self) -> Iterator[Installed]:
        """What is there: what the user has registered, and what the adapter finds by itself."""
        return registered(self.name)

    def is_program(self, path: str) -> bool:
        """Whether something of this solver could be started there."""
        return os.access(path, os.X_OK) and not os.path.isdir(path)

    def version_of(self, program: str) -> str | None:
        """What a program says about its version; None if it is not this solver or does not run."""
        return None

    def install(self, version: str, progress: Progress) -> Installed:
        """Fetch a release; `InstallError` says what else can be done where that is not possible."""
        raise InstallError(
            f"{self.name} is in no package registry that hornblower knows; get a release from its developers, then "
            f"type: hornblower solvers add {self.name} /path/to/its/program"
        )

    def remove(self, version: str) -> None:
        """Delete a release, or forget one that was registered."""
        unregister(self.name, version)


def answer_of(configuration: Configuration, result: Run, said: Said) -> Answer:
    return Answer(
        configuration=configuration,
        command=result.argv,
        verdict=said.verdict,
        seconds=result.seconds,
        cpu_seconds=result.cpu_seconds,
        peak_memory_mb=result.peak_memory_mb,
        detail=said.detail,
        model_text=said.model_text,
        proof_text=said.proof_text,
        own_check=said.own_check,
        trace=said.trace,
    )


def with_options(configuration: Configuration, options: Mapping[str, str]) -> Configuration:
    return msgspec.structs.replace(configuration, options=tuple(options.items()))
