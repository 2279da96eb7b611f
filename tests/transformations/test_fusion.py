"""Section D: the truth of two parents gives that of the child, with a witness."""

from functools import cache
from random import Random

import pytest

from chc.model import Model
from chc.refutation import Refutation
from chc.script import read_instance
from chc.witness import Truth
from tests.transformations.brute_force import random_tiny_instance, solve
from tests.transformations.oracle import complaints, faults
from tests.transformations.z3_check import ARRAY, COUNTER, LIST, known_sat, z3_accepts
from transformations.fusion import FUSIONS, FuseSequential, FuseStrong, FuseWeak
from transformations.known import Known
from transformations.transformation import Entry

SAT, UNSAT = Truth.sat, Truth.unsat


@cache
def parent(truth: Truth | None, start: int) -> Known:
    """The first tiny instance from a seed on that has this truth; of open truth where that is None."""
    seed = start
    while truth not in (None, solve(random_tiny_instance(Random(seed))).truth):
        seed += 1
    known = solve(random_tiny_instance(Random(seed)))
    return known if truth is not None else Known(known.instance)


def test_all_names_of_the_section_are_there() -> None:
    """The names are those of the literature, each with a reason for its promise."""
    assert ["fuse-strong", "fuse-weak", "fuse-sequential"] == [entry.name for entry in FUSIONS]
    assert [] == [entry.name for entry in FUSIONS if "\n\n" not in (entry.__doc__ or "")]


@pytest.mark.parametrize("entry", FUSIONS, ids=lambda entry: entry.name)
def test_promise_witness_text_and_choice_hold_on_tiny_instances(entry: Entry) -> None:
    """Against brute force, for parents of any truths."""
    assert [] == faults(entry, 100)


@pytest.mark.parametrize("first", [SAT, UNSAT, None])
@pytest.mark.parametrize("second", [SAT, UNSAT, None])
@pytest.mark.parametrize("entry", FUSIONS, ids=lambda entry: entry.name)
def test_truths_that_are_open_are_asked_for_only_where_they_matter(
    entry: Entry, first: Truth | None, second: Truth | None
) -> None:
    """One unsat parent decides the union, one sat parent decides the others; and then there is a witness."""
    decisive = UNSAT if entry.name == "fuse-strong" else SAT
    expected = decisive if decisive in (first, second) else None if None in (first, second) else decisive.opposite
    for start in (0, 40):
        parents = [parent(first, start), parent(second, start + 20)]
        made = entry.attempt(parents, (), Random(0))
        assert made is not None
        assert expected is entry.promise(parents)
        assert expected is made.child.truth
        assert [] == complaints(entry, parents, made)


@pytest.mark.parametrize("entry", FUSIONS, ids=lambda entry: entry.name)
@pytest.mark.parametrize("parents", [(COUNTER, COUNTER), (LIST, LIST), (LIST, ARRAY), (ARRAY, COUNTER)])
def test_fused_models_are_models_by_z3(entry: Entry, parents: tuple[Known, Known]) -> None:
    """Over integers, arrays and lists; an instance with itself has every name in common."""
    made = entry.attempt(parents, (), Random(0))
    assert made is not None
    assert read_instance(made.child.instance.text) == made.child.instance
    assert z3_accepts(made.child)


def test_equal_datatypes_are_shared() -> None:
    """The same list is declared once, and only the predicate gets another name."""
    child = FuseStrong().repeat([LIST, LIST], {}).child.instance
    assert LIST.instance.datatypes == child.datatypes
    assert ["len", "len_1"] == [predicate.name for predicate in child.predicates]


def test_different_datatypes_of_one_name_are_kept_apart() -> None:
    """Sort, constructors and selectors of the second are renamed, in clauses and in the model."""
    other = known_sat(
        """(set-logic HORN) (declare-datatypes ((List 0)) (((nil) (cons (head Bool) (tail List)))))
        (declare-fun len (List) Bool)
        (assert (len (cons true nil)))
        (assert (forall ((l List)) (=> (and (len l) ((_ is cons) l)) (len (tail l)))))""",
        len="(=> ((_ is cons) x0) (and (head x0) (= (tail x0) nil)))",
    )
    made = FuseStrong().repeat([LIST, other], {})
    assert "((List_1 0)) (((nil_1) (cons_1 (head_1 Bool) (tail_1 List_1))))" in made.child.instance.text
    assert read_instance(made.child.instance.text) == made.child.instance
    assert z3_accepts(made.child)


