"""Steps of refutations rewritten one by one."""

from chc.instance import Atom
from chc.refutation import Step
from chc.script import read_instance
from chc.sorts import INT
from chc.terms import Term, integer, variable
from chc.vocabulary import read_term, symbols_without_predicates
from tests.transformations.theory_parents import COUNTER, LISTS, certified
from transformations.carry import values_of
from transformations.known import Known
from transformations.preserving_steps import Derivation, completed, ground, ground_atom, rewrite_steps


def _read(text: str, variables: tuple[Term, ...]) -> Term:
    return read_term(text, symbols_without_predicates(LISTS.instance), variables)


def test_terms_are_grounded_by_evaluation() -> None:
    """Also those of datatypes; an open value has no term."""
    clause = LISTS.instance.clauses[1]
    values = values_of(clause, LISTS.refutation.steps[1])
    assert integer(1) is ground(_read("(head k)", clause.variables), values, LISTS.instance)
    assert _read("(cons 2 nil)", ()) is ground(_read("(cons (+ n 2) l)", clause.variables), values, LISTS.instance)
    assert ground(_read("(head l)", clause.variables), values, LISTS.instance) is None
    assert ground_atom(Atom("len", (_read("(tail l)", clause.variables),)), values, LISTS.instance) is None


def test_missing_values_come_from_definitions_or_trials() -> None:
    """Those of a small sort are all tried; of a large one only some value is."""
    instance = read_instance(
        """(set-logic HORN)
        (assert (forall ((x Int) (d Int) (u (_ BitVec 2)) (k Int))
          (=> (and (= d (+ x 1)) (= u #b10) (< k d)) false)))"""
    )
    (clause,) = instance.clauses
    x, d, u, k = clause.variables
    found = completed(clause, {x: integer(1)}, instance, {d: _read("(+ x 1)", (x,))})
    assert found is not None
    assert [integer(1), integer(2), integer(0)] == [found[x], found[d], found[k]]
    assert "<term #b10>" == repr(found[u])
    assert completed(clause, {x: integer(-5)}, instance, {d: _read("(+ x 1)", (x,))}) is None
    assert completed(clause, {x: integer(1), d: integer(1)}, instance) is None


def test_steps_that_nothing_rests_on_are_left_out() -> None:
    """Each step may become several; premises are numbered anew."""

    def twice(made: Derivation, step: Step, premises: list[int]) -> int | None:
        values = values_of(COUNTER.instance.clauses[step.clause], step)
        made.add(step.clause, values, premises, step.fact)
        return made.add(step.clause, values, premises, step.fact)

    again = rewrite_steps(COUNTER.refutation, COUNTER.instance, twice)
    assert COUNTER.refutation == again
    assert certified(Known(COUNTER.instance, again))


def test_a_step_without_a_value_ends_the_attempt() -> None:
    """Rather no refutation than a wrong one."""

    def poor(made: Derivation, step: Step, premises: list[int]) -> int | None:
        return made.add(step.clause, {variable("other", INT): integer(0)}, [], None)

    assert rewrite_steps(COUNTER.refutation, COUNTER.instance, poor) is None
