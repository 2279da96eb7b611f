"""Section B: each transformation keeps what it promises, and the oracle sees when one does not."""

from random import Random

import pytest

from chc.instance import Instance
from chc.model import Model
from chc.printer import show_atom, show_clause
from chc.script import read_instance
from chc.witness import Truth
from tests.transformations.brute_force import refutation_holds, solve
from tests.transformations.oracle import complaints, faults
from transformations.known import Inapplicable, Known
from transformations.transformation import Entry, Parents
from transformations.unsat_clauses import FactChoice, ReplaceClauseWithFact, is_dispensable
from transformations.unsat_to_unsat import UNSAT_TO_UNSAT
from transformations.written import with_item

BY_NAME = {entry.name: entry for entry in UNSAT_TO_UNSAT}
NAMES = (
    "plug-top-lhs",
    "plug-top-predicate",
    "plug-bottom-rhs",
    "drop-redundant-clause",
    "replace-clause-with-fact",
    "add-clause",
)

COUNTING = solve(
    read_instance(
        """(set-logic HORN) (declare-fun P ((_ BitVec 2)) Bool)
        (assert (forall ((x (_ BitVec 2))) (=> (bvule x #b00) (P x))))
        (assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2)))
          (=> (and (P x) (bvult x #b10) (= y (bvadd x #b01))) (P y))))
        (assert (forall ((x (_ BitVec 2))) (=> (and (P x) (bvuge x #b10)) false)))"""
    )
)
"""P(0), P(1), P(2), false: the second clause is used twice."""

JOINING = solve(
    read_instance(
        """(set-logic HORN) (declare-fun p (Bool) Bool) (declare-fun q (Bool) Bool) (declare-fun r (Bool) Bool)
        (assert (p true))
        (assert (forall ((x Bool)) (=> (p x) (q (not x)))))
        (assert (forall ((y Bool) (x Bool)) (=> (and (p x) (q y) (= x true)) (r y))))
        (assert (forall ((x Bool)) (=> (and (r x) (p (not x))) false)))
        (assert (forall ((x Bool)) (=> (r x) (q x))))"""
    )
)
"""A fact that three steps share, and a clause that nobody needs."""


def test_all_names_of_the_section_are_there() -> None:
    """The names are those of the literature, each with a reason for its promise."""
    assert list(NAMES) == [entry.name for entry in UNSAT_TO_UNSAT]
    assert [] == [entry.name for entry in UNSAT_TO_UNSAT if "\n\n" not in (entry.__doc__ or "")]


@pytest.mark.parametrize("entry", UNSAT_TO_UNSAT, ids=lambda entry: entry.name)
def test_promise_witness_text_and_choice_hold_on_tiny_instances(entry: Entry) -> None:
    """Against brute force: the child is unsat, by the transported refutation, reads back, and is made again."""
    assert [] == faults(entry, 100)


@pytest.mark.parametrize("entry", UNSAT_TO_UNSAT, ids=lambda entry: entry.name)
@pytest.mark.parametrize("parent", [COUNTING, JOINING], ids=["counting", "joining"])
def test_every_site_of_larger_derivations_is_good(entry: Entry, parent: Known) -> None:
    """Steps that are used twice, and clauses that are, need care in each transport."""
    for site in entry.sites([parent]):
        made = entry.attempt([parent], site, Random(3))
        assert made is not None
        assert [] == complaints(entry, [parent], made)


class WithoutItsCondition(ReplaceClauseWithFact):
    """A planted mistake, as printed in the literature: the clause goes, whoever else needs it."""

    def apply(self, parents: Parents, choice: FactChoice) -> Instance:
        child = super().apply(parents, FactChoice(choice.step, remove=False))
        clause = parents[0].refutation.steps[choice.step].clause
        return child.replace(clauses=with_item(child.clauses[:-1], clause, child.clauses[-1]))


