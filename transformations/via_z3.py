"""Terms sent through z3's rewriter: printed for it, simplified, and read back from what it prints.

Each call has a context of its own, because z3's global one is neither thread-safe nor ever emptied. What comes back
is read as strictly as any other text, so that nothing enters a clause that our language does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import z3

from chc.build import BUILTIN_NAMES, SortError
from chc.instance import Instance
from chc.lexer import ReadError
from chc.printer import show_sorts_and_datatypes, show_term
from chc.sorts import quote_symbol, show_sort
from chc.terms import Kind, Term, bound_variables, free_variables, substitute, subterms, variable
from chc.vocabulary import read_term, symbols_without_predicates
from transformations.names import symbol_names

MOST_NODES: Final = 5000
"""Larger terms are not sent: some of the rewriter's rules multiply their size."""
MOST_STEPS: Final = 100_000
"""The rewriter gives up after so many steps, which is the same on every machine, unlike a limit of time."""
SHARED: Final = "a!"
"""How z3's printer begins the names of shared subterms."""
MARKER: Final = f"{SHARED}term"
"""How the constants are called that stand for the terms; no name in them begins so."""


class NotRewritten(Exception):
    """Terms that z3 does not take, or a result that our language does not have."""


def simplify(terms: Sequence[Term], instance: Instance, parameter: str | None, value: bool) -> list[Term]:
    """The terms as z3 simplifies them, with one parameter set or none; `NotRewritten` where that is impossible."""
    plain, names = _with_plain_names(terms, instance)
    if not terms:
        return []
    options = {"max_steps": MOST_STEPS} if parameter is None else {"max_steps": MOST_STEPS, parameter: value}
    try:
        texts = _simplified_texts(_script(plain, list(names), instance), options)
    except z3.Z3Exception as problem:
        raise NotRewritten(str(problem)) from None
    return [_read_back(text, old, instance, names) for text, old in zip(texts, terms, strict=True)]


def _with_plain_names(terms: Sequence[Term], instance: Instance) -> tuple[list[Term], dict[Term, Term]]:
    """The terms over variables v0, v1, …, or alike, and what these stand for."""
    taken = {*symbol_names(instance), *BUILTIN_NAMES}
    nodes = list(subterms(terms))
    if len(nodes) > MOST_NODES:
        raise NotRewritten(f"{len(nodes)} nodes are more than {MOST_NODES}")
    for node in nodes:
        if node.kind is Kind.QUANTIFIER:
            taken.update(var.name for var in bound_variables(node))
    if any(name.startswith(SHARED) for name in taken):
        raise NotRewritten("a name in the terms could be taken for one of z3's printer")
    letter = next(letter for letter in _letters() if not any(name.startswith(letter) for name in taken))
    old = free_variables(terms)
    new = [variable(f"{letter}{number}", var.sort) for number, var in enumerate(old)]
    return substitute(terms, dict(zip(old, new, strict=True))), dict(zip(new, old, strict=True))


def _letters() -> list[str]:
    """Beginnings of names, one of which no name has."""
    return [*"vwu", *(f"v{'v' * length}_" for length in range(1, 1000))]


def _script(terms: Sequence[Term], variables: Sequence[Term], instance: Instance) -> str:
    """Equations between constants and the terms, as z3 is to read them."""
    lines = ["(set-logic ALL)", *show_sorts_and_datatypes(instance)]
    lines += [f"(declare-const {quote_symbol(var.name)} {show_sort(var.sort)})" for var in variables]
    for number, term in enumerate(terms):
        lines.append(f"(declare-const {MARKER}{number} {show_sort(term.sort)})")
        lines.append(f"(assert (= {MARKER}{number} {show_term(term)}))")
    return "\n".join(lines)


def _simplified_texts(script: str, options: dict[str, int | bool]) -> list[str]:
    """A solver reads the script, but is never asked: z3's plain parser has a sort `List` of its own in the way."""
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script)
    texts = []
    for number, equation in enumerate(solver.assertions()):
        if equation.num_args() != 2 or equation.arg(0).decl().name() != f"{MARKER}{number}":
            raise NotRewritten("z3 has changed the terms while reading them")
        texts.append(z3.simplify(equation.arg(1), **options).sexpr())
    return texts


def _read_back(text: str, old: Term, instance: Instance, names: dict[Term, Term]) -> Term:
    try:
        term = read_term(text, symbols_without_predicates(instance), list(names))
    except (ReadError, SortError) as problem:
        raise NotRewritten(f"z3's result does not read back: {problem}") from None
    if term.sort is not old.sort:
        raise NotRewritten("z3's result is of another sort")
    return substitute([term], names)[0]
