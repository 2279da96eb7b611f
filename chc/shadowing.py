"""Bound variables renamed so that none hides another: then sharing may cross quantifiers without capture.

The reader names variables so, the printer relies on it, and therefore every clause is kept so: what prints the
same then is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
    quantified = _above_quantifiers(roots)
    if not quantified:
        return list(roots)
    taken = frozenset(var.name for var in free_variables(roots))
    return [_renamed(root, taken, quantified) for root in roots]


def _above_quantifiers(roots: Iterable[Term]) -> set[Term]:
    """The subterms that are quantifiers or have one below them."""
    found: set[Term] = set()
    for node in subterms(roots):
        if node.kind is Kind.QUANTIFIER or (found and not found.isdisjoint(node.args)):
            found.add(node)
    return found


def _renamed(root: Term, taken: frozenset[str], quantified: set[Term]) -> Term:
    """The term in a scope where these names are taken; recurses only from quantifier to quantifier."""
    done: dict[Term, Term] = {}
    stack = [root]
    while stack:
        term = stack[-1]
        missing = [] if term.kind is Kind.QUANTIFIER else [a for a in term.args if a in quantified and a not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if term.kind is Kind.QUANTIFIER:
            done[term] = _renamed_quantifier(term, taken, quantified)
        else:
            done[term] = rebuild(term, tuple(done.get(arg, arg) for arg in term.args))
    return done[root]


def _renamed_quantifier(term: Term, taken: frozenset[str], quantified: set[Term]) -> Term:
    bound, body = bound_variables(term), term.args[0]
    names = set(taken)
    renaming: dict[Term, Term] = {}
    for var in bound:
        name = fresh_name(var.name, names.__contains__)
        names.add(name)
        if name != var.name:
            renaming[var] = variable(name, var.sort)
    if renaming:
        body = substitute([body], renaming)[0]
        quantified = _above_quantifiers([body])
    inner = _renamed(body, frozenset(names), quantified) if body in quantified else body
    return quantifier(term.name, tuple(renaming.get(var, var) for var in bound), inner)


def quantifier_depth(root: Term) -> int:
    """How many quantifiers lie on the path through the term that crosses most of them."""
    depth: dict[Term, int] = {}
    for node in subterms([root]):
        depth[node] = max((depth[arg] for arg in node.args), default=0) + (node.kind is Kind.QUANTIFIER)
    return depth[root]
