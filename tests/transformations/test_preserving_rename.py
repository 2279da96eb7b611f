"""Other names."""

import pytest

from chc.script import read_instance
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from transformations.known import Inapplicable
from transformations.preserving_rename import STEMS, Pairs, Rename, RenameChoice

PARENT = solve(
    read_instance(
        """(set-logic HORN) (declare-fun p (Bool) Bool) (declare-fun q (Bool) Bool)
        (assert (forall ((a Bool)) (=> a (p a))))
        (assert (forall ((a Bool) (b Bool)) (=> (and (p a) (forall ((m Bool)) (or m a))) (q b))))
        (assert (=> (q true) false))"""
    )
)


@pytest.mark.parametrize("stem", STEMS)
def test_every_name_of_the_list_reads_back(stem: str) -> None:
    """As a predicate and as a variable, with a witness that says it too."""
    choice = RenameChoice((("p", f"{stem} p"), ("q", f"{stem}0")), ((1, (("b", stem + "x"), ("a", stem + "y"))),))
    made = Rename().repeat([PARENT], choice)
    assert [] == complaints(Rename(), [PARENT], made)
    assert {f"{stem} p", f"{stem}0"} == set(made.child.instance.signature)


@pytest.mark.parametrize(
    ("predicates", "variables"),
    [
        ((("p", "q"),), ()),
        ((("p", "r"), ("q", "r")), ()),
        ((("p", "a"),), ()),
        ((("p", "and"),), ()),
        ((("r", "s"),), ()),
        ((), ((1, (("a", "b"),)),)),
        ((), ((1, (("a", "m"),)),)),
        ((), ((1, (("a", "p"),)),)),
        ((("p", "r"),), ((1, (("a", "r"),)),)),
        ((), ((7, (("a", "c"),)),)),
    ],
)
def test_names_that_are_taken_are_refused(predicates: Pairs, variables: tuple[tuple[int, Pairs], ...]) -> None:
    """Two things of one name would be one thing."""
    with pytest.raises(Inapplicable):
        Rename().apply([PARENT], RenameChoice(predicates, variables))
