"""A finding in words that a solver's developer understands."""

from __future__ import annotations

import shlex

from chc.instance import Instance
from chc.model import Model
from chc.printer import show_atom, show_clause, show_term
from chc.refutation import Refutation
from chc.sorts import show_sort
from chc.witness import Truth, Witness
from daemon.case import Case
from knowledge_base.records import Severity

MEANING = {
    Severity.unsound: "unsound: it says sat, but the clauses have a refutation",
    Severity.false_refutation: "false refutation: it says unsat, but the clauses have a model",
    Severity.wrong_model: "wrong model: it says sat, which is right, but its model does not satisfy the clauses",
    Severity.wrong_refutation: "wrong refutation: it says unsat, rightly, but a step of its proof does not follow",
    Severity.unknown: "it gives up on an instance that it should decide",
    Severity.failure: "it crashes, rejects a well-formed instance, or takes far longer than on near relatives",
    Severity.unresolved: "it contradicts what was to be expected, and no certificate says yet who is right",
    Severity.warm_cold: "a process that had answered other queries before says something else than a fresh one",
}
_LONGEST = 2000


def headline(case: Case) -> str:
    finding = case.stored.finding
    return f"{finding.configuration.label}: {MEANING[finding.severity]}"


def answer_in_words(case: Case) -> str:
    if case.answer is None:
        return "not stored"
    answer = case.answer.answer
    detail = f" ({answer.detail})" if answer.detail else ""
    return f"{answer.verdict} after {answer.seconds:.3f} s{detail}"


def truth_in_words(case: Case, instance: Instance) -> str:
    """The truth with its certificate, so that it can be checked by eye."""
    witness = case.witness(instance)
    if case.certificate is None or witness is None:
        expected = case.stored.finding.expected
        return "unknown: nobody has proved it" + (f"; expected by its making: {expected}" if expected else "")
    checkers = ", ".join(case.certificate.checkers)
    kind = "this model" if case.truth is Truth.sat else "this refutation"
    return f"{case.truth}, because of {kind}, which {checkers} call valid:\n{witness_in_words(witness, instance)}"


def witness_in_words(witness: Witness, instance: Instance) -> str:
    return _model(witness) if isinstance(witness, Model) else _refutation(witness, instance)


def _model(model: Model) -> str:
    lines = []
    for name, interpretation in sorted(model.interpretations.items()):
        params = " ".join(f"({param.name} {show_sort(param.sort)})" for param in interpretation.params)
        lines.append(f"  (define-fun {name} ({params}) Bool {show_term(interpretation.body, _LONGEST)})")
    return "\n".join(lines)


def _refutation(refutation: Refutation, instance: Instance) -> str:
    lines = []
    for number, step in enumerate(refutation.steps, 1):
        clause = instance.clauses[step.clause]
        pairs = zip(clause.variables, step.values, strict=True)
        values = ", ".join(f"{var.name} = {show_term(value, 200)}" for var, value in pairs)
        premises = f" from {', '.join(str(premise + 1) for premise in step.premises)}" if step.premises else ""
        lines.append(f"  {number}. {show_atom(step.fact)}{premises} by clause {step.clause + 1}")
        lines.append(f"       with {values}" if values else "       as it stands")
    used = sorted({step.clause for step in refutation.steps})
    lines.append("  where")
    lines.extend(f"  clause {number + 1} is {show_clause(instance.clauses[number])[:_LONGEST]}" for number in used)
    return "\n".join(lines)


def chain_in_words(case: Case) -> str:
    if not case.links:
        return "none: it was asked as it is"
    return " > ".join((*case.history, *(link.transformation for link in case.links)))


def story(case: Case) -> str:
    """The whole finding for a person."""
    finding = case.stored.finding
    instance = case.instance
    parts = [
        f"finding   {case.stored.key}",
        f"severity  {finding.severity} ({MEANING[finding.severity]})",
        f"status    {finding.status}{f': {finding.reason}' if finding.reason else ''}",
        f"solver    {finding.configuration.label}",
        f"command   {shlex.join(finding.command)}",
        f"answer    {answer_in_words(case)}",
        f"evidence  {finding.evidence or 'none'}",
        f"chain     {chain_in_words(case)}",
        f"truth     {truth_in_words(case, instance)}",
        "",
        f"instance  {case.record.address}",
        case.record.text,
    ]
    return "\n".join(parts)
