"""Arguments padded and permuted."""

import pytest

from chc.instance import Instance
from chc.model import Model
from chc.refutation import Refutation, Step
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from tests.transformations.test_preserving_folding import PARENT
from tests.transformations.theory_parents import COUNTER, LISTS, ODD, certified
from transformations.known import Inapplicable, Known
from transformations.preserving_predicates import (
    DEFAULT,
    FREE,
    PadArguments,
    PadChoice,
    PermuteArguments,
    PermuteChoice,
)
from transformations.transformation import Parents


def test_arguments_are_permuted_everywhere() -> None:
    """In declarations, clauses, facts and models."""
    made = PermuteArguments().repeat([COUNTER], PermuteChoice("inv", (1, 0)))
    assert "(=> (start x) (inv (+ x 0) x))" in made.child.instance.text
    assert certified(made.child)
    listed = PermuteArguments().repeat([LISTS], PermuteChoice("len", (1, 0)))
    assert "(declare-fun len (Int List) Bool)" in listed.child.instance.text
    assert certified(listed.child)


@pytest.mark.parametrize("heads", [FREE, DEFAULT])
@pytest.mark.parametrize("sort", ["Bool", "Int", "List", "(Array Int List)", "(_ BitVec 3)"])
def test_an_unused_argument_is_added_everywhere(heads: str, sort: str) -> None:
    """Whatever its sort; facts get a value there."""
    made = PadArguments().repeat([LISTS], PadChoice("len", 1, sort, heads, "l"))
    assert f"(declare-fun len (List {sort} Int) Bool)" in made.child.instance.text
    assert "(len l l_1 n)" in made.child.instance.text
    assert certified(made.child)


def test_a_model_ignores_the_new_argument() -> None:
    """Its parameter is called like no other."""
    made = PadArguments().repeat([ODD], PadChoice("odd", 0, "Bool", FREE, "x0"))
    assert isinstance(made.child.witness, Model)
    assert ["x0_1", "x0"] == [param.name for param in made.child.witness.interpretations["odd"].params]
    assert certified(made.child)


class PadBackwards(PadArguments):
    """A planted mistake: the values are listed backwards."""

    def carry_refutation(self, parent: Known, choice: PadChoice, child: Instance) -> Refutation | None:
        right = super().carry_refutation(parent, choice, child)
        assert right is not None
        return Refutation(tuple(Step(s.fact, s.clause, s.values[::-1], s.premises) for s in right.steps))


def test_wrong_values_are_caught() -> None:
    """The oracle notices values that are not those of the premises."""
    made = PadBackwards().repeat([PARENT], PadChoice("q", 0, "(_ BitVec 2)", FREE, "w"))
    assert "has a wrong witness" in complaints(PadBackwards(), [PARENT], made)


class PadAndLose(PadArguments):
    """A planted mistake: the first clause gets lost."""

    def apply(self, parents: Parents, choice: PadChoice) -> Instance:
        child = super().apply(parents, choice)
        return child.replace(clauses=child.clauses[1:])


def test_a_lost_clause_is_caught() -> None:
    """Nothing derives the padded facts then."""
    assert "unsat" == PARENT.truth
    assert "sat" == solve(PadAndLose().apply([PARENT], PadChoice("q", 0, "Bool", FREE, "w"))).truth


def test_what_does_not_fit_is_refused() -> None:
    """Another predicate, position, sort or order."""
    for choice in (
        PadChoice("inv", 0, "Int", FREE, "w"),
        PadChoice("len", 3, "Int", FREE, "w"),
        PadChoice("len", 0, "Tree", FREE, "w"),
    ):
        with pytest.raises(Inapplicable):
            PadArguments().apply([LISTS], choice)
    with pytest.raises(Inapplicable):
        PermuteArguments().apply([LISTS], PermuteChoice("len", (0, 0)))
