"""The truth of tiny instances by enumeration, and witnesses checked by evaluation: the oracle of property tests.

It works for sorts of known finite size, such as Bool and narrow bit-vectors, and rests on nothing of what it is to
judge: only on the evaluator and on the definition of a least model.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from random import Random
from typing import NamedTuple

from chc.build import conjunction, disjunction, equation
from chc.evaluate import evaluate
from chc.instance import Atom, Clause, Instance, Predicate, make_clause
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.sorts import BOOL, Sort, bitvec
from chc.terms import Term, variable
from chc.value_terms import term_of_value
from chc.values import Value, all_values, cardinality
from transformations.known import Known
from transformations.random_terms import random_constraint, random_term

SORTS = (BOOL, bitvec(2))


class Fact(NamedTuple):
    """A ground atom; its values are those of the predicate's sorts."""

    predicate: str
    values: tuple[Value, ...]


class Application(NamedTuple):
    """One clause under one assignment that makes its constraint true; a head of None is false."""

    clause: int
    values: tuple[Value, ...]
    body: tuple[Fact, ...]
    head: Fact | None


# Instances -----------------------------------------------------------------------------------------------


def random_tiny_instance(rng: Random) -> Instance:
    """A few clauses over a few predicates of Booleans and two-bit vectors, with a fact and a query at least."""
    predicates = [Predicate(name, tuple(rng.choice(SORTS) for _ in range(rng.choice((0, 1, 1, 2))))) for name in "pqr"][
        : rng.choice((1, 2, 2, 3))
    ]
    clauses = [_random_clause(predicates, 0, True, rng) for _ in range(rng.choice((1, 1, 2)))]
    clauses += [_random_clause(predicates, rng.choice((1, 1, 2)), True, rng) for _ in range(rng.randrange(1, 5))]
    clauses += [
        _random_clause(predicates, rng.choice((0, 1, 1, 1, 1, 1, 2, 2)), False, rng)
        for _ in range(rng.choice((1, 1, 2)))
    ]
    rng.shuffle(clauses)
    return Instance((), (), tuple(predicates), tuple(clauses))


def _random_clause(predicates: list[Predicate], atoms: int, has_head: bool, rng: Random) -> Clause:
    """Facts and queries are mostly about single values, so that something lies between them."""
    variables = [variable(name, rng.choice(SORTS)) for name in "xyz"[: rng.choice((1, 2, 2, 3))]]
    narrow = (not atoms or not has_head) and rng.random() < 0.7
    body = [_random_atom(rng.choice(predicates), [] if narrow else variables, rng) for _ in range(atoms)]
    head = _random_atom(rng.choice(predicates), [] if narrow else variables, rng) if has_head else None
    parts = rng.choice((0, 1, 1, 2)) if has_head or atoms else 2
    return make_clause([random_constraint(variables, (), rng, depth=1) for _ in range(parts)], body, head, variables)


def _random_atom(predicate: Predicate, variables: list[Term], rng: Random) -> Atom:
    args = [random_term(sort, variables, (), rng, depth=rng.choice((0, 1, 1))) for sort in predicate.sorts]
    return Atom(predicate.name, tuple(arg for arg in args if arg is not None))


# Truth ---------------------------------------------------------------------------------------------------


def solve(instance: Instance) -> Known:
    """The instance with its least model, or with a refutation."""
    applications = [a for number, clause in enumerate(instance.clauses) for a in _applications(number, clause)]
    derived: dict[Fact, int] = {}
    steps: list[Step] = []
    progress = True
    while progress:
        progress = False
        for application in applications:
            if application.head in derived or not all(fact in derived for fact in application.body):
                continue
            steps.append(_step(instance, application, derived))
            if application.head is None:
                return Known(instance, _used(steps))
            derived[application.head] = len(steps) - 1
            progress = True
    return Known(instance, _least_model(instance, derived))


def is_enumerable(instance: Instance, most: int = 4096) -> bool:
    """Whether each clause has so few assignments that it may be solved here."""
    sizes = [[cardinality(var.sort) for var in clause.variables] for clause in instance.clauses]
    return all(None not in each and prod(size or 0 for size in each) <= most for each in sizes)


def _assignments(clause: Clause) -> Iterator[dict[Term, Value]]:
    for values in product(*(all_values(var.sort) for var in clause.variables)):
        yield dict(zip(clause.variables, values, strict=True))


def _applications(number: int, clause: Clause) -> Iterator[Application]:
    for assignment in _assignments(clause):
        if all(evaluate(part, assignment) for part in clause.constraint):
            body = tuple(_ground(atom, assignment) for atom in clause.body)
            head = None if clause.head is None else _ground(clause.head, assignment)
            yield Application(number, tuple(assignment.values()), body, head)


