"""Small formulas that nothing satisfies."""

import pytest
import z3

from chc.instance import Instance
from chc.printer import show_sorts_and_datatypes, show_term
from chc.script import read_instance
from chc.sorts import BOOL, INT, REAL, Sort, array, bitvec, make_sort, quote_symbol, show_sort
from chc.terms import Term, free_variables
from transformations.preserving_contradictions import contradictions, is_ordered

WORDS = read_instance(
    """(set-logic HORN) (declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
    (declare-datatypes ((Pair 0)) (((pair (left Int) (right Bool)))))"""
)
SORTS = (
    *(BOOL, INT, REAL, bitvec(1), bitvec(2), bitvec(8), array(INT, INT), array(bitvec(4), BOOL)),
    *(make_sort("List", (INT,)), make_sort("Pair")),
)


def _satisfiable(formula: list[Term], instance: Instance) -> bool:
    lines = ["(set-logic ALL)", *show_sorts_and_datatypes(instance)]
    lines += [f"(declare-const {quote_symbol(v.name)} {show_sort(v.sort)})" for v in free_variables(formula)]
    solver = z3.Solver()
    solver.from_string("\n".join([*lines, *(f"(assert {show_term(part)})" for part in formula)]))
    return bool(solver.check() != z3.unsat)


@pytest.mark.parametrize("sort", SORTS, ids=show_sort)
def test_no_formula_is_satisfiable(sort: Sort) -> None:
    """By z3, for every formula of the sort, and there are several."""
    formulas = contradictions(sort, WORDS.datatypes)
    assert 4 <= len(formulas)
    assert [] == [formula for formula in formulas if _satisfiable(formula, WORDS)]


@pytest.mark.parametrize("sort", [sort for sort in SORTS if is_ordered(sort)], ids=show_sort)
def test_no_part_of_a_longer_formula_could_be_spared(sort: Sort) -> None:
    """Which also shows that the question to z3 can be answered otherwise."""
    longer = [formula for formula in contradictions(sort, WORDS.datatypes) if len(formula) == 2]
    assert longer
    assert all(_satisfiable(formula[:1], WORDS) and _satisfiable(formula[1:], WORDS) for formula in longer)
