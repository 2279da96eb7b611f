"""Steps of refutations rewritten one by one: values found by evaluation, leaves added, premises renumbered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product
from typing import Final

from chc.build import conjunction
from chc.default_terms import DefaultTerms
from chc.evaluate import evaluate, value_of_ground
from chc.instance import Atom, Clause, Instance
from chc.refutation import Refutation, Step
from chc.sorts import Sort
from chc.terms import Term
from chc.undetermined import Undetermined
from chc.value_terms import term_of_value
from chc.values import Value, all_values, cardinality
from transformations.carry import Values, prune, reorder_values

MOST_TRIALS: Final = 256
"""So many combinations of values are tried for variables that a rewriting has added."""


def value_under(term: Term, values: Values) -> Value | None:
    """The value of the term; None where SMT-LIB leaves it open."""
    try:
        return evaluate(term, {var: value_of_ground(value) for var, value in values.items()})
    except Undetermined:
        return None


def ground(term: Term, values: Values, instance: Instance) -> Term | None:
    """The ground term of that value."""
    value = value_under(term, values)
    return None if value is None else term_of_value(value, term.sort, instance.datatypes)


def ground_atom(atom: Atom, values: Values, instance: Instance) -> Atom | None:
    """The fact that the atom is under the values."""
    args = [ground(arg, values, instance) for arg in atom.args]
    found = tuple(arg for arg in args if arg is not None)
    return Atom(atom.predicate, found) if len(found) == len(args) else None


def completed(
    clause: Clause, values: Values, instance: Instance, definitions: Mapping[Term, Term] | None = None
) -> Values | None:
    """Values for all variables of the clause under which its constraint holds; None where none are found.

    A variable without a value gets that of its definition; one that has none either, as where an existential became
    a variable of the clause, is tried with all values of a small sort, or with some value of a large one.
    """
    known, defined = dict(values), definitions or {}
    for var in clause.variables:
        value = ground(defined[var], values, instance) if var in defined and var not in known else None
        if value is not None:
            known[var] = value
    missing = [var for var in clause.variables if var not in known]
    candidates = [_candidates(var.sort, instance) for var in missing]
    for chosen in islice(product(*candidates), MOST_TRIALS):
        complete = {**known, **dict(zip(missing, chosen, strict=True))}
        if value_under(conjunction(clause.constraint), complete) is True:
            return complete
    return None


def _candidates(sort: Sort, instance: Instance) -> list[Term]:
    size = cardinality(sort)
    if size is not None and size <= MOST_TRIALS:
        return [term_of_value(value, sort, instance.datatypes) for value in all_values(sort)]
    default = DefaultTerms(instance.datatypes).of(sort)
    return [] if default is None else [default]


class Derivation:
    """A refutation in the making: steps are appended, and their numbers handed out."""

    def __init__(self, child: Instance) -> None:
        self.child = child
        self.steps: list[Step] = []

    def add(self, clause: int, values: Values, premises: Sequence[int], fact: Atom | None) -> int | None:
        """One more step by a clause of the child; None where a variable of that clause has no value."""
        ordered = reorder_values(self.child.clauses[clause], values)
        if ordered is None:
            return None
        self.steps.append(Step(fact, clause, ordered, tuple(premises)))
        return len(self.steps) - 1

    def conclude(self, clause: int, values: Values, premises: Sequence[int]) -> int | None:
        """The same with the fact worked out from the head of the clause."""
        head = self.child.clauses[clause].head
        fact = None if head is None else ground_atom(head, values, self.child)
        if head is not None and fact is None:
            return None
        return self.add(clause, values, premises, fact)


Expand = Callable[[Derivation, Step, list[int]], int | None]
"""Adds what a step of the parent becomes; gives the number of the step that has its conclusion."""


def rewrite_steps(refutation: Refutation, child: Instance, expand: Expand) -> Refutation | None:
    """The refutation with each step expanded, premises numbered as in the child; None where one cannot be."""
    made = Derivation(child)
    place: dict[int, int] = {}
    for number, step in enumerate(refutation.steps):
        found = expand(made, step, [place[premise] for premise in step.premises])
        if found is None:
            return None
        place[number] = found
    return prune(made.steps)


def rename_values(clause: Clause, renaming: Mapping[Term, Term], values: Values) -> dict[Term, Term]:
    """The values of the clause's variables under their new names."""
    return {renaming.get(var, var): values[var] for var in clause.variables}
