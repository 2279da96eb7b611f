"""Definitions unfolded, and parts of bodies folded."""

import pytest

from chc.instance import Instance
from chc.model import Model
from chc.printer import show_term
from chc.script import read_instance
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints
from tests.transformations.theory_parents import COUNTER, LISTS, certified
from tests.transformations.z3_check import known_sat
from transformations.known import Inapplicable, Known
from transformations.preserving_folding import AtomChoice, FoldChoice, Inline, Outline
from transformations.transformation import Parents

PARENT = solve(
    read_instance(
        """(set-logic HORN) (declare-fun none () Bool) (declare-fun p (Bool Bool) Bool) (declare-fun q (Bool) Bool)
        (assert (q true))
        (assert (forall ((a Bool)) (=> a (p a false))))
        (assert (forall ((a Bool) (b Bool)) (=> (and (q b) (q a)) (p a (not b)))))
        (assert (forall ((a Bool) (b Bool)) (=> (and (q a) (p a b) (not b)) false)))
        (assert (=> none false))"""
    )
)


def test_an_atom_is_replaced_by_each_of_its_definitions() -> None:
    """Variables are bound where they can be, and equations say the rest; premises are grafted."""
    made = Inline().repeat([PARENT], AtomChoice(3, 1))
    text = made.child.instance.text
    assert "(=> (and (q a) (not b) (= b false) a) false)" in text
    assert "(=> (and (q a) (q b_1) (q a) (not b) (= b (not b_1))) false)" in text
    assert len(PARENT.instance.clauses) + 1 == len(made.child.instance.clauses)
    assert [] == complaints(Inline(), [PARENT], made)


def test_an_atom_without_definition_takes_its_clause_along() -> None:
    """Nothing derives it, so the clause never applied."""
    made = Inline().repeat([PARENT], AtomChoice(4, 0))
    assert PARENT.instance.clauses[:4] == made.child.instance.clauses
    assert [] == complaints(Inline(), [PARENT], made)


def test_literals_are_folded_as_the_reader_does_it() -> None:
    """A unary minus before a literal is the literal."""
    parent = known_sat(
        """(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (> (- x) 0) (p x)))) (assert (=> (p 5) false))""",
        p="(< x0 0)",
    )
    made = Inline().repeat([parent], AtomChoice(1, 0))
    assert "(=> (> (- 5) 0) false)" in made.child.instance.text
    assert read_instance(made.child.instance.text) == made.child.instance


def test_recursive_predicates_are_not_unfolded() -> None:
    """Neither offered nor accepted."""
    assert [(1, 0), (3, 0)] == Inline().sites([COUNTER])
    with pytest.raises(Inapplicable):
        Inline().apply([COUNTER], AtomChoice(2, 0))


class FirstDefinition(Inline):
    """A planted mistake: all definitions but the first are forgotten."""

    def apply(self, parents: Parents, choice: AtomChoice) -> Instance:
        child = super().apply(parents, choice)
        return child.replace(clauses=(*child.clauses[: choice.clause + 1], *child.clauses[choice.clause + 2 :]))


def test_a_forgotten_definition_is_caught() -> None:
    """What it derived is lost."""
    parent = solve(
        read_instance(
            """(set-logic HORN) (declare-fun p (Bool) Bool)
            (assert (p false)) (assert (p true)) (assert (forall ((a Bool)) (=> (and (p a) a) false)))"""
        )
    )
    made = FirstDefinition().apply([parent], AtomChoice(2, 0))
    assert (parent.truth, "sat") == ("unsat", solve(made).truth)


def test_a_part_of_a_body_becomes_a_predicate() -> None:
    """Over the variables that it shares with the rest; the others are bound in its meaning."""
    made = Outline().repeat([LISTS], FoldChoice(1, (0,), (1, 2), "longer", False))
    text = made.child.instance.text
    assert "(=> (and (longer k n) ((_ is cons) k)) (len k (+ n 1)))" in text
    assert "(=> (and (len l n) (= (tail k) l) (> (head k) n)) (longer k n))" in text
    assert certified(made.child)
    assert len(LISTS.refutation.steps) + 2 == len(made.child.refutation.steps)


def test_the_meaning_of_a_part_binds_its_own_variables() -> None:
    """Those that nothing else of the clause mentions."""
    parent = Known(PARENT.instance.replace(clauses=PARENT.instance.clauses[:3]))
    solved = solve(parent.instance)
    made = Outline().repeat([solved], FoldChoice(2, (0,), (), "sub", False))
    assert isinstance(made.child.witness, Model)
    assert ["b"] == [param.name for param in made.child.witness.interpretations["sub"].params]
    whole = Outline().repeat([solved], FoldChoice(1, (), (0,), "sub", False))
    assert isinstance(whole.child.witness, Model)
    assert "a" == show_term(whole.child.witness.interpretations["sub"].body)
    hidden = known_sat(
        """(set-logic HORN) (declare-fun p (Int) Bool) (assert (forall ((x Int) (y Int)) (=> (= x (* 2 y)) (p x))))
        (assert (=> (p 1) false))""",
        p="(= (mod x0 2) 0)",
    )
    folded = Outline().repeat([hidden], FoldChoice(0, (), (0,), "even", False))
    assert isinstance(folded.child.witness, Model)
    assert "(exists ((y Int)) (= x (* 2 y)))" == show_term(folded.child.witness.interpretations["even"].body)
    assert certified(folded.child)
    wide = Outline().repeat([hidden], FoldChoice(0, (), (0,), "even", True))
    assert isinstance(wide.child.witness, Model)
    assert "(= x (* 2 y))" == show_term(wide.child.witness.interpretations["even"].body)
    assert certified(wide.child)
