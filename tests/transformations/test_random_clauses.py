"""Random clauses fit the instance that they are made for."""

from random import Random

from chc.script import read_instance
from transformations.random_clauses import random_clause
from transformations.written import read_clause, write_clause

INSTANCE = read_instance(
    """(set-logic HORN) (declare-sort S 0) (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-fun p (Int List) Bool) (declare-fun v_1 () Bool) (declare-fun r (S (Array Int Real)) Bool)
    (assert (forall ((v_2 Int)) (=> (> v_2 0) (p v_2 nil))))"""
)


def test_clauses_read_back() -> None:
    """Over the predicates of the instance, and with names of variables that mean nothing in it."""
    for seed in range(200):
        clause = random_clause(INSTANCE, Random(seed))
        assert clause == read_clause(write_clause(clause), INSTANCE)


def test_all_shapes_turn_up() -> None:
    """Facts, queries, linear and nonlinear clauses."""
    clauses = [random_clause(INSTANCE, Random(seed)) for seed in range(200)]
    assert {0, 1, 2, 3} == {len(clause.body) for clause in clauses}
    assert {True, False} == {clause.is_query for clause in clauses}


def test_an_instance_without_predicates_has_clauses_too() -> None:
    """Queries about constraints alone."""
    bare = read_instance("(set-logic HORN)")
    assert all(random_clause(bare, Random(seed)).is_query for seed in range(20))
