"""Formulas over predicates become Horn clauses that mean the same."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from chc.build import apply, conjunction, negation
from chc.clausify import MOST_CLAUSES, NotHorn, clausify
from chc.instance import Clause
from chc.printer import show_clause
from chc.sorts import BOOL, INT
from chc.terms import FALSE, TRUE, Kind, Term, map_terms, predicate_term, quantifier, subterms, variable

X = variable("x", INT)
A, B, C = (predicate_term(name, ()) for name in "ABC")
P = variable("p", BOOL)


def has_predicate(term: Term) -> bool:
    return any(node.kind is Kind.PREDICATE for node in subterms([term]))


def clauses(formula: Term) -> list[str]:
    return [show_clause(clause) for clause in clausify(formula, has_predicate)]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (A, ["A"]),
        (negation(A), ["(=> A false)"]),
        (TRUE, []),
        (FALSE, ["(=> true false)"]),
        (apply("=>", (A, TRUE)), []),
        (apply("=>", (apply("ite", (A, B, C)), FALSE)), ["(=> (and A B) false)", "(=> C A)"]),
        (apply("ite", (P, A, B)), ["(forall ((p Bool)) (=> p A))", "(forall ((p Bool)) (=> (not p) B))"]),
        (apply("=>", (apply("=>", (A, B)), C)), NotHorn),
        (apply("=>", (apply("=>", (A, P)), FALSE)), ["A", "(forall ((p Bool)) (=> p false))"]),
        (negation(apply("or", (A, B))), ["(=> A false)", "(=> B false)"]),
        (apply("not", (apply("=>", (A, B)),)), ["A", "(=> B false)"]),
        (apply("xor", (A, B)), NotHorn),
        (apply("or", (A, B)), NotHorn),
        (quantifier("exists", (X,), predicate_term("Q", (X,))), NotHorn),
        (quantifier("exists", (P,), P), ["(=> (not (exists ((p Bool)) p)) false)"]),
    ],
)
def test_shapes(formula: Term, expected: list[str] | type[NotHorn]) -> None:
    """Each part goes to the side of the implication where it belongs."""
    if isinstance(expected, list):
        assert expected == clauses(formula)
    else:
        with pytest.raises(NotHorn):
            clauses(formula)


def test_too_many_clauses() -> None:
    """One more disjunction than fits."""
    premise = apply("or", (A, B))
    fits = MOST_CLAUSES.bit_length() - 1
    assert MOST_CLAUSES == len(clauses(apply("=>", (*[premise] * fits, C))))
    with pytest.raises(NotHorn, match="splits into more than"):
        clauses(apply("=>", (*[premise] * (fits + 1), C)))


BOOLEANS = st.recursive(
    st.sampled_from([A, B, C, P, TRUE, FALSE]),
    lambda inner: st.one_of(
        st.builds(lambda arg: apply("not", (arg,)), inner),
        st.builds(
            lambda name, args: apply(name, tuple(args)),
            st.sampled_from(["and", "or", "=>"]),
            st.lists(inner, min_size=2, max_size=3),
        ),
        st.builds(lambda a, b, c: apply("ite", (a, b, c)), inner, inner, inner),
    ),
    max_leaves=8,
)


def holds(formula: Term, world: dict[Term, Term]) -> bool:
    """The truth of a propositional formula, worked out in the plainest way."""

    def value(term: Term) -> Term:
        flags = [arg is TRUE for arg in term.args]
        match term.name if term.kind is Kind.BUILTIN else "":
            case "not":
                return FALSE if flags[0] else TRUE
            case "and":
                return TRUE if all(flags) else FALSE
            case "or":
                return TRUE if any(flags) else FALSE
            case "=>":
                return TRUE if flags[-1] or not all(flags[:-1]) else FALSE
            case "ite":
                return term.args[1] if flags[0] else term.args[2]
        return world.get(term, term)

    return map_terms([formula], value)[0] is TRUE


def clause_holds(clause: Clause, world: dict[Term, Term]) -> bool:
    """In a world that says which predicates hold and what p is; a clause is about every p."""
    premises = [*(predicate_term(atom.predicate, ()) for atom in clause.body), *clause.constraint]
    head = FALSE if clause.head is None else predicate_term(clause.head.predicate, ())
    return not holds(conjunction(premises), world) or holds(head, world)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(BOOLEANS)
def test_the_clauses_mean_the_formula(formula: Term) -> None:
    """In all sixteen worlds, whatever the shape; no constraint keeps a predicate."""
    try:
        found = clausify(formula, has_predicate)
    except NotHorn:
        event("not Horn")
        return
    event("Horn")
    assert not any(has_predicate(term) for clause in found for term in clause.constraint)
    for flags in product((TRUE, FALSE), repeat=4):
        world = dict(zip((A, B, C, P), flags, strict=True))
        assert holds(formula, world) is all(clause_holds(clause, world) for clause in found)
