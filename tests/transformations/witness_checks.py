"""Witnesses checked without the house's own checkers: refutations by evaluation, models by z3's Python interface."""

import z3

from chc.build import conjunction, equation, negation
from chc.evaluate import value_of_ground
from chc.instance import Clause, Instance
from chc.model import Model
from chc.printer import show_sorts_and_datatypes, show_term
from chc.refutation import Refutation, Step
from chc.sorts import quote_symbol, show_sort
from chc.terms import Term, free_variables, substitute


def failing_step(instance: Instance, refutation: Refutation) -> int | None:
    """The number of the first step that does not follow; None where all do and the last derives false."""
    for number, step in enumerate(refutation.steps):
        if any(value_of_ground(demand) is not True for demand in _demands(instance, refutation, step)):
            return number
    return None if refutation.steps[-1].fact is None else len(refutation.steps)


def _demands(instance: Instance, refutation: Refutation, step: Step) -> list[Term]:
    """Ground formulas that have to be true for the step to be right."""
    clause = instance.clauses[step.clause]
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    facts = [*(refutation.steps[p].fact for p in step.premises), *([step.fact] if clause.head else [])]
    wanted = list(clause.constraint)
    for atom, fact in zip(atoms, facts, strict=True):
        assert fact is not None
        assert atom.predicate == fact.predicate
        wanted.extend(equation(left, right) for left, right in zip(atom.args, fact.args, strict=True))
    return substitute(wanted, dict(zip(clause.variables, step.values, strict=True)))


def violated_clause(instance: Instance, model: Model) -> int | None:
    """The number of the first clause of which z3 cannot show that the model satisfies it."""
    for number, clause in enumerate(instance.clauses):
        solver = z3.Solver()
        solver.set("timeout", 20000)
        solver.from_string(_violation(instance, model, clause))
        if solver.check() != z3.unsat:
            return number
    return None


def _violation(instance: Instance, model: Model, clause: Clause) -> str:
    """A script that is satisfiable iff the clause is violated. Without a logic z3 has a sort `List` of its own."""
    formulas = [*clause.constraint, *(model.holds(atom) for atom in clause.body)]
    if clause.head is not None:
        formulas.append(negation(model.holds(clause.head)))
    lines = ["(set-logic ALL)", *show_sorts_and_datatypes(instance)]
    for var in free_variables(formulas):
        lines.append(f"(declare-fun {quote_symbol(var.name)} () {show_sort(var.sort)})")
    return "\n".join([*lines, f"(assert {show_term(conjunction(formulas))})"])
