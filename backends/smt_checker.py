"""A general SMT solver as a checker: questions to a warm process, each with its own limit of time."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from backends.checker_programs import CVC5, PRINCESS, Z3, Effort, program_of
from backends.limits import Limits
from backends.process import Ending
from backends.warm import Reply, WarmPool, WarmProcess
from chc.build import SortError
from chc.instance import Instance
from chc.lexer import Limits as ReadingLimits
from chc.lexer import ReadError, tokenize
from chc.printer import show_sorts_and_datatypes, show_term
from chc.sorts import quote_symbol, show_sort
from chc.term_reader import TermReader
from chc.terms import Kind, Term, free_variables, fresh_name, substitute, subterms, variable
from chc.vocabulary import symbols_without_predicates

CHECKERS: Final = (Z3, CVC5)
"""Who looks at a witness, unless others are asked for."""
ALL_CHECKERS: Final = (*CHECKERS, PRINCESS)
_MATCHING: Final = "(set-option :smt.ematching true)"
_NO_MATCHING: Final = "(set-option :smt.ematching false)"
"""Where z3 loses its way in instances of quantifiers that it finds by matching, it may do better by models alone. The
option outlives a reset, so that it has to be set each time."""


class Satisfiability(StrEnum):
    sat = "sat"
    unsat = "unsat"
    unknown = "unknown"


class Decision(msgspec.Struct, frozen=True):
    """What came of one question: with sat the values of the free variables, with unknown the reason."""

    outcome: Satisfiability
    reason: str = ""
    values: dict[Term, Term] | None = None


class SmtChecker:
    """z3, cvc5 or Princess, asked whether formulas can hold together; the free variables stand for values to be found.

    Making one raises `SolverMissing` where its program is not there.
    """

    def __init__(self, name: str, processes: int, effort: Effort | None = None) -> None:
        self.name = name
        self._effort = effort or Effort()
        self._program = program_of(name, self._effort)
        self._pool = WarmPool(lambda: self._program.command, processes, self._program.upkeep)

    async def __aenter__(self) -> SmtChecker:
        await self._pool.__aenter__()
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self._pool.aclose()

    async def decide(self, instance: Instance, questions: Sequence[Sequence[Term]]) -> list[Decision]:
        """One decision for each question; what is left open in company is asked once more alone.

        Questions with quantifiers are asked alone at once: in company, z3 is far weaker on them.
        """
        company = [number for number, question in enumerate(questions) if not _has_quantifier(question)]
        decisions = [Decision(Satisfiability.unknown, "it was not asked")] * len(questions)
        if company:
            reply = await self._ask_together(instance, [questions[number] for number in company])
            for number, decision in zip(company, decisions_of(reply, len(company)), strict=True):
                decisions[number] = decision
        for number, decision in enumerate(decisions):
            if decision.outcome is Satisfiability.unknown and (len(questions) > 1 or not company):
                decisions[number] = await self.solve(instance, questions[number])
                if decisions[number].outcome is not Satisfiability.unsat:
                    break  # one open or failing question settles the whole
        return decisions

    async def solve(self, instance: Instance, question: Sequence[Term], *, cold: bool = False) -> Decision:
        """The decision on one question, with values where it is sat. `cold` asks a process of its own."""
        question, original = _safely_named(instance, question)
        variables = list(original)
        reply = await self._ask_alone(self._alone(instance, question, variables), cold)
        decision = decisions_of(reply, 1)[0]
        if decision.outcome is Satisfiability.unknown and self.name == Z3 and _has_quantifier(question):
            reply = await self._ask_alone(self._alone(instance, question, variables, _NO_MATCHING), cold)
            decision = decisions_of(reply, 1)[0]
        if decision.outcome is not Satisfiability.sat:
            return decision
        values = read_values(reply.output, instance, variables)
        if values is None:
            return decision
        return Decision(decision.outcome, values={original[var]: value for var, value in values.items()})

    async def _ask_alone(self, script: str, cold: bool) -> Reply:
        if not cold:
            return await self._pool.ask(script, self._limits(1))
        async with WarmProcess(self._program.command, self._program.upkeep) as process:
            return await process.ask(script, self._limits(1))

    async def _ask_together(self, instance: Instance, questions: Sequence[Sequence[Term]]) -> Reply:
        lines = [*self._preamble(questions), *show_sorts_and_datatypes(instance)]
        for question in questions:
            named, original = _safely_named(instance, question)
            lines.extend(("(push 1)", *_assertions(named, list(original)), "(check-sat)", "(pop 1)"))
        return await self._pool.ask("\n".join(lines), self._limits(len(questions)))

    def _alone(
        self, instance: Instance, question: Sequence[Term], variables: Sequence[Term], way: str = _MATCHING
    ) -> str:
        lines = [*self._preamble([question], values=True, way=way), *show_sorts_and_datatypes(instance)]
        lines.extend((*_assertions(question, variables), "(check-sat)"))
        if variables:
            lines.append(f"(get-value ({' '.join(quote_symbol(var.name) for var in variables)}))")
        return "\n".join(lines)

    def _preamble(
        self, questions: Sequence[Sequence[Term]], *, values: bool = False, way: str = _MATCHING
    ) -> list[str]:
        limit = self._effort.question_milliseconds
        lines = ["(set-option :produce-models true)"] if values else []
        if self.name == Z3:
            # Without a logic, z3 brings a datatype List of its own along, which nobody can declare again.
            return [f"(set-option :timeout {limit})", way, *lines, "(set-logic ALL)"]
        if self.name == PRINCESS:  # whose limit is on its command line
            return [*lines, "(set-logic ALL)"]
        lines.extend(_cvc5_options(questions))
        return [f"(set-option :tlimit-per {limit})", *lines, "(set-logic ALL)"]

    def _limits(self, questions: int) -> Limits:
        seconds = min(self._effort.question_seconds * questions, self._effort.total_seconds)
        return Limits(
            wall_seconds=seconds + self._program.startup_seconds,
            memory_mb=self._effort.memory_mb,
            address_space=self._program.address_space,
        )


def _has_quantifier(question: Sequence[Term]) -> bool:
    return any(formula.has_quantifier for formula in question)


def _cvc5_options(questions: Sequence[Sequence[Term]]) -> list[str]:
    """What cvc5 does only when asked: constant arrays, and instantiating quantifiers by enumeration."""
    options = []
    if any(_has_quantifier(question) for question in questions):
        options.append("(set-option :enum-inst true)")
    nodes = subterms(formula for question in questions for formula in question)
    if any(node.kind is Kind.BUILTIN and node.name == "const" for node in nodes):
        options.append("(set-option :arrays-exp true)")
    return options


def _safely_named(instance: Instance, question: Sequence[Term]) -> tuple[list[Term], dict[Term, Term]]:
    """The question over variables whose names belong to no theory of any checker, and whose names these are."""
    symbols = symbols_without_predicates(instance)
    original: dict[Term, Term] = {}
    taken: set[str] = set()
    for var in free_variables(question):
        name = fresh_name("value!1", lambda wish: wish in taken or symbols.hides(wish))
        taken.add(name)
        original[variable(name, var.sort)] = var
    return substitute(question, {var: safe for safe, var in original.items()}), original


def _assertions(question: Sequence[Term], variables: Sequence[Term]) -> list[str]:
    lines = [f"(declare-fun {quote_symbol(var.name)} () {show_sort(var.sort)})" for var in variables]
    lines.extend(f"(assert {show_term(formula)})" for formula in question)
    return lines


def decisions_of(reply: Reply, wanted: int) -> list[Decision]:
    """One for each `check-sat`. After an error nothing counts any more: an assertion may have been dropped."""
    decisions: list[Decision] = []
    reason = reply.message or "it stopped answering"
    for line in reply.output.splitlines():
        word = line.strip()
        if word.startswith("(error") or word == "error":
            reason = word if word != "error" else "it stopped with an error of its own"
            break
        if word in ("sat", "unsat", "unknown") and len(decisions) < wanted:
            outcome = Satisfiability(word)
            decisions.append(Decision(outcome, "" if word != "unknown" else "it does not know"))
    if reply.ending is Ending.answered and len(decisions) == wanted:
        return decisions
    return [*decisions, *[Decision(Satisfiability.unknown, reason)] * (wanted - len(decisions))]


def read_values(output: str, instance: Instance, variables: Sequence[Term]) -> dict[Term, Term] | None:
    """The values of a `get-value` reply behind the verdict; None where one is no ground term of the language."""
    text = output.strip().partition("\n")[2]
    reader = TermReader(text, tokenize(text), symbols_without_predicates(instance), ReadingLimits())
    by_name = {var.name: var for var in variables}
    found: dict[Term, Term] = {}
    try:
        while variables and len(found) < len(by_name):
            reader.next("the opening of the values or of a pair")
            if reader.tokens[reader.at : reader.at + 1] == ["("]:
                continue
            var = by_name.get(reader.symbol("a variable"))
            value = reader.term()
            reader.expect(")", "after a value")
            if var is None or value.sort is not var.sort:
                return None
            found[var] = value
    except (ReadError, SortError):
        return None
    return found
