"""Bound variables renamed so that none hides another: then sharing may cross quantifiers without capture.

The reader names variables so, the printer relies on it, and therefore every clause is kept so: what prints the
same then is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from chc.terms import (
    Kind,
    Term,
    bound_variables,
    free_variables,
    fresh_name,
    quantifier,
    rebuild,
    substitute,
    subterms,
    variable,
)


def without_shadowing(roots: Sequence[Term]) -> list[Term]:
    """The same formulas, no quantifier binding a name that is free in any of them or bound around it."""
    if not any(root.has_quantifier for root in roots):
        return list(roots)
    taken = frozenset(var.name for var in free_variables(roots))
    return [_renamed(root, taken) for root in roots]


def _renamed(root: Term, taken: frozenset[str]) -> Term:
    """The term in a scope where these names are taken; recurses only from quantifier to quantifier."""
    done: dict[Term, Term] = {}
    stack = [root]
    while stack:
        term = stack[-1]
        if term.kind is Kind.QUANTIFIER:
            done[term] = _renamed_quantifier(term, taken)
        missing = [arg for arg in term.args if arg.has_quantifier and arg not in done and term not in done]
        if missing:
            stack.extend(missing)
        elif term not in done:
            done[term] = rebuild(term, tuple(done.get(arg, arg) for arg in term.args))
        else:
            stack.pop()
    return done[root]


def _renamed_quantifier(term: Term, taken: frozenset[str]) -> Term:
    bound = bound_variables(term)
    names = set(taken)
    renaming: dict[Term, Term] = {}
    for var in bound:
        name = fresh_name(var.name, names.__contains__)
        names.add(name)
        if name != var.name:
            renaming[var] = variable(name, var.sort)
    inner = _renamed(substitute(term.args, renaming)[0], frozenset(names))
    return quantifier(term.name, tuple(renaming.get(var, var) for var in bound), inner)


def quantifier_depth(root: Term) -> int:
    """How many quantifiers lie on the path through the term that crosses most of them."""
    depth: dict[Term, int] = {root: 0}
    for node in subterms([root], lambda term: term.has_quantifier):
        depth[node] = max(depth.get(arg, 0) for arg in node.args) + (node.kind is Kind.QUANTIFIER)
    return depth[root]
