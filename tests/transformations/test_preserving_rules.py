"""Rules that never fire."""

from random import Random

import pytest

from chc.instance import Clause
from chc.script import read_instance
from chc.sorts import BOOL, INT
from tests.transformations.theory_parents import COUNTER, FRACTIONS, PARENTS, certified
from transformations.known import Inapplicable, Known
from transformations.preserving_rules import AddLinearRule, AddNonlinearRule, RuleChoice, theory_sorts
from transformations.transformation import Entry


def _rules(entry: Entry, parent: Known, count: int) -> list[Clause]:
    """The clauses that were added by so many applications."""
    rng, found = Random(1), []
    for _ in range(count):
        made = entry.attempt([parent], rng.choice(entry.sites([parent])), rng)
        assert made is not None
        assert certified(made.child)
        clauses = list(made.child.instance.clauses)
        for clause in parent.instance.clauses:
            clauses.remove(clause)
        found += clauses
    return found


def test_linear_rules_have_one_atom_at_most_and_any_head() -> None:
    """And speak only of sorts that the instance has, beside Bool."""
    rules = _rules(AddLinearRule(), COUNTER, 60)
    assert {0, 1} == {len(rule.body) for rule in rules}
    assert {None, "start", "inv"} == {rule.head and rule.head.predicate for rule in rules}
    assert {BOOL, INT} == {var.sort for rule in rules for var in rule.variables}
    assert [BOOL, INT] == theory_sorts(COUNTER.instance)


@pytest.mark.parametrize("parent", [COUNTER, FRACTIONS, PARENTS[4]], ids=["integers", "reals", "bits"])
def test_cycles_have_one_to_ten_links_with_an_atom_each(parent: Known) -> None:
    """x1 > x2 > … > xn > x1 in the order of the sort."""
    rules = _rules(AddNonlinearRule(), parent, 80)
    assert set(range(1, 11)) == {len(rule.constraint) for rule in rules}
    assert all(len(rule.body) == len(rule.constraint) for rule in rules)
    assert {">" if parent is not PARENTS[4] else "bvugt"} == {part.name for rule in rules for part in rule.constraint}
    for rule in rules:
        assert {part.args[0] for part in rule.constraint} == {part.args[1] for part in rule.constraint}


def test_rules_of_another_instance_are_refused() -> None:
    """And places that the instance does not have."""
    for choice in (RuleChoice("(=> (and half) false)", 0), RuleChoice("(=> (distinct 1 1) false)", 9)):
        with pytest.raises(Inapplicable):
            AddLinearRule().apply([COUNTER], choice)


def test_variables_are_named_apart_from_predicates() -> None:
    """A predicate called x does not make the rule unreadable."""
    parent = Known(read_instance("(set-logic HORN) (declare-fun x (Int) Bool) (assert (x 0))"))
    for entry in (AddLinearRule(), AddNonlinearRule()):
        made = entry.attempt([parent], entry.sites([parent])[-1], Random(2))
        assert made is not None
        assert read_instance(made.child.instance.text) == made.child.instance
