"""The oracle itself: it solves tiny instances, and it is not fooled by wrong witnesses."""

from random import Random

import pytest

from chc.instance import Instance
from chc.model import Interpretation, Model
from chc.refutation import Refutation, Step
from chc.script import read_instance
from chc.terms import FALSE, TRUE, bits
from chc.witness import Truth
from tests.transformations.brute_force import (
    model_holds,
    random_tiny_instance,
    refutation_holds,
    solve,
    witness_holds,
)


def counter(limit: int) -> Instance:
    """Two bits that count up to `limit`, and must not reach 2."""
    return read_instance(
        f"""(set-logic HORN) (declare-fun p ((_ BitVec 2)) Bool)
        (assert (p #b00))
        (assert (forall ((x (_ BitVec 2))) (=> (and (p x) (bvult x #b{limit:02b})) (p (bvadd x #b01)))))
        (assert (forall ((x (_ BitVec 2))) (=> (and (p x) (= x #b10)) false)))"""
    )


def test_a_counter_that_stops_in_time_has_a_model() -> None:
    """The least model is the set of the values that are reached."""
    known = solve(counter(1))
    assert Truth.sat is known.truth
    assert "(or (= x0 #b00) (= x0 #b01))" in repr(known.model.interpretations["p"].body)


def test_a_counter_that_goes_on_has_a_refutation() -> None:
    """The refutation counts to two, one step for each value."""
    known = solve(counter(3))
    assert Truth.unsat is known.truth
    assert [0, 1, 1, 2] == [step.clause for step in known.refutation.steps]


@pytest.mark.parametrize("seed", range(40))
def test_what_it_finds_it_also_accepts(seed: int) -> None:
    """Solving and checking agree, whichever truth an instance has; and the instance reads back the same."""
    instance = random_tiny_instance(Random(seed))
    assert witness_holds(solve(instance))
    assert instance == read_instance(instance.text)


def test_both_truths_are_frequent() -> None:
    """Random instances are neither nearly always sat nor nearly always unsat."""
    truths = [solve(random_tiny_instance(Random(seed))).truth for seed in range(60)]
    assert 15 <= truths.count(Truth.sat) <= 45


@pytest.mark.parametrize("body", [TRUE, FALSE])
def test_a_wrong_model_is_rejected(body: object) -> None:
    """Too much reaches the query, too little misses the fact."""
    (param,) = solve(counter(1)).model.interpretations["p"].params
    wrong = Model({"p": Interpretation((param,), TRUE if body is TRUE else FALSE)})
    assert not model_holds(counter(1), wrong)


def test_a_model_without_the_predicate_is_rejected() -> None:
    """A model has to say something about every predicate."""
    assert not model_holds(counter(1), Model({}))


def test_wrong_refutations_are_rejected() -> None:
    """A changed value, clause or premise, a missing end, a premise that comes later."""
    steps = solve(counter(3)).refutation.steps
    last = steps[-1]
    wrong = [
        steps[:-1],
        (*steps[:-1], Step(None, last.clause, (bits(1, 2),), last.premises)),
        (*steps[:-1], Step(None, last.clause, last.values, (0,))),
        (*steps[:-1], Step(None, last.clause, last.values, ())),
        (*steps[:-1], Step(None, 0, (), ())),
        (*steps[:-1], Step(None, last.clause, last.values, (len(steps) - 1,))),
        (Step(steps[1].fact, 0, (), ()), *steps[1:]),
        (*steps[:-1], Step(None, len(steps), (), ())),
    ]
    assert [False] * len(wrong) == [refutation_holds(counter(3), Refutation(each)) for each in wrong]