def test_replacing_a_clause_that_another_step_needs_is_caught() -> None:
    """With F = P(1) the clause that derives P(2) as well is lost, and the child is sat."""
    assert ["(P #b00)", "(P #b01)", "(P #b10)", "false"] == [show_atom(step.fact) for step in COUNTING.refutation.steps]
    made = WithoutItsCondition().repeat([COUNTING], {"step": 1, "remove": True})
    assert ["is not unsat", "has a wrong witness"] == complaints(WithoutItsCondition(), [COUNTING], made)


def test_the_condition_refuses_that_choice() -> None:
    """P(1) needs the clause that P(2) needs; P(2) is the last to need it; so is P(0) for its own."""
    assert [True, False, True] == [is_dispensable(COUNTING.refutation, step) for step in range(3)]
    with pytest.raises(Inapplicable):
        BY_NAME["replace-clause-with-fact"].repeat([COUNTING], {"step": 1, "remove": True})


def test_a_clause_goes_when_the_new_fact_makes_its_other_uses_needless() -> None:
    """With F = P(2) the step to P(1) is cut off too, so that the clause may go and the child keep its truth."""
    made = BY_NAME["replace-clause-with-fact"].repeat([COUNTING], {"step": 2, "remove": True})
    assert "(P #b10)" == show_clause(made.child.instance.clauses[1])
    assert 2 == len(made.child.refutation.steps)
    assert refutation_holds(made.child.instance, made.child.refutation)


def test_plug_top_predicate_drops_what_derives_it() -> None:
    """The predicate is gone with its clauses, and the clauses behind them have moved up."""
    made = BY_NAME["plug-top-predicate"].repeat([JOINING], {"predicate": "p", "drop": True})
    assert [
        "(forall ((x Bool)) (q (not x)))",
        "(forall ((y Bool) (x Bool)) (=> (and (q y) (= x true)) (r y)))",
        "(forall ((x Bool)) (=> (r x) false))",
        "(forall ((x Bool)) (=> (r x) (q x)))",
    ] == [show_clause(clause) for clause in made.child.instance.clauses]
    assert ["q", "r"] == [predicate.name for predicate in made.child.instance.predicates]


def test_plug_bottom_rhs_ends_the_refutation_early() -> None:
    """The first step by the clause derives false now; what came later is gone."""
    made = BY_NAME["plug-bottom-rhs"].repeat([COUNTING], {"clause": 1})
    assert [0, 1] == [step.clause for step in made.child.refutation.steps]


@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("plug-top-lhs", {"clause": 0, "part": 1}),
        ("plug-top-predicate", {"predicate": "Q", "drop": False}),
        ("plug-bottom-rhs", {"clause": 2}),
        ("drop-redundant-clause", {"clause": 1, "replacement": None}),
        ("replace-clause-with-fact", {"step": 3, "remove": False}),
        ("add-clause", {"position": 4, "clause": "(P #b00)"}),
        ("add-clause", {"position": 0, "clause": "(Q #b00)"}),
        ("add-clause", {"position": 0, "clause": "true"}),
    ],
)
def test_a_choice_that_does_not_fit_is_refused(name: str, choice: object) -> None:
    """A recorded choice names what another parent may not have."""
    with pytest.raises(Inapplicable):
        BY_NAME[name].repeat([COUNTING], choice)


def test_nothing_is_promised_of_a_sat_parent() -> None:
    """What needs a refutation has no site there; the rest transports nothing."""
    parent = Known(COUNTING.instance.replace(clauses=COUNTING.instance.clauses[:2]), Model({}))
    assert [None] * len(NAMES) == [BY_NAME[name].promise([parent]) for name in NAMES]
    for entry in UNSAT_TO_UNSAT:
        made = [entry.attempt([parent], site, Random(0)) for site in entry.sites([parent])]
        assert [] == [one for one in made if one is not None and one.child.witness is not None]
        assert entry.needs_witness == (not made)
        assert entry.takes == {Truth.unsat}