def _ground(atom: Atom, assignment: dict[Term, Value]) -> Fact:
    return Fact(atom.predicate, tuple(evaluate(arg, assignment) for arg in atom.args))


def _step(instance: Instance, application: Application, derived: dict[Fact, int]) -> Step:
    clause = instance.clauses[application.clause]
    values = _terms(application.values, [var.sort for var in clause.variables])
    head, fact = application.head, None
    if head is not None:
        fact = Atom(head.predicate, _terms(head.values, instance.signature[head.predicate].sorts))
    return Step(fact, application.clause, values, tuple(derived[premise] for premise in application.body))


def _terms(values: tuple[Value, ...], sorts: list[Sort] | tuple[Sort, ...]) -> tuple[Term, ...]:
    return tuple(term_of_value(value, sort) for value, sort in zip(values, sorts, strict=True))


def _used(steps: list[Step]) -> Refutation:
    """What the last step rests on, numbered anew."""
    needed = {len(steps) - 1}
    for number in range(len(steps) - 1, -1, -1):
        if number in needed:
            needed.update(steps[number].premises)
    place = {old: new for new, old in enumerate(sorted(needed))}
    kept = [steps[old] for old in sorted(needed)]
    return Refutation(tuple(Step(s.fact, s.clause, s.values, tuple(place[p] for p in s.premises)) for s in kept))


def _least_model(instance: Instance, derived: dict[Fact, int]) -> Model:
    return Model({predicate.name: _table(predicate, derived) for predicate in instance.predicates})


def _table(predicate: Predicate, derived: dict[Fact, int]) -> Interpretation:
    """The derived facts of one predicate, as a disjunction of their values."""
    params = tuple(variable(f"x{number}", sort) for number, sort in enumerate(predicate.sorts))
    rows = [_terms(fact.values, predicate.sorts) for fact in derived if fact.predicate == predicate.name]
    cases = [conjunction([equation(p, v) for p, v in zip(params, row, strict=True)]) for row in rows]
    return Interpretation(params, disjunction(cases))


# Witnesses -----------------------------------------------------------------------------------------------


def model_holds(instance: Instance, model: Model) -> bool:
    """Whether every clause holds under the model for all values."""
    if any(_misfits(predicate, model) for predicate in instance.predicates):
        return False
    return all(_clause_holds(clause, model) for clause in instance.clauses)


def _misfits(predicate: Predicate, model: Model) -> bool:
    found = model.interpretations.get(predicate.name)
    return found is None or tuple(param.sort for param in found.params) != predicate.sorts


def _clause_holds(clause: Clause, model: Model) -> bool:
    left = [*clause.constraint, *(model.holds(atom) for atom in clause.body)]
    for assignment in _assignments(clause):
        if all(evaluate(part, assignment) for part in left):
            if clause.head is None or not evaluate(model.holds(clause.head), assignment):
                return False
    return True


def refutation_holds(instance: Instance, refutation: Refutation) -> bool:
    """Whether every step follows by its clause, under its values, from earlier steps, and the last is false."""
    steps = refutation.steps
    if not steps or steps[-1].fact is not None:
        return False
    return all(_step_holds(instance, steps[:number], step) for number, step in enumerate(steps))


def _step_holds(instance: Instance, before: tuple[Step, ...], step: Step) -> bool:
    if not 0 <= step.clause < len(instance.clauses):
        return False
    clause = instance.clauses[step.clause]
    if len(step.values) != len(clause.variables) or len(step.premises) != len(clause.body):
        return False
    if any(var.sort is not value.sort for var, value in zip(clause.variables, step.values, strict=True)):
        return False
    if any(not 0 <= premise < len(before) for premise in step.premises):
        return False
    assignment = {var: evaluate(value, {}) for var, value in zip(clause.variables, step.values, strict=True)}
    facts = [before[premise].fact for premise in step.premises]
    atoms = [*zip(clause.body, facts, strict=True), (clause.head, step.fact)]
    return all(evaluate(part, assignment) is True for part in clause.constraint) and all(
        _same(atom, fact, assignment) for atom, fact in atoms
    )


def _same(atom: Atom | None, fact: Atom | None, assignment: dict[Term, Value]) -> bool:
    """Whether the atom, under the assignment, is the fact."""
    if atom is None or fact is None:
        return atom is fact
    return _ground(atom, assignment) == _ground(fact, {})


def witness_holds(known: Known) -> bool:
    """Whether the witness proves what it claims to prove."""
    if isinstance(known.witness, Model):
        return model_holds(known.instance, known.witness)
    return known.witness is not None and refutation_holds(known.instance, known.witness)
