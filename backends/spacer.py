"""The adapter of Spacer, the Horn engine of z3: how to call it, and how to read what it said."""

import math
import re
import signal as signals
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from backends.answer import Answer, Configuration, Verdict
from backends.limits import Limits
from backends.model_reader import read_model
from backends.process import Ending, Run, run
from backends.renaming import rename_derivation, rename_model
from backends.spacer_output import SpacerOutput, split_output
from backends.spacer_proof import is_goal_name, read_derivation
from backends.warm import WarmProcess
from chc.instance import Instance
from chc.model import Model
from chc.refutation import Derivation
from chc.renaming import rename_predicates
from chc.terms import Kind, Term, fresh_name, subterms

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
_OUT_OF_MEMORY_EXIT: Final = 101
_SHELL_SIGNAL_BASE: Final = 128
_BROKEN_ASSERTION: Final = re.compile(
    r"^(?:ASSERTION VIOLATION|UNEXPECTED CODE WAS REACHED|Failed to verify:)", re.MULTILINE
)


def read_witness(answer: Answer, instance: Instance) -> Model | Derivation | None:
    """What the answer offers as a witness, None if nothing; `Unreadable` where it cannot be read.

    The answer is about the instance as it was sent, `without_goal_names`; the witness is about the instance itself.
    """
    asked = without_goal_names(instance)
    names = {new.name: old.name for new, old in zip(asked.predicates, instance.predicates, strict=True)}
    if answer.verdict is Verdict.sat and answer.model_text is not None:
        model = read_model(answer.model_text, asked)
        return model if asked is instance else rename_model(model, names)
    if answer.verdict is Verdict.unsat and answer.proof_text is not None:
        derivation = read_derivation(answer.proof_text, asked)
        return derivation if asked is instance else rename_derivation(derivation, names)
    return None


def speaks_of_clauses(options: Iterable[tuple[str, str]]) -> bool:
    """Whether the steps of a refutation under these options should be those of the instance's own clauses."""
    given = {name: value for name, value in options if name.startswith(_REWRITING)}
    return given == dict(_FOR_WITNESSES)


def with_witness_options(configuration: Configuration) -> Configuration:
    """The configuration under which a refutation speaks of clauses, as far as its own options allow."""
    options = {**dict(_FOR_WITNESSES), **dict(configuration.options)}
    return msgspec.structs.replace(configuration, options=tuple(options.items()))


def without_inliners(configuration: Configuration) -> Configuration:
    """The configuration under which models are to be trusted."""
    options = {**dict(configuration.options), **dict.fromkeys(_INLINERS, "false")}
    return msgspec.structs.replace(configuration, options=tuple(options.items()))


def without_goal_names(instance: Instance) -> Instance:
    """The instance with those predicates renamed that z3 would confuse with its own goals, or print as nothing."""
    taken = set(instance.signature)
    renaming: dict[str, str] = {}
    for predicate in instance.predicates:
        if is_goal_name(predicate.name) or not predicate.name:
            renaming[predicate.name] = fresh_name(f"user_{predicate.name}", taken.__contains__)
            taken.add(renaming[predicate.name])
    return rename_predicates(instance, renaming) if renaming else instance


async def ask(configuration: Configuration, path: Path, limits: Limits) -> Answer:
    """The answer to the instance in a file. Whatever the program does is data: nothing is raised for it."""
    return _answer(configuration, await run(command(configuration, path, limits), limits))


def warm_command(configuration: Configuration) -> tuple[str, ...]:
    """A process that serves many queries; it keeps the options of its command line through each `(reset)`."""
    return (configuration.program, "-in", *_settings(configuration))


async def ask_warm(process: WarmProcess, configuration: Configuration, text: str, limits: Limits) -> Answer:
    """The answer of a warm process to the text of an instance, in the same terms as that of a cold one."""
    reply = await process.ask(f"{text}(get-model)", limits)
    is_alive = reply.ending is Ending.answered
    result = Run(
        warm_command(configuration),
        Ending.exited if is_alive else reply.ending,
        exit_code=0 if is_alive else reply.exit_code,
        signal=reply.signal,
        stdout=reply.output.encode(),
        stderr=reply.stderr.encode(),
        seconds=reply.seconds,
        message=reply.message,
    )
    return _answer(configuration, result)


def _answer(configuration: Configuration, result: Run) -> Answer:
    said = split_output(result.stdout.decode("utf-8", "replace"))
    verdict, detail = judge(result, said)
    return Answer(
        configuration=configuration,
        command=result.argv,
        verdict=verdict,
        seconds=result.seconds,
        cpu_seconds=result.cpu_seconds,
        peak_memory_mb=result.peak_memory_mb,
        detail=detail,
        model_text=_unless_blank(said.after) if verdict is Verdict.sat else None,
        proof_text=_unless_blank(said.before) if verdict is Verdict.unsat else None,
    )


