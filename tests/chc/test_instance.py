"""Clauses are kept in the one form in which they read back, and instances know themselves."""

from __future__ import annotations

import pickle

import pytest

from chc.build import apply, conjunction
from chc.instance import Atom, Clause, Predicate, make_clause, substitute_clause
from chc.printer import show_clause
from chc.script import read_instance
from chc.sorts import BOOL, INT
from chc.terms import TRUE, Term, integer, quantifier, variable

X, Y, Z = (variable(name, INT) for name in "xyz")
TEXT = "(declare-fun P (Int Int) Bool)(assert (forall ((x Int)) (P x 1)))(assert (not (P 0 1)))"


def less(left: Term, right: Term) -> Term:
    return apply("<", (left, right))


def exists(bound: Term, body: Term) -> Term:
    return quantifier("exists", (bound,), body)


def atom(*args: Term) -> Atom:
    return Atom("P", args)


def test_variables_are_those_that_occur() -> None:
    """In the order asked for, then body, constraint, head; what does not occur is left out."""
    made = [less(Z, Y)], [atom(Y, X)], atom(Z, Z)
    assert (Y, X, Z) == make_clause(*made).variables
    assert (Z, Y, X) == make_clause(*made, [Z, variable("unused", INT), Y, Z]).variables


def test_conjunctions_are_flat() -> None:
    clause = make_clause([conjunction([less(X, Y), conjunction([TRUE, less(Y, Z)])]), TRUE], [], None)
    assert (less(X, Y), less(Y, Z)) == clause.constraint


def test_existential_conjuncts_become_variables() -> None:
    """Under names that nobody has, nested ones too; below a negation they stay."""
    inner = exists(X, conjunction([less(X, Y), exists(Y, less(X, Y))]))
    clause = make_clause([less(X, Y), inner, apply("not", (exists(X, less(X, Z)),))], [], None)
    assert (
        "(forall ((x Int) (y Int) (x!1 Int) (y!1 Int) (z Int))"
        " (=> (and (< x y) (< x!1 y) (< x!1 y!1) (not (exists ((x!2 Int)) (< x!2 z)))) false))"
    ) == show_clause(clause).replace("x!3", "x!2")


def test_two_variables_of_one_name_are_refused() -> None:
    """No text could say it."""
    with pytest.raises(ValueError, match="two variables of one name"):
        make_clause([less(X, Y), variable("x", BOOL)])


def test_substitution_in_clauses() -> None:
    """The order of the variables follows the old one."""
    clause = make_clause([less(X, Y)], [atom(X, Y)], atom(Y, Z))
    changed = substitute_clause(clause, {X: apply("+", (Z, integer(1))), Y: X})
    assert (
        make_clause([less(apply("+", (Z, integer(1))), X)], [atom(apply("+", (Z, integer(1))), X)], atom(X, Z))
        == changed
    )
    assert (Z, X) == changed.variables


def test_kinds_of_clauses() -> None:
    """A query has no head, a fact no atom in its body; terms come in order."""
    fact, query = make_clause([less(X, Y)], [], atom(X, Y)), make_clause([], [atom(X, Y)])
    assert [(True, False), (False, True)] == [(clause.is_fact, clause.is_query) for clause in (fact, query)]
    assert [less(X, Y), X, Y] == fact.terms
    assert isinstance(fact, Clause)


def test_instances_are_addressed_by_content() -> None:
    """The same text, the same address; another clause, another one."""
    instance = read_instance(TEXT)
    assert instance.address == read_instance(TEXT.replace("))(", "))\n(")).address
    assert instance.address != instance.replace(clauses=instance.clauses[:1]).address
    assert 64 == len(instance.address)
    assert {"P": Predicate("P", (INT, INT))} == instance.signature


def test_replacing_parts() -> None:
    """What is not named stays."""
    instance = read_instance(TEXT)
    assert instance == instance.replace()
    assert (instance.clauses, ()) == (
        instance.replace(predicates=()).clauses,
        instance.replace(predicates=()).predicates,
    )


def test_instances_travel_between_processes() -> None:
    """With terms that are the very same afterwards."""
    instance = read_instance(TEXT)
    assert instance == pickle.loads(pickle.dumps(instance))


def test_the_fragment_is_kept() -> None:
    instance = read_instance(TEXT)
    assert instance.fragment is instance.fragment
    assert "LIA-lin" == instance.fragment.label
