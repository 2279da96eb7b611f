"""Which fragment an instance lies in: that decides which solvers can take it, and how large a bite it is."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

import msgspec

from chc.instance import Instance
from chc.sorts import BOOL, INT, NUMERIC, REAL, Sort, is_array, is_bitvec, sorts_within
from chc.terms import Kind, Term, bound_variables, subterms


class Theory(StrEnum):
    """What the terms of an instance speak of."""

    booleans = "Bool"
    integers = "Int"
    reals = "Real"
    mixed = "mixed"
    """Integers turned into reals or reals into integers inside a term."""
    nonlinear = "nonlinear"
    """A product, quotient or remainder of two things that both vary."""
    bit_vectors = "BitVec"
    arrays = "Array"
    nested_arrays = "nested Array"
    datatypes = "Datatype"
    parametric = "parametric Datatype"
    uninterpreted = "uninterpreted"
    quantifiers = "quantifiers"
    """Quantifiers inside constraints; the variables of a clause are not meant."""


class Fragment(msgspec.Struct, frozen=True):
    """The shape, the theories and the size of an instance."""

    linear: bool
    """Whether no clause has more than one atom in its body."""
    recursive: bool
    """Whether some predicate depends on itself."""
    theories: frozenset[Theory]
    clauses: int
    predicates: int
    nodes: int
    """Distinct subterms, counted for each clause, atoms included."""

    @property
    def label(self) -> str:
        """A short name in the manner of the competition's tracks, such as `ADT-LIA-Arrays-nonlin`."""
        parts = [name for theory, name in _NAMED_BEFORE.items() if theory in self.theories]
        parts.append(self._arithmetic)
        parts.extend(name for theory, name in _NAMED_AFTER.items() if theory in self.theories)
        named = "-".join(part for part in parts if part) or "Bool"
        return f"{named}-{'lin' if self.linear else 'nonlin'}"

    @property
    def _arithmetic(self) -> str:
        sorts = ("I" if Theory.integers in self.theories else "") + ("R" if Theory.reals in self.theories else "")
        if not sorts:
            return ""
        return f"{'N' if Theory.nonlinear in self.theories else 'L'}{sorts}A"


_NAMED_BEFORE: Final = {Theory.datatypes: "ADT", Theory.uninterpreted: "US"}
_NAMED_AFTER: Final = {Theory.bit_vectors: "BV", Theory.arrays: "Arrays", Theory.quantifiers: "Quant"}


def fragment_of(instance: Instance) -> Fragment:
    """The fragment; `Instance.fragment` is the same, worked out once."""
    theories = set(_theories_of_sorts(instance))
    nodes = 0
    for clause in instance.clauses:
        atoms = len(clause.body) + (clause.head is not None)
        below = list(subterms(clause.terms))
        nodes += atoms + len(below)
        theories.update(_theories_of_terms(below))
    return Fragment(
        linear=all(len(clause.body) <= 1 for clause in instance.clauses),
        recursive=_is_recursive(instance),
        theories=frozenset(theories),
        clauses=len(instance.clauses),
        predicates=len(instance.predicates),
        nodes=nodes,
    )


def _theories_of_sorts(instance: Instance) -> Iterator[Theory]:
    """What the declarations and the variables need, used or not: a solver has to read all of it."""
    sorts = {sort for predicate in instance.predicates for sort in predicate.sorts}
    sorts.update(var.sort for clause in instance.clauses for var in clause.variables)
    if instance.sorts:
        yield Theory.uninterpreted
    for group in instance.datatypes:
        for datatype in group.datatypes:
            yield Theory.datatypes
            if datatype.parameters:
                yield Theory.parametric
            fields = (selector.sort for constructor in datatype.constructors for selector in constructor.selectors)
            sorts.update(part for field in fields for part in sorts_within(field) if part not in datatype.parameters)
    for sort in sorts:
        yield from _theories_of_sort(sort)


def _theories_of_sort(sort: Sort) -> Iterator[Theory]:
    for part in sorts_within(sort):
        if part in _PLAIN:
            yield _PLAIN[part]
        elif is_bitvec(part):
            yield Theory.bit_vectors
        elif is_array(part):
            yield Theory.arrays
            if any(is_array(inner) for arg in part.args for inner in sorts_within(arg)):
                yield Theory.nested_arrays


_PLAIN: Final = {BOOL: Theory.booleans, INT: Theory.integers, REAL: Theory.reals}


def _theories_of_terms(nodes: list[Term]) -> Iterator[Theory]:
    """`nodes` hold arguments before the terms they occur in."""
    constant: set[Term] = set()
    sorts: set[Sort] = set()
    for node in nodes:
        sorts.add(node.sort)
        if node.kind is Kind.LITERAL:
            constant.add(node)
        elif node.kind is Kind.QUANTIFIER:
            sorts.update(var.sort for var in bound_variables(node))
            yield Theory.quantifiers
        elif node.kind is Kind.BUILTIN:
            if constant.issuperset(node.args):
                constant.add(node)
            if node.name in ("to_real", "to_int", "is_int"):
                yield Theory.mixed
            if _is_nonlinear(node, constant):
                yield Theory.nonlinear
    for sort in sorts:
        yield from _theories_of_sort(sort)


def _is_nonlinear(node: Term, constant: set[Term]) -> bool:
    if node.name == "*" and node.sort in NUMERIC:
        return sum(arg not in constant for arg in node.args) > 1
    return node.name in ("div", "mod", "/") and any(arg not in constant for arg in node.args[1:])


def _is_recursive(instance: Instance) -> bool:
    """Takes away predicates that depend on nothing left, until none is left or the rest hangs on a cycle."""
    needs: dict[str, set[str]] = {predicate.name: set() for predicate in instance.predicates}
    users: dict[str, set[str]] = {predicate.name: set() for predicate in instance.predicates}
    for clause in instance.clauses:
        if clause.head is not None:
            for atom in clause.body:
                needs[clause.head.predicate].add(atom.predicate)
                users[atom.predicate].add(clause.head.predicate)
    free = [name for name, needed in needs.items() if not needed]
    while free:
        name = free.pop()
        del needs[name]
        for user in users[name]:
            needs[user].discard(name)
            if not needs[user]:
                free.append(user)
    return bool(needs)
