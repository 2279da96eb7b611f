"""Clauses in the form in which the reader would give them back, after terms were put into terms."""

from __future__ import annotations

from chc.build import apply
from chc.instance import Atom, Clause, Instance, make_clause, substitute_clause
from chc.lexer import ReadError
from chc.script import read_instance
from chc.terms import Kind, Term, fresh_name, map_terms, subterms, variable
from chc.vocabulary import symbols_of
from transformations.known import Inapplicable

_FOLDED = frozenset(("-", "/", "to_real"))
"""Operations that the reader folds where they are applied to literals."""


def settled(clause: Clause, instance: Instance) -> Clause:
    """The same clause over the words of the instance, as it is after printing and reading.

    Number and order of variables, conjuncts and atoms stay; only the names of variables may change, where one is
    bound inside the scope of another of its name or is called like a declared symbol. `Inapplicable` where the reader
    would refuse it, because quantifiers nest too deep.
    """
    plain = _unmistakable(_folded(clause), instance)
    if not any(node.kind is Kind.QUANTIFIER for node in subterms(plain.terms)):
        return plain
    try:
        return read_instance(instance.replace(clauses=(plain,)).text).clauses[0]
    except ReadError as problem:
        raise Inapplicable(f"the clause would not be read back: {problem.message}") from None


def _folded(clause: Clause) -> Clause:
    if not any(_is_foldable(node) for node in subterms(clause.terms)):
        return clause
    terms = iter(map_terms(clause.terms, _fold))
    body = [Atom(atom.predicate, tuple(next(terms) for _ in atom.args)) for atom in clause.body]
    constraint = [next(terms) for _ in clause.constraint]
    head = clause.head and Atom(clause.head.predicate, tuple(terms))
    return make_clause(constraint, body, head, clause.variables)


def _is_foldable(node: Term) -> bool:
    return node.kind is Kind.BUILTIN and node.name in _FOLDED


def _fold(node: Term) -> Term:
    return apply(node.name, node.args, node.params) if _is_foldable(node) else node


def _unmistakable(clause: Clause, instance: Instance) -> Clause:
    """The clause with other names for variables that, once printed, would be taken for a declared symbol."""
    hides = symbols_of(instance).hides
    if not any(hides(var.name) for var in clause.variables):
        return clause
    taken = {var.name for var in clause.variables}
    renaming: dict[Term, Term] = {}
    for var in clause.variables:
        if hides(var.name):
            name = fresh_name(var.name, lambda wish: wish in taken or hides(wish))
            taken.add(name)
            renaming[var] = variable(name, var.sort)
    return substitute_clause(clause, renaming)
