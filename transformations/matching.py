"""Whether one term is another with something in place of its variables."""

from __future__ import annotations

from chc.terms import Kind, Term, bound_variables, substitute


def instance_of(pattern: Term, term: Term) -> dict[Term, Term] | None:
    """What has to stand for the free variables of the pattern to make it the term; None where nothing does.

    Below a quantifier variables must stand for themselves, and bound ones be called the same.
    """
    binding: dict[Term, Term] = {}
    pending, seen = [(pattern, term)], set()
    while pending:
        pair = pending.pop()
        left, right = pair
        if pair in seen:
            continue
        seen.add(pair)
        if left.kind is Kind.VARIABLE:
            if left.sort is not right.sort or binding.setdefault(left, right) is not right:
                return None
        elif not _same_node(left, right):
            return None
        else:
            pending.extend(zip(left.args, right.args, strict=True))
            if left.kind is Kind.QUANTIFIER:
                pending.extend((var, var) for var in bound_variables(left))
    return binding if substitute([pattern], binding)[0] is term else None


def _same_node(left: Term, right: Term) -> bool:
    same = (left.kind, left.name, left.params, left.sort) == (right.kind, right.name, right.params, right.sort)
    return same and len(left.args) == len(right.args)