def test_sort_parameters_do_not_meet_sorts() -> None:
    """A parameter T beside a sort T would be refused by the reader, whichever parent has which."""
    generic = known_sat(
        """(set-logic HORN) (declare-datatypes ((Pair 1)) ((par (T) ((pair (fst T) (snd T))))))
        (declare-fun p ((Pair Int)) Bool) (assert (forall ((x Int)) (p (pair x x))))""",
        p="(= (fst x0) (snd x0))",
    )
    plain = known_sat(
        """(set-logic HORN) (declare-sort T 0) (declare-fun q (T) Bool) (assert (forall ((t T)) (q t)))""", q="true"
    )
    for parents in ([generic, plain], [plain, generic]):
        child = FuseStrong().repeat(parents, {}).child
        assert read_instance(child.instance.text) == child.instance
        assert z3_accepts(child)


def test_variables_do_not_meet_predicates() -> None:
    """A variable of one parent that is called like a predicate of the other is kept apart, both ways."""
    variable_p = known_sat("(set-logic HORN) (declare-fun r (Bool) Bool) (assert (forall ((p Bool)) (r p)))", r="true")
    predicate_p = known_sat("(set-logic HORN) (declare-fun p () Bool) (assert p)", p="true")
    for parents in ([variable_p, predicate_p], [predicate_p, variable_p]):
        child = FuseStrong().repeat(parents, {}).child
        assert read_instance(child.instance.text) == child.instance
        assert z3_accepts(child)


NOW = solve(read_instance("(set-logic HORN) (assert (=> (= 1 1) false))"))
NEVER = solve(read_instance("(set-logic HORN) (declare-fun p () Bool) (assert (=> p false))"))


def test_a_query_without_atoms_is_guarded_as_well() -> None:
    """Otherwise the second parent alone would make the child unsat."""
    made = FuseSequential().repeat([NEVER, NOW], {})
    assert isinstance(made.child.witness, Model)
    assert [] == complaints(FuseSequential(), [NEVER, NOW], made)


def test_refutations_are_joined_in_the_end() -> None:
    """fuse-weak has one more step than both, fuse-sequential as many, with the flag below each leaf."""
    weak = FuseWeak().repeat([NOW, NOW], {}).child
    sequential = FuseSequential().repeat([NOW, NOW], {}).child
    assert isinstance(weak.witness, Refutation)
    assert isinstance(sequential.witness, Refutation)
    assert [(), (), (0, 1)] == [step.premises for step in weak.witness.steps]
    assert [(), (0,)] == [step.premises for step in sequential.witness.steps]


class Unguarded(FuseSequential):
    """A planted mistake: the promise of one fusion on the child of another."""

    fuse = FuseStrong.fuse


def test_a_fusion_that_guards_nothing_is_caught() -> None:
    """The child of a sat and an unsat parent is not sat, and its model is none."""
    made = Unguarded().repeat([NEVER, NOW], {})
    assert ["is not sat", "has a wrong witness"] == complaints(Unguarded(), [NEVER, NOW], made)


@pytest.mark.parametrize("fusion", FUSIONS, ids=lambda fusion: fusion.name)
def test_a_variable_may_be_called_like_a_symbol_of_the_other(fusion: Entry) -> None:
    """The child is the same after printing and reading: the reader renames such variables, and so do we."""
    pair = "(declare-datatypes ((Pair 0)) (((pair (left Int) (right Int)))))(declare-fun q (Pair) Bool)"
    first = read_instance(f"(set-logic HORN){pair}(assert (forall ((p Pair)) (=> (= (left p) 1) (q p))))")
    second = read_instance(
        "(set-logic HORN)(declare-fun r (Int) Bool)(assert (forall ((left Int)) (=> (> left 0) (r left))))"
    )
    parents = [Known(first), Known(second)]
    made = fusion.attempt(parents, fusion.sites(parents)[0], Random(1))
    assert made is not None
    assert made.child.instance == read_instance(made.child.instance.text)
