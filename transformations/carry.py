"""Ways in which refutations are carried over to a child; models mostly need none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chc.instance import Clause, Instance
from chc.refutation import Refutation, Step
from chc.terms import Term

Values = Mapping[Term, Term]


def values_of(clause: Clause, step: Step) -> dict[Term, Term]:
    """The ground term for each variable of the clause that the step applies."""
    return dict(zip(clause.variables, step.values, strict=True))


def reorder_values(clause: Clause, values: Values) -> tuple[Term, ...] | None:
    """The values in the order of the clause's variables; None where one of them is missing."""
    found = [values.get(var) for var in clause.variables]
    return tuple(value for value in found if value is not None) if None not in found else None


def renumber(
    refutation: Refutation,
    parent: Instance,
    child: Instance,
    clause_of: Callable[[int], int],
    more: Callable[[Step, Values], Values] = lambda step, values: values,
) -> Refutation | None:
    """The same steps by the clauses of the child, values matched by variable; None where one has no value.

    `clause_of` gives the number that a clause of the parent has in the child; `more` may add or change values.
    The premises keep their order: the atoms of the body must have kept theirs.
    """
    steps = []
    for step in refutation.steps:
        number = clause_of(step.clause)
        values = more(step, values_of(parent.clauses[step.clause], step))
        ordered = reorder_values(child.clauses[number], values)
        if ordered is None:
            return None
        steps.append(Step(step.fact, number, ordered, step.premises))
    return Refutation(tuple(steps))


def prune(steps: Sequence[Step]) -> Refutation:
    """The refutation without steps that the last one, which must derive false, does not rest on."""
    needed = {len(steps) - 1}
    for number in range(len(steps) - 1, -1, -1):
        if number in needed:
            needed.update(steps[number].premises)
    place = {old: new for new, old in enumerate(sorted(needed))}
    kept = (steps[old] for old in sorted(needed))
    return Refutation(tuple(Step(s.fact, s.clause, s.values, tuple(place[p] for p in s.premises)) for s in kept))
