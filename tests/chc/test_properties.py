"""Laws that hold for random instances and terms of every theory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from chc.evaluate import evaluate
from chc.instance import Instance, make_clause, substitute_clause
from chc.model import model_from_json, model_to_json
from chc.printer import _opening, _show_leaf, show_term
from chc.refutation import refutation_from_json, refutation_to_json
from chc.script import read_instance
from chc.shadowing import without_shadowing
from chc.sorts import BOOL, INT, Sort
from chc.terms import Kind, Term, free_variables, fresh_name, quantifier, rebuild, substitute, subterms, variable
from chc.undetermined import Undetermined
from chc.values import Value
from chc.vocabulary import read_term, symbols_without_predicates
from tests.chc.generators import (
    ARRAYS,
    DATA,
    DATATYPES,
    GROUND,
    NARROW,
    OPAQUE,
    PLAIN,
    UNINTERPRETED,
    VECTORS,
    formulas,
    instances,
    models,
    refutations,
    terms,
)

quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
THEORIES: Final = {
    "plain": PLAIN,
    "vectors": (*PLAIN, *VECTORS),
    "arrays": (*PLAIN, *VECTORS, *ARRAYS),
    "datatypes": (*PLAIN, *DATA),
    "uninterpreted": (*PLAIN, *OPAQUE),
}
SYMBOLS: Final = symbols_without_predicates(Instance(UNINTERPRETED, DATATYPES, (), ()))
SMALL: Final = (BOOL, NARROW, INT)
"""Sorts over which quantifiers and assignments can be tried out."""


@pytest.mark.parametrize("theory", THEORIES)
def test_what_is_printed_reads_back_the_same(theory: str) -> None:
    """Same clauses, same text, same address; in each theory and with names that clash."""

    @quick
    @given(instances(THEORIES[theory]))
    def check(instance: Instance) -> None:
        again = read_instance(instance.text)
        assert instance == again
        assert (instance.text, instance.address) == (again.text, again.address)

    check()


@quick
@given(st.data())
def test_models_survive_storage(data: st.DataObject) -> None:
    """What was stored prints the same; it is the same where no bound variable had to be renamed."""
    instance = data.draw(instances())
    model = data.draw(models(instance))
    stored = model_to_json(model)
    again = model_from_json(stored, instance)
    assert stored == model_to_json(again)
    for name, interpretation in model.interpretations.items():
        scope = [interpretation.body, *interpretation.params]
        assert without_shadowing(scope)[0] is again.interpretations[name].body


@quick
@given(st.data())
def test_refutations_survive_storage(data: st.DataObject) -> None:
    """Facts, clauses, values and premises."""
    instance = data.draw(instances(GROUND))
    refutation = data.draw(refutations(instance))
    assume(refutation.steps)
    again = refutation_from_json(refutation_to_json(refutation), instance)
    named_apart = [tuple(without_shadowing([value])[0] for value in step.values) for step in refutation.steps]
    assert named_apart == [step.values for step in again.steps]
    assert refutation_to_json(refutation) == refutation_to_json(again)


def unshared(term: Term) -> str:
    """The term printed in the simplest way."""
    if not term.args:
        return _show_leaf(term)
    return f"({_opening(term)} {' '.join(unshared(arg) for arg in term.args)})"


@quick
@given(terms(depth=3), st.integers(0, 3))
def test_sharing_does_not_change_the_meaning(term: Term, doublings: int) -> None:
    """With `let` and without, the reader finds the same term."""
    for _ in range(doublings):
        pair = without_shadowing([term])[0]
        same = quantifier("exists", (variable("two words", BOOL),), rebuild_equation(pair))
        term = rebuild_equation(same)
    variables = free_variables([term])
    (plain,) = without_shadowing([term])
    event("with let" if "(let " in show_term(term) else "without")
    assert plain is read_term(unshared(plain), SYMBOLS, variables)
    assert plain is read_term(show_term(term), SYMBOLS, variables)


def rebuild_equation(term: Term) -> Term:
    from chc.build import apply

    return apply("distinct", (term, term))


Assignment = Mapping[Term, Value]


def outcome(term: Term, assignment: Assignment) -> Value | None:
    try:
        return evaluate(term, assignment)
    except Undetermined:
        return None


def assignments(variables: Sequence[Term]) -> st.SearchStrategy[dict[Term, Value]]:
    values: dict[Sort, st.SearchStrategy[Value]] = {
        BOOL: st.booleans(),
        INT: st.integers(-3, 3),
        NARROW: st.integers(0, 3),
    }
    return st.fixed_dictionaries({var: values[var.sort] for var in variables})


VARIABLES: Final = tuple(
    variable(name, sort) for name, sort in (("x", BOOL), ("y", INT), ("a!1", NARROW), ("x!1", INT))
)


@settings(quick, max_examples=200)
@given(st.data())
def test_substitution_is_assignment(data: st.DataObject) -> None:
    """t[x := s] has the value of t where x has the value of s; also below quantifiers that bind variables of s."""
    formula = data.draw(formulas(VARIABLES, SMALL))
    replaced, other = data.draw(st.permutations(VARIABLES))[:2]
    value = data.draw(formulas(VARIABLES, SMALL, depth=2)) if replaced.sort is BOOL else replaced
    if other.sort is replaced.sort:
        value = other
    assignment = data.draw(assignments(VARIABLES))
    (changed,) = substitute([formula], {replaced: value})
    point = outcome(value, assignment)
    assume(point is not None)
    assert point is not None
    expected, found = outcome(formula, {**assignment, replaced: point}), outcome(changed, assignment)
    event("determined" if None not in (expected, found) else "open")
    assert None in (expected, found) or expected == found


@quick
@given(formulas(), formulas())
def test_free_variables_after_substitution(formula: Term, value: Term) -> None:
    """Those of the formula without the one replaced, and those of what came in its place."""
    free = free_variables([formula])
    for replaced in (var for var in free if var.sort is BOOL):
        (changed,) = substitute([formula], {replaced: value})
        expected = {var for var in free if var is not replaced} | set(free_variables([value]))
        assert expected == set(free_variables([changed]))


@quick
@given(formulas())
def test_substitution_of_what_does_not_occur_changes_nothing(formula: Term) -> None:
    """Variables that are only bound are not free."""
    free = set(free_variables([formula]))
    everything = {node for node in subterms([formula]) if node.kind is Kind.VARIABLE}
    absent = {var: variable("stranger", var.sort) for var in everything - free}
    assert [formula] == substitute([formula], absent)


@quick
@given(formulas(VARIABLES, SMALL), st.data())
def test_naming_apart_keeps_the_meaning(formula: Term, data: st.DataObject) -> None:
    """And no name is bound twice on a way down."""
    (apart,) = without_shadowing([formula])
    assert set(free_variables([formula])) == set(free_variables([apart]))
    assignment = data.draw(assignments(VARIABLES))
    assert outcome(formula, assignment) == outcome(apart, assignment)
    assert [apart] == without_shadowing([apart])


@quick
@given(instances())
def test_renaming_a_clause_and_back(instance: Instance) -> None:
    """A renaming that is undone leaves the clause as it was, up to the names of bound variables."""
    for clause in instance.clauses:
        taken = {node.name for node in subterms(clause.terms)}
        new = {}
        for var in clause.variables:
            new[var] = variable(fresh_name(f"r{var.name}", taken.__contains__), var.sort)
            taken.add(new[var].name)
        there = substitute_clause(clause, new)
        back = substitute_clause(there, {value: key for key, value in new.items()})
        assert clause.variables == back.variables
        assert tuple(new.values()) == there.variables
        assert clause == make_clause(clause.constraint, clause.body, clause.head, clause.variables)


@quick
@given(terms())
def test_rebuilding_changes_nothing(term: Term) -> None:
    """A node over its own arguments is itself."""
    assert all(node is rebuild(node, tuple(node.args)) for node in subterms([term]))
