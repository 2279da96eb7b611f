"""Bound variables renamed so that none hides another: then sharing may cross quantifiers without capture.

The reader names variables so, the printer relies on it, and therefore every clause is kept so: what prints the
same then is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

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
    renaming = _Renaming()
    return [renaming.renamed(root, taken) for root in roots]


class _Renaming:
    """Remembers what it has renamed in which scope, and which terms need no renaming."""

    def __init__(self) -> None:
        self._done: dict[tuple[Term, frozenset[str]], Term] = {}
        self._bound: dict[Term, frozenset[str] | None] = {}
        """The names bound in a term; None where one of them hides another."""

    def renamed(self, root: Term, taken: frozenset[str]) -> Term:
        """The term in a scope where these names are taken; recurses only from quantifier to quantifier."""
        done: dict[Term, Term] = {}
        stack = [root]
        while stack:
            term = stack[-1]
            missing = (
                [] if term.kind is Kind.QUANTIFIER else [a for a in term.args if a.has_quantifier and a not in done]
            )
            if term in done:
                stack.pop()
            elif self._is_apart(term, taken):
                done[term] = term
            elif missing:
                stack.extend(missing)
            elif term.kind is Kind.QUANTIFIER:
                done[term] = self._quantifier(term, taken)
            else:
                done[term] = rebuild(term, tuple(done.get(arg, arg) for arg in term.args))
        return done[root]

    def _quantifier(self, term: Term, taken: frozenset[str]) -> Term:
        key = (term, taken)
        if key not in self._done:
            names = set(taken)
            renaming: dict[Term, Term] = {}
            for var in bound_variables(term):
                name = fresh_name(var.name, names.__contains__)
                names.add(name)
                renaming[var] = variable(name, var.sort)
            (body,) = substitute(term.args, {old: new for old, new in renaming.items() if old is not new})
            self._done[key] = quantifier(term.name, tuple(renaming.values()), self.renamed(body, frozenset(names)))
        return self._done[key]

    def _is_apart(self, term: Term, taken: frozenset[str]) -> bool:
        if term not in self._bound:
            for node in subterms([term], lambda part: part.has_quantifier and part not in self._bound):
                self._bound[node] = self._names_bound(node)
        names = self._bound.get(term, _NO_NAMES)
        return names is not None and names.isdisjoint(taken)

    def _names_bound(self, node: Term) -> frozenset[str] | None:
        below = {self._bound.get(arg, _NO_NAMES) for arg in node.args}
        known = [names for names in below if names is not None]
        here = [var.name for var in bound_variables(node)] if node.kind is Kind.QUANTIFIER else []
        if len(known) < len(below) or len(set(here)) < len(here) or any(not names.isdisjoint(here) for names in known):
            return None
        return known[0] if len(known) == 1 and not here else frozenset(here).union(*known)


_NO_NAMES: Final[frozenset[str]] = frozenset()


def quantifier_depth(root: Term) -> int:
    """How many quantifiers lie on the path through the term that crosses most of them."""
    depth: dict[Term, int] = {root: 0}
    for node in subterms([root], lambda term: term.has_quantifier):
        depth[node] = max(depth.get(arg, 0) for arg in node.args) + (node.kind is Kind.QUANTIFIER)
    return depth[root]
