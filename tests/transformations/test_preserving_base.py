"""What the preserving transformations share."""

from random import Random

import pytest

from chc.script import read_instance
from chc.sorts import INT
from chc.terms import variable
from chc.vocabulary import read_term, symbols_without_predicates
from transformations.known import Inapplicable
from transformations.preserving_base import (
    all_names,
    body_nodes,
    body_terms,
    check_order,
    closed_nodes,
    names_in_clause,
    new_name,
    random_order,
    replace_nodes,
    with_body_terms,
)

INSTANCE = read_instance(
    """(set-logic HORN) (declare-sort S 0) (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
    (declare-fun p (Int Bool) Bool)
    (assert (forall ((x Int) (y Int))
      (=> (and (p (+ x 1) (exists ((m Int)) (< m x))) (forall ((k Int)) (or (< k x) (< x y)))) (p x true))))"""
)
CLAUSE = INSTANCE.clauses[0]
X, Y = variable("x", INT), variable("y", INT)


def test_names_of_everything_are_known() -> None:
    """Bound variables in arguments and conjuncts, what is declared, and what SMT-LIB has."""
    assert {"x", "y", "m", "k"} == names_in_clause(CLAUSE)
    assert {"x", "m", "k", "S", "L", "nil", "cons", "head", "tail", "p", "Int", "and", "let"} <= all_names(INSTANCE)


def test_new_names_are_taken_from_then_on() -> None:
    """And have no exclamation mark."""
    taken = {"v", "v_1"}
    assert ["v_2", "v_3", "w"] == [new_name("v", taken), new_name("v", taken), new_name("w", taken)]


def test_body_terms_go_back_to_their_places() -> None:
    """Arguments of atoms first, then conjuncts."""
    assert 3 == len(body_terms(CLAUSE))
    assert CLAUSE == with_body_terms(CLAUSE, body_terms(CLAUSE))


def test_nodes_below_a_quantifier_are_closed_unless_they_speak_of_its_variable() -> None:
    """x < y means the same outside; k < x does not."""
    closed = closed_nodes(CLAUSE)
    symbols = symbols_without_predicates(INSTANCE)
    assert read_term("(< x y)", symbols, [X, Y]) in closed
    assert {"k", "m"} == {node.name for node in set(body_nodes(CLAUSE)) - closed if not node.args}


def test_the_outermost_of_two_nodes_is_replaced() -> None:
    """What stands inside goes with it, and what is put in is not looked at again."""
    symbols = symbols_without_predicates(INSTANCE)
    sum_, whole = (read_term(text, symbols, [X, Y]) for text in ("(+ x y)", "(= (+ x y) (* 2 (+ x y)) x)"))
    expected = read_term("(= x (* 2 x) y)", symbols, [X, Y])
    assert [expected] == replace_nodes([whole], {sum_: X, X: Y})


@pytest.mark.parametrize("length", [2, 3, 7])
def test_a_random_order_is_never_the_old_one(length: int) -> None:
    """But always one of all."""
    for seed in range(30):
        order = random_order(length, Random(seed))
        check_order(order, length)
        assert tuple(range(length)) != order
    with pytest.raises(Inapplicable):
        check_order((0, 2), 2)
