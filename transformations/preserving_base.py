"""What the preserving transformations share: clauses and nodes by number, fresh names, the shape of a small change."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import ClassVar, Generic, TypeVar

import msgspec

from chc.build import BUILTIN_NAMES
from chc.instance import Atom, Clause, Instance, make_clause
from chc.lexer import ReadError
from chc.model import Model
from chc.refutation import Refutation
from chc.sorts import BUILTIN_SORT_NAMES, RESERVED_WORDS
from chc.terms import FreeVariables, Kind, Term, bound_variables, rebuild, subterms
from chc.witness import Truth, Witness
from transformations.carry import renumber
from transformations.known import Inapplicable, Known
from transformations.names import symbol_names
from transformations.settle import settled
from transformations.transformation import C, Parents, Site, Transformation
from transformations.written import item

# By number -------------------------------------------------------------------------------------------------


def check_order(order: Sequence[int], length: int) -> None:
    """`Inapplicable` unless the numbers are those below `length`, each once."""
    if sorted(order) != list(range(length)):
        raise Inapplicable(f"the order is not one of {length} things")


def random_order(length: int, rng: Random) -> tuple[int, ...]:
    """The numbers below `length` in another than their own order, if there is one."""
    order = list(range(length))
    rng.shuffle(order)
    if order == sorted(order):
        order = [*order[1:], *order[:1]]
    return tuple(order)


def body_terms(clause: Clause) -> list[Term]:
    """The terms of the body: arguments of its atoms, then conjuncts."""
    return [*(arg for atom in clause.body for arg in atom.args), *clause.constraint]


def body_nodes(clause: Clause) -> list[Term]:
    """Every distinct subterm of the body; its place in this list is its number."""
    return list(subterms(body_terms(clause)))


def node_of_clause(clause: Clause, number: int, fits: Callable[[Term], bool]) -> Term:
    """The node of this number; `Inapplicable` where it is not of the kind that is wanted."""
    node = item(body_nodes(clause), number)
    if not fits(node):
        raise Inapplicable("the node is of another kind")
    return node


def is_operation(term: Term, *names: str) -> bool:
    """Whether the term is one of these operations, applied."""
    return term.kind is Kind.BUILTIN and term.name in names


# Changes ---------------------------------------------------------------------------------------------------


def with_body_terms(clause: Clause, terms: Iterable[Term]) -> Clause:
    """The clause over other terms in its body, listed as `body_terms` lists them."""
    rest = iter(terms)
    body = [Atom(atom.predicate, tuple(next(rest) for _ in atom.args)) for atom in clause.body]
    return make_clause(list(rest), body, clause.head, clause.variables)


def replace_nodes(roots: Iterable[Term], replacement: Mapping[Term, Term]) -> list[Term]:
    """Each root with nodes replaced, the outermost first, at every place where they occur.

    Below a quantifier too: the replacement must speak of no variable that is bound there, unless the node did.
    """
    done = dict(replacement)
    found = []
    for root in roots:
        stack = [root]
        while stack:
            term = stack[-1]
            missing = [] if term in done else [arg for arg in term.args if arg not in done]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                if term not in done:
                    done[term] = rebuild(term, tuple(done[arg] for arg in term.args))
        found.append(done[root])
    return found


def settle(clause: Clause, instance: Instance) -> Clause:
    """The clause as the reader gives it back; `Inapplicable` where it would not take it, as for deep quantifiers."""
    try:
        return settled(clause, instance)
    except ReadError as problem:
        raise Inapplicable(f"the clause does not read back: {problem.message}") from None


def splice(instance: Instance, number: int, clauses: Iterable[Clause]) -> Instance:
    """The instance with the clause of this number replaced by any number of others."""
    before, after = instance.clauses[:number], instance.clauses[number + 1 :]
    return instance.replace(clauses=(*before, *(settle(clause, instance) for clause in clauses), *after))


def closed_nodes(clause: Clause) -> set[Term]:
    """The nodes of the body that speak of no bound variable, so that they mean the same everywhere in the clause."""
    free, known = FreeVariables(), frozenset(clause.variables)
    nodes = body_nodes(clause)
    # From the outermost inwards: what is asked about first makes the rest known.
    return {node for node in reversed(nodes) if free(node) <= known}


# Names -----------------------------------------------------------------------------------------------------


def names_in_clause(clause: Clause) -> set[str]:
    """The names of all variables of the clause, bound ones too."""
    found = {var.name for var in clause.variables}
    for node in subterms(clause.terms):
        if node.kind is Kind.QUANTIFIER:
            found.update(var.name for var in bound_variables(node))
    return found


def declared_names(instance: Instance) -> set[str]:
    """Every name that is declared in the instance or belongs to SMT-LIB."""
    return {*BUILTIN_NAMES, *BUILTIN_SORT_NAMES, *RESERVED_WORDS, *symbol_names(instance)}


def all_names(instance: Instance) -> set[str]:
    """Every name that occurs in the instance; a new predicate must have another one."""
    return declared_names(instance).union(*(names_in_clause(clause) for clause in instance.clauses))


def new_name(stem: str, taken: set[str]) -> str:
    """`stem`, or the first of `stem_1`, `stem_2`, … that is not taken. It is taken from now on.

    An exclamation mark, which solvers like to put into names of their own, is not used.
    """
    name, number = stem, 0
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(name)
    return name


def check_new(name: str, taken: set[str]) -> None:
    """`Inapplicable` where the recorded name means something in the instance already."""
    if name in taken:
        raise Inapplicable(f"the name `{name}` is taken")


# Transformations -------------------------------------------------------------------------------------------


class Preserving(Transformation[C]):
    """A transformation that keeps the truth, whichever it is."""

    section: ClassVar[str] = "C"
    takes: ClassVar[frozenset[Truth]] = frozenset(Truth)

    def transport(self, parents: Parents, choice: C, child: Instance) -> Witness | None:
        witness = parents[0].witness
        if witness is None:
            return None
        if isinstance(witness, Model):
            return self.carry_model(parents[0], choice, child)
        return self.carry_refutation(parents[0], choice, child)

    def carry_model(self, parent: Known, choice: C, child: Instance) -> Model | None:
        """The parent's own model, unless the transformation knows better."""
        return parent.model

    @abstractmethod
    def carry_refutation(self, parent: Known, choice: C, child: Instance) -> Refutation | None:
        """The refutation of the child."""

    def confirmed(self, parents: Parents, choice: C) -> C | None:
        """The choice, if it fits and changes something."""
        try:
            child = self.apply(parents, choice)
        except Inapplicable:
            return None
        return choice if child != parents[0].instance else None


class ClauseChoice(msgspec.Struct, frozen=True):
    """A choice about one clause."""

    clause: int


CC = TypeVar("CC", bound=ClauseChoice)


class InPlace(Preserving[CC], Generic[CC]):
    """A change of one clause that keeps its atoms in their order and needs no value for a new variable."""

    @abstractmethod
    def offers(self, clause: Clause) -> bool:
        """Whether there may be something to change in the clause."""

    @abstractmethod
    def rewrite(self, instance: Instance, clause: Clause, choice: CC) -> Clause:
        """The changed clause."""

    def sites(self, parents: Parents) -> Sequence[Site]:
        return [(number,) for number, clause in enumerate(parents[0].instance.clauses) if self.offers(clause)]

    def apply(self, parents: Parents, choice: CC) -> Instance:
        instance = parents[0].instance
        clause = item(instance.clauses, choice.clause)
        return splice(instance, choice.clause, [self.rewrite(instance, clause, choice)])

    def carry_refutation(self, parent: Known, choice: CC, child: Instance) -> Refutation | None:
        return renumber(parent.refutation, parent.instance, child, lambda number: number)
