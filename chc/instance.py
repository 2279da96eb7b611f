"""Instances: a finite set of Horn clauses with the sorts, datatypes and predicates they speak of."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from chc.build import conjuncts
from chc.shadowing import without_shadowing
from chc.sorts import DatatypeGroup, Sort
from chc.terms import Kind, Term, bound_variables, free_variables, fresh_name, substitute, variable

if TYPE_CHECKING:
    from chc.fragment import Fragment


class Predicate(msgspec.Struct, frozen=True):
    """An uninterpreted predicate."""

    name: str
    sorts: tuple[Sort, ...]


class Atom(msgspec.Struct, frozen=True):
    """A predicate applied to terms."""

    predicate: str
    args: tuple[Term, ...]


class Clause(msgspec.Struct, frozen=True):
    """`∀ variables. constraint ∧ body → head`; a head of None is false, which makes the clause a query.

    `constraint` lists conjuncts, none of which is `true` or itself a conjunction; `variables` are exactly
    the free variables of the rest. Make clauses with `make_clause`, which sees to both.
    """

    variables: tuple[Term, ...]
    constraint: tuple[Term, ...]
    body: tuple[Atom, ...]
    head: Atom | None

    @property
    def terms(self) -> list[Term]:
        """Every term of the clause: arguments of the body, conjuncts, arguments of the head."""
        found = [arg for atom in self.body for arg in atom.args]
        found.extend(self.constraint)
        if self.head is not None:
            found.extend(self.head.args)
        return found

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms of the body, then the head if there is one."""
        return self.body if self.head is None else (*self.body, self.head)

    @property
    def is_query(self) -> bool:
        return self.head is None

    @property
    def is_fact(self) -> bool:
        """Whether no atom has to hold before the clause applies."""
        return not self.body


def make_clause(
    constraint: Iterable[Term],
    body: Iterable[Atom] = (),
    head: Atom | None = None,
    order: Sequence[Term] = (),
) -> Clause:
    """A clause over its free variables, in the order given as far as it says.

    Conjunctions are flattened, existential conjuncts made variables of the clause, and bound variables named apart,
    as the reader does it, so that a clause is the same after it has been printed and read.
    """
    clause = Clause((), *_named_apart(_flatten(constraint, tuple(body), head), tuple(body), head))
    free = free_variables(clause.terms)
    used = set(free)
    first = [var for var in dict.fromkeys(order) if var in used]
    known = set(first)
    variables = (*first, *(var for var in free if var not in known))
    if len({var.name for var in variables}) < len(variables):
        raise ValueError("a clause over two variables of one name; rename the parts before they are joined")
    return Clause(variables, clause.constraint, clause.body, clause.head)


Parts = tuple[tuple[Term, ...], tuple[Atom, ...], Atom | None]


def _named_apart(constraint: tuple[Term, ...], body: tuple[Atom, ...], head: Atom | None) -> Parts:
    """The parts of a clause, no quantifier in them binding a name that something outside of it has."""
    clause = Clause((), constraint, body, head)
    before = clause.terms
    after = without_shadowing(before)
    return (constraint, body, head) if after == before else _with_terms(clause, after)


def _with_terms(clause: Clause, terms: Iterable[Term]) -> Parts:
    """The parts of the clause over other terms, in the order of `Clause.terms`."""
    rest = iter(terms)
    body = tuple(Atom(atom.predicate, tuple(next(rest) for _ in atom.args)) for atom in clause.body)
    constraint = tuple(next(rest) for _ in clause.constraint)
    return constraint, body, clause.head and Atom(clause.head.predicate, tuple(rest))


def _flatten(constraint: Iterable[Term], body: tuple[Atom, ...], head: Atom | None) -> tuple[Term, ...]:
    flat = [part for term in constraint for part in conjuncts(term)]
    if not any(_is_existential(part) for part in flat):
        return tuple(flat)
    taken = {var.name for var in free_variables(Clause((), tuple(flat), body, head).terms)}
    done: list[Term] = []
    pending = flat[::-1]
    while pending:
        part = pending.pop()
        if _is_existential(part):
            pending.extend(reversed(conjuncts(_opened(part, taken))))
        else:
            done.append(part)
    return tuple(done)


def _is_existential(term: Term) -> bool:
    return term.kind is Kind.QUANTIFIER and term.name == "exists"


def _opened(existential: Term, taken: set[str]) -> Term:
    """The body over variables that nobody else has; their names are added to the taken ones."""
    renaming = {}
    for var in bound_variables(existential):
        name = fresh_name(var.name, taken.__contains__)
        taken.add(name)
        renaming[var] = variable(name, var.sort)
    return substitute(existential.args, renaming)[0]


def substitute_clause(clause: Clause, binding: Mapping[Term, Term]) -> Clause:
    """The clause with its variables replaced by terms, over whatever variables these bring in."""
    constraint, body, head = _with_terms(clause, substitute(clause.terms, binding))
    order = [v for old in clause.variables for v in free_variables([binding.get(old, old)])]
    return make_clause(constraint, body, head, order)


class Instance(msgspec.Struct, frozen=True, dict=True):
    """A system of Horn clauses. Two instances are the same iff they print the same."""

    sorts: tuple[tuple[str, int], ...]
    """Uninterpreted sorts, with their arity."""
    datatypes: tuple[DatatypeGroup, ...]
    predicates: tuple[Predicate, ...]
    clauses: tuple[Clause, ...]

    @cached_property
    def text(self) -> str:
        """The instance in CHC-COMP format."""
        from chc.printer import show_instance

        return show_instance(self)

    @cached_property
    def address(self) -> str:
        """The content address: a digest of the printed text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def fragment(self) -> Fragment:
        """What kind of an instance it is, and how large."""
        from chc.fragment import fragment_of

        return fragment_of(self)

    @cached_property
    def signature(self) -> dict[str, Predicate]:
        """The predicates by name."""
        return {predicate.name: predicate for predicate in self.predicates}

    def replace(
        self, *, predicates: Iterable[Predicate] | None = None, clauses: Iterable[Clause] | None = None
    ) -> Instance:
        """The instance with other predicates or clauses."""
        return Instance(
            self.sorts,
            self.datatypes,
            self.predicates if predicates is None else tuple(predicates),
            self.clauses if clauses is None else tuple(clauses),
        )
