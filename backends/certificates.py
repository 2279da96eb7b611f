"""Does a witness prove the verdict? Each checker says so of its own accord: valid, invalid or undecided."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from backends.smt_checker import Decision, Satisfiability, SmtChecker
from chc.build import conjunction, equation, negation
from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Instance
from chc.model import Model, misfit
from chc.printer import show_atom, show_clause, show_term
from chc.refutation import Refutation, Step
from chc.terms import FALSE, Kind, Term, literal_value, substitute, subterms
from chc.undetermined import Undetermined
from chc.witness import Witness

_LONGEST_CLAUSE = 600
_LONGEST_VALUE = 200


class Outcome(StrEnum):
    valid = "valid"
    invalid = "invalid"
    undecided = "undecided"


class Check(msgspec.Struct, frozen=True):
    """What one checker says of one witness. `number` is the clause violated, or the step that fails, from 0."""

    checker: str
    outcome: Outcome
    reason: str = ""
    number: int | None = None


async def check_witness(instance: Instance, witness: Witness, checker: SmtChecker) -> Check:
    """Valid iff the witness proves what it claims about the instance."""
    if isinstance(witness, Model):
        return await check_model(instance, witness, checker)
    return await check_refutation(instance, witness, checker)


async def check_model(instance: Instance, model: Model, checker: SmtChecker) -> Check:
    """Valid iff no clause can be violated under the model; a violation comes with clause and values."""
    problem = _model_problem(instance, model)
    if problem:
        return Check(checker.name, Outcome.invalid, problem)
    questions = [violation(clause, model) for clause in instance.clauses]
    numbers = [n for n, question in enumerate(questions) if FALSE not in question]
    decisions = await checker.decide(instance, [questions[n] for n in numbers])
    unclear: Check | None = None
    for number, decision in zip(numbers, decisions, strict=True):
        if decision.outcome is Satisfiability.sat:
            return await _violated(instance, number, questions[number], checker)
        if decision.outcome is Satisfiability.unknown and unclear is None:
            unclear = _undecided(checker, f"clause {number + 1}", decision, number)
    return unclear or Check(checker.name, Outcome.valid)


def _model_problem(instance: Instance, model: Model) -> str:
    """What is wrong with a model before any clause is looked at."""
    for predicate in instance.predicates:
        interpretation = model.interpretations.get(predicate.name)
        if interpretation is None:
            return f"the model says nothing about the predicate `{predicate.name}`"
        if problem := misfit(interpretation, predicate):
            return problem
    return ""


def _undecided(checker: SmtChecker, what: str, decision: Decision, number: int) -> Check:
    reason = f"{checker.name} cannot decide {what}: {decision.reason}"
    return Check(checker.name, Outcome.undecided, reason, number)


def violation(clause: Clause, model: Model) -> tuple[Term, ...]:
    """Formulas that hold together exactly where the clause is violated."""
    formulas = [*clause.constraint, *(model.holds(atom) for atom in clause.body)]
    if clause.head is not None:
        formulas.append(negation(model.holds(clause.head)))
    return tuple(formulas)


async def _violated(instance: Instance, number: int, question: tuple[Term, ...], checker: SmtChecker) -> Check:
    """The counterexample in words, confirmed by evaluation wherever that decides it, else by a cold process."""
    decision = await checker.solve(instance, question)
    if decision.outcome is not Satisfiability.sat or decision.values is None:
        reason = f"{checker.name} says that clause {number + 1} is violated, but gives no readable values"
        return Check(checker.name, Outcome.undecided, reason, number)
    values = decision.values
    words = _violation_in_words(instance, number, values)
    try:
        assignment = {var: evaluate(value, {}) for var, value in values.items()}
        holds = all(evaluate(formula, assignment) is True for formula in question)
    except Undetermined as why:
        return await _confirm_cold(instance, substitute(question, values), words, f"{why}", checker, number)
    if not holds:
        reason = f"{checker.name} claims that {words}, but evaluation contradicts it"
        return Check(checker.name, Outcome.undecided, reason, number)
    return Check(checker.name, Outcome.invalid, words, number)


async def _confirm_cold(
    instance: Instance, ground: Sequence[Term], words: str, why: str, checker: SmtChecker, number: int
) -> Check:
    """An accusation that evaluation leaves open stands if a cold process says so too and nothing but quantifiers
    is to blame: what a division by zero gives, or what an uninterpreted sort consists of, everybody may choose, so
    it convicts nobody."""
    if not instance.sorts and not has_partial_operation(ground):
        again = await checker.solve(instance, ground, cold=True)
        if again.outcome is Satisfiability.sat:
            reason = f"{words} (confirmed by a second process of {checker.name}; evaluation leaves it open: {why})"
            return Check(checker.name, Outcome.invalid, reason, number)
    reason = f"{checker.name} claims that {words}, but evaluation leaves it open: {why}"
    return Check(checker.name, Outcome.undecided, reason, number)


def has_partial_operation(formulas: Sequence[Term]) -> bool:
    """Whether SMT-LIB may leave a value open: by a selector, or by dividing by what may be zero."""
    return any(node.kind is Kind.SELECTOR or _may_divide_by_zero(node) for node in subterms(formulas))


def _may_divide_by_zero(node: Term) -> bool:
    if node.kind is not Kind.BUILTIN or node.name not in ("/", "div", "mod"):
        return False
    return any(arg.kind is not Kind.LITERAL or literal_value(arg) == 0 for arg in node.args[1:])


def _violation_in_words(instance: Instance, number: int, values: dict[Term, Term]) -> str:
    clause = instance.clauses[number]
    shown = [f"{var.name} = {show_term(values[var], _LONGEST_VALUE)}" for var in clause.variables if var in values]
    text = show_clause(clause)[:_LONGEST_CLAUSE]
    return f"clause {number + 1} {text} is violated by {', '.join(shown) or 'any values'}"


async def check_refutation(instance: Instance, refutation: Refutation, checker: SmtChecker) -> Check:
    """Valid iff every step follows from its premises by its clause under its values."""
    problem = _shape_problem(instance, refutation)
    if problem:
        return Check(checker.name, Outcome.invalid, problem)
    demands = [conjunction(_step_demands(instance, refutation, step)) for step in refutation.steps]
    together = await checker.decide(instance, [[negation(conjunction(demands))]])
    if together[0].outcome is Satisfiability.unsat:
        return Check(checker.name, Outcome.valid)
    unclear: Check | None = None
    for number, decision in enumerate(await checker.decide(instance, [[negation(d)] for d in demands])):
        if decision.outcome is Satisfiability.sat:
            return await _failing(instance, refutation, number, demands[number], checker)
        if decision.outcome is Satisfiability.unknown and unclear is None:
            unclear = _undecided(checker, f"step {number + 1}", decision, number)
    if unclear is None and together[0].outcome is Satisfiability.sat:
        reason = f"{checker.name} contradicts itself: each step follows, but not all of them together"
        return Check(checker.name, Outcome.undecided, reason)
    return unclear or Check(checker.name, Outcome.valid)


async def _failing(instance: Instance, refutation: Refutation, number: int, demand: Term, checker: SmtChecker) -> Check:
    """A step that does not follow, confirmed by evaluation wherever that decides it, else by a cold process."""
    words = _step_in_words(instance, refutation, number)
    try:
        fails = evaluate(demand, {}) is False
    except Undetermined as why:
        return await _confirm_cold(instance, [negation(demand)], words, f"{why}", checker, number)
    if fails:
        return Check(checker.name, Outcome.invalid, words, number)
    reason = f"{checker.name} claims that {words}, but evaluation contradicts it"
    return Check(checker.name, Outcome.undecided, reason, number)


def _shape_problem(instance: Instance, refutation: Refutation) -> str:
    """What is wrong with a refutation before any value is looked at."""
    if not refutation.steps or refutation.steps[-1].fact is not None:
        return "the refutation does not end in false"
    for number, step in enumerate(refutation.steps):
        if not 0 <= step.clause < len(instance.clauses):
            return f"step {number + 1} names a clause that does not exist"
        clause = instance.clauses[step.clause]
        if (clause.head is None) != (step.fact is None) or len(step.values) != len(clause.variables):
            return f"step {number + 1} does not fit its clause {step.clause + 1}"
        if len(step.premises) != len(clause.body) or any(not 0 <= p < number for p in step.premises):
            return f"step {number + 1} has premises that do not fit clause {step.clause + 1}"
        facts = [refutation.steps[p].fact for p in step.premises]
        pairs = [*zip(clause.body, facts, strict=True), (clause.head, step.fact)]
        if any(_name(atom) != _name(fact) for atom, fact in pairs):
            return f"step {number + 1} has facts of other predicates than clause {step.clause + 1}"
        if not _has_right_sorts(instance, clause, step):
            return f"step {number + 1} has values of other sorts than clause {step.clause + 1}"
    return ""


def _has_right_sorts(instance: Instance, clause: Clause, step: Step) -> bool:
    found = [value.sort for value in step.values]
    wanted = [var.sort for var in clause.variables]
    if step.fact is not None:
        found.extend(arg.sort for arg in step.fact.args)
        wanted.extend(instance.signature[step.fact.predicate].sorts)
    return found == wanted


def _name(atom: Atom | None) -> str | None:
    return None if atom is None else atom.predicate


def _step_demands(instance: Instance, refutation: Refutation, step: Step) -> Sequence[Term]:
    clause = instance.clauses[step.clause]
    binding = dict(zip(clause.variables, step.values, strict=True))
    demands = list(clause.constraint)
    for atom, premise in zip(clause.body, step.premises, strict=True):
        fact = refutation.steps[premise].fact
        assert fact is not None
        demands.extend(equation(a, b) for a, b in zip(atom.args, fact.args, strict=True))
    if clause.head is not None and step.fact is not None:
        demands.extend(equation(a, b) for a, b in zip(clause.head.args, step.fact.args, strict=True))
    return substitute(demands, binding)


def _step_in_words(instance: Instance, refutation: Refutation, number: int) -> str:
    step = refutation.steps[number]
    premises = ", ".join(show_atom(refutation.steps[p].fact) for p in step.premises) or "no premise"
    return (
        f"step {number + 1} derives {show_atom(step.fact)} from {premises}, which does not follow "
        f"by clause {step.clause + 1} {show_clause(instance.clauses[step.clause])[:_LONGEST_CLAUSE]}"
    )
