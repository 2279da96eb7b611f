"""The competition's narrow form: it is kept, and means the same."""

import re
from random import Random

import pytest

from backends.competition import competition_text
from chc.instance import Instance
from chc.script import read_instance
from chc.terms import Kind
from tests.transformations.brute_force import random_tiny_instance, solve
from transformations.corpus import corpus

WIDE = """(set-logic HORN)
(declare-fun P (Int Int) Bool)
(declare-fun failed () Bool)
(assert (P 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (P x (+ y 1)) (< x 5)) (P y y))))
(assert (forall ((x Int)) (=> (P x x) false)))
(assert (forall ((x Int)) (=> (and (> x 3) (P x 2)) false)))
(assert (=> failed false))
(check-sat)
"""


def assert_narrow(text: str) -> None:
    instance = read_instance(text)
    queries = [clause for clause in instance.clauses if clause.is_query]
    assert [instance.clauses[-1]] == queries
    for clause in instance.clauses:
        assert all(arg.kind is Kind.VARIABLE for atom in clause.atoms for arg in atom.args)
        if clause.head is not None:
            assert len(set(clause.head.args)) == len(clause.head.args)
    assertions = re.findall(r"^\(assert (.*)\)$", text, re.MULTILINE)
    assert all(re.match(r"\(forall \(\(.*\)\) \(=> \(and ", each) for each in assertions)


@pytest.mark.parametrize("instance", [read_instance(WIDE), *(each.instance for each in corpus()[::6])])
def test_the_form_is_kept(instance: Instance) -> None:
    """Whatever the instance."""
    assert_narrow(competition_text(instance))


@pytest.mark.parametrize("seed", range(20))
def test_it_means_the_same(seed: int) -> None:
    """Tiny instances keep their truth."""
    instance = random_tiny_instance(Random(seed))
    assert solve(instance).truth is solve(read_instance(competition_text(instance))).truth
