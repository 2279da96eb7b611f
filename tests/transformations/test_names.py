"""Fresh names are those that nothing in the instance has."""

from chc.script import read_instance
from transformations.names import Names

INSTANCE = read_instance(
    """(set-logic HORN) (declare-sort S 0)
    (declare-datatypes ((L 1)) ((par (T) ((n) (c (h T) (t (L T)))))))
    (declare-fun p (Bool) Bool)
    (assert (forall ((x Bool)) (=> (and (p (exists ((z Int)) (> z 0))) (forall ((y Bool)) (or x y))) (p x))))"""
)


def test_every_name_of_an_instance_is_taken() -> None:
    """Sorts, parameters, datatypes, constructors, testers, selectors, predicates, variables, words of SMT-LIB."""
    names = ("S", "L", "T", "n", "c", "is-c", "h", "t", "p", "x", "y", "z", "and", "let", "Int", "bvadd")
    assert [f"{name}_1" for name in names] == [Names(INSTANCE).keep(name) for name in names]


def test_a_free_name_is_kept_once() -> None:
    """After that it is taken."""
    names = Names(INSTANCE)
    assert ["q", "q_1", "q_2"] == [names.keep("q") for _ in range(3)]


def test_fresh_names_are_numbered() -> None:
    """Plain, readable, without the marks that solvers use for names of their own."""
    names = Names(INSTANCE)
    names.reserve(["fresh_2"])
    assert ["fresh_1", "fresh_3"] == [names.fresh() for _ in range(2)]
