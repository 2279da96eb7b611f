"""Random terms: well-sorted, readable, determined unless asked otherwise, and of many kinds."""

from random import Random

import pytest

from chc.evaluate import evaluate
from chc.printer import show_term
from chc.script import read_instance
from chc.sorts import BOOL, INT, REAL, Sort, array, bitvec, make_sort
from chc.terms import Kind, Term, free_variables, subterms, variable
from chc.value_terms import term_of_value
from chc.values import Value
from chc.vocabulary import read_term, symbols_of
from transformations.random_terms import RandomTerms, random_constraint, random_term

INSTANCE = read_instance(
    """(set-logic HORN) (declare-sort S 0)
    (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-datatypes ((Box 1)) ((par (T) ((box (content T))))))"""
)
LIST, BOX, UNKNOWN = make_sort("List"), make_sort("Box", (REAL,)), make_sort("S")
SORTS: tuple[Sort, ...] = (BOOL, INT, REAL, bitvec(1), bitvec(8), array(INT, INT), array(bitvec(8), BOOL), LIST, BOX)
VARIABLES = [variable(f"{'xy'[n % 2]}{n // 2}", sort) for n, sort in enumerate(s for s in SORTS for _ in "ab")]


@pytest.mark.parametrize("sort", SORTS, ids=repr)
def test_terms_have_the_sort_and_read_back(sort: Sort) -> None:
    """What is printed is read as the same term, over the variables that were given."""
    for seed in range(150):
        term = random_term(sort, VARIABLES, INSTANCE.datatypes, Random(seed), depth=3)
        assert term is not None
        assert sort is term.sort
        assert term is read_term(show_term(term), symbols_of(INSTANCE), VARIABLES)


def test_constraints_are_formulas_that_read_back() -> None:
    """With partial operations and without."""
    for seed in range(400):
        terms = RandomTerms(VARIABLES, INSTANCE.datatypes, Random(seed), partial=seed % 2 == 0)
        formula = terms.constraint(3)
        assert BOOL is formula.sort
        assert formula is read_term(show_term(formula), symbols_of(INSTANCE), VARIABLES)


def test_every_theory_turns_up() -> None:
    """Over all sorts together, the operations of each are drawn."""
    drawn = [random_constraint(VARIABLES, INSTANCE.datatypes, Random(seed), depth=3) for seed in range(800)]
    names = {node.name for node in subterms(drawn) if node.kind in (Kind.BUILTIN, Kind.SELECTOR, Kind.TESTER)}
    wanted = (
        "<= distinct + - * mod div abs ite select store const bvadd bvult bvsgt extract concat cons head and or not"
    )
    assert set() == set(wanted.split()) - names


def values(rng: Random) -> dict[Term, Value]:
    ground = {var: random_term(var.sort, (), INSTANCE.datatypes, rng, depth=2) for var in VARIABLES}
    return {var: evaluate(term, {}) for var, term in ground.items() if term is not None}


def test_without_partial_everything_has_a_value() -> None:
    """No division by zero, no selector without its test: the evaluator finds a value for each."""
    for seed in range(400):
        rng = Random(seed)
        formula = random_constraint(VARIABLES, INSTANCE.datatypes, rng, depth=3)
        assert evaluate(formula, values(rng)) in (True, False)


def test_a_sort_without_ground_terms_needs_a_variable() -> None:
    """Of an uninterpreted sort there are only variables."""
    element = variable("s", UNKNOWN)
    assert random_term(UNKNOWN, VARIABLES, INSTANCE.datatypes, Random(0)) is None
    for seed in range(20):
        found = random_term(UNKNOWN, [element], INSTANCE.datatypes, Random(seed))
        assert found is not None
        assert [element] == free_variables([found])[:1]


def test_without_variables_there_are_constraints_too() -> None:
    """They compare numbers."""
    assert [] == free_variables([random_constraint((), (), Random(0))])


def test_the_same_dice_give_the_same_term() -> None:
    """Nothing is random but the generator that is passed in."""
    first, again = (random_constraint(VARIABLES, INSTANCE.datatypes, Random(5)) for _ in range(2))
    assert first is again


def test_values_of_terms_can_be_written_again() -> None:
    """The ground terms of each sort are values of that sort."""
    for var, value in values(Random(1)).items():
        assert value == evaluate(term_of_value(value, var.sort, INSTANCE.datatypes), {})