def command(configuration: Configuration, path: Path, limits: Limits) -> tuple[str, ...]:
    # The limit of the runner is the authority; z3's own, a second later, is for whoever types the command again.
    seconds = math.ceil(limits.wall_seconds) + 1
    return (configuration.program, "-model", *_settings(configuration), f"-T:{seconds}", str(path.absolute()))


def _settings(configuration: Configuration) -> list[str]:
    options = {**dict(_ALWAYS), **dict(configuration.options)}
    return [f"{name}={value}" for name, value in options.items()]


def known_trouble(options: Iterable[tuple[str, str]]) -> str | None:
    """Why an invalid model under these options is no news, or None where it would be."""
    given = dict(options)
    return None if all(given.get(name) == "false" for name in _INLINERS) else _KNOWN_TROUBLE


def is_rejection(answer: Answer) -> bool:
    """Whether it refused the text of the instance; an option that it does not know is the user's mistake."""
    return answer.verdict is Verdict.error and answer.detail.startswith("(error")


def decides(instance: Instance) -> bool:
    """Whether the instance lies where Spacer is meant to decide: no products of unknowns, no inner quantifiers."""
    terms = (term for clause in instance.clauses for term in clause.terms)
    return not any(node.kind is Kind.QUANTIFIER or _is_product(node) for node in subterms(terms))


def _is_product(node: Term) -> bool:
    if node.kind is not Kind.BUILTIN or node.name not in ("*", "/", "div", "mod"):
        return False
    return sum(arg.kind is not Kind.LITERAL for arg in node.args) > 1 or (
        node.name != "*" and node.args[-1].kind is not Kind.LITERAL
    )


def judge(result: Run, said: SpacerOutput) -> tuple[Verdict, str]:
    """The verdict and the detail of a run.

    A verdict stands although the run was stopped afterwards, while it printed the witness. But it does not stand
    after an error, because z3 drops what it does not understand and goes on, nor before a crash.
    """
    if result.ending is Ending.could_not_start:
        return Verdict.error, _with_remedy(result.message)
    if crash := _crash(result):
        return Verdict.crash, crash if said.verdict is None else f"{crash}, after it had said {said.verdict}"
    if said.error is not None and not _is_out_of_memory(result):
        return Verdict.error, said.error
    if said.verdict is not None:
        return Verdict(said.verdict), _after_verdict(result)
    return _without_verdict(result)


def _without_verdict(result: Run) -> tuple[Verdict, str]:
    if _is_out_of_memory(result):
        return Verdict.memout, result.message or "it ran out of memory"
    if result.ending in (Ending.timeout, Ending.cpu_timeout):
        return Verdict.timeout, result.message
    if result.ending is Ending.flood:
        return Verdict.error, f"{result.message}, none of which was a verdict"
    reason = _first_line(result.stderr) or _first_line(result.stdout) or "it printed nothing"
    return Verdict.error, f"no verdict, exit code {result.exit_code}: {reason}"


def _after_verdict(result: Run) -> str:
    if result.ending is Ending.exited:
        return ""
    return f"{result.message}, after it had given its verdict; the witness may be cut off"


def _is_out_of_memory(result: Run) -> bool:
    return result.ending is Ending.memout or result.exit_code == _OUT_OF_MEMORY_EXIT


def _crash(result: Run) -> str | None:
    """How it crashed: by a signal, also of a child whose shell passes it on, or by an assertion of its own."""
    number = result.signal if result.ending is Ending.signal else (result.exit_code or 0) - _SHELL_SIGNAL_BASE
    if result.ending in (Ending.signal, Ending.exited) and number in signals.valid_signals():
        return f"died of {_signal_name(number)}"
    return None if result.exit_code == 0 else _broken_assertion(result)


def _signal_name(number: int | None) -> str:
    name = signals.Signals(number).name if number in set(signals.Signals) else f"signal {number}"
    description = signals.strsignal(number) if number else None
    return f"{name} ({description})" if description else name


def _broken_assertion(result: Run) -> str | None:
    """The message with the few lines below it, which name the place in the source."""
    for said in map(_text, (result.stderr, result.stdout)):
        if found := _BROKEN_ASSERTION.search(said):
            return " ".join(said[found.start() :].split("\n", 4)[:4]).strip()
    return None


def _with_remedy(message: str) -> str:
    return f"{message}; see what is installed: hornblower solvers list"


def _first_line(said: bytes) -> str:
    return next((line.strip() for line in _text(said[:10_000]).splitlines() if line.strip()), "")


def _text(said: bytes) -> str:
    return said.decode("utf-8", "replace")


def _unless_blank(text: str) -> str | None:
    return text if text.strip() else None
