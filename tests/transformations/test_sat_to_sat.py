"""Section A: each transformation keeps what it promises, and the oracle sees when one does not."""

from random import Random

import pytest

from chc.instance import make_clause
from chc.printer import show_clause
from chc.script import read_instance
from chc.witness import Truth
from tests.transformations.brute_force import solve
from tests.transformations.oracle import complaints, faults
from tests.transformations.z3_check import EXAMPLES, known_sat, z3_accepts
from transformations.known import Inapplicable, Known
from transformations.sat_strengthen import DropClause
from transformations.sat_to_sat import SAT_TO_SAT
from transformations.transformation import Entry

BY_NAME = {entry.name: entry for entry in SAT_TO_SAT}
NAMES = (
    "plug-model-lhs",
    "plug-model-rhs",
    "add-constraint-lhs",
    "unplug-lhs",
    "unplug-rhs",
    "drop-clause",
    "forget-interpretation",
)


def test_all_names_of_the_section_are_there() -> None:
    """The names are those of the literature, each with a reason for its promise."""
    assert list(NAMES) == [entry.name for entry in SAT_TO_SAT]
    assert [] == [entry.name for entry in SAT_TO_SAT if "\n\n" not in (entry.__doc__ or "")]


@pytest.mark.parametrize("entry", SAT_TO_SAT, ids=lambda entry: entry.name)
def test_promise_witness_text_and_choice_hold_on_tiny_instances(entry: Entry) -> None:
    """Against brute force: the child is sat, by the transported model, reads back, and is made again."""
    assert [] == faults(entry, 100)


@pytest.mark.parametrize("entry", SAT_TO_SAT, ids=lambda entry: entry.name)
@pytest.mark.parametrize("known", EXAMPLES, ids=("counter", "array", "list"))
def test_the_transported_model_is_one_by_z3(entry: Entry, known: Known) -> None:
    """Over integers, arrays and lists, at every site of a hand-written example."""
    rng = Random(7)
    made = [entry.attempt([known], site, rng) for site in entry.sites([known])]
    assert made
    for one in made:
        assert one is None or read_instance(one.child.instance.text) == one.child.instance
        assert one is None or z3_accepts(one.child)


@pytest.mark.parametrize("known", EXAMPLES, ids=("counter", "array", "list"))
def test_z3_tells_right_models_from_wrong_ones(known: Known) -> None:
    """Otherwise the test above would show nothing: where the fact becomes a query, the model is none."""
    first, *rest = known.instance.clauses
    query = make_clause(first.constraint, first.body, None, first.variables)
    assert z3_accepts(known)
    assert not z3_accepts(Known(known.instance.replace(clauses=[query, *rest]), known.witness))


class DropClauseOfAnyTruth(DropClause):
    """A planted mistake: it claims to keep refutations as well."""

    takes = frozenset(Truth)


def test_dropping_a_clause_of_an_unsat_parent_is_caught() -> None:
    """The oracle finds that the promised truth is gone, and that there is no witness."""
    parent = solve(
        read_instance(
            """(set-logic HORN) (declare-fun p (Bool) Bool)
            (assert (p true)) (assert (forall ((x Bool)) (=> (p x) false)))"""
        )
    )
    made = DropClauseOfAnyTruth().attempt([parent], (0,), Random(0))
    assert made is not None
    assert ["is not unsat", "has no witness"] == complaints(DropClauseOfAnyTruth(), [parent], made)


def test_nothing_is_promised_of_an_unsat_parent() -> None:
    """The real ones say so, and transport nothing."""
    parent = solve(read_instance("(set-logic HORN) (assert (=> true false)) (assert (=> (< 1 0) false))"))
    assert [None] * len(SAT_TO_SAT) == [entry.promise([parent]) for entry in SAT_TO_SAT]
    made = BY_NAME["drop-clause"].attempt([parent], (0,), Random(0))
    assert made is not None
    assert made.child.witness is None


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("plug")])
def test_without_a_witness_the_child_has_none(name: str) -> None:
    """Parents of open truth can be changed too, where no model is plugged."""
    parent = Known(EXAMPLES[0].instance)
    made = BY_NAME[name].attempt([parent], BY_NAME[name].sites([parent])[0], Random(1))
    assert made is not None
    assert made.child.witness is None


@pytest.mark.parametrize("name", ["plug-model-lhs", "plug-model-rhs"])
def test_without_a_model_there_is_nothing_to_plug(name: str) -> None:
    """No site, and a recorded choice does not fit."""
    parent = Known(EXAMPLES[0].instance)
    assert () == BY_NAME[name].sites([parent])
    with pytest.raises(Inapplicable):
        BY_NAME[name].repeat([parent], {"clause": 1, "atom": 0})


@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("plug-model-lhs", {"clause": 9, "atom": 0}),
        ("plug-model-lhs", {"clause": 0, "atom": 0}),
        ("plug-model-rhs", {"clause": 2}),
        ("add-constraint-lhs", {"clause": 0, "constraint": "(= x unknown)"}),
        ("add-constraint-lhs", {"clause": 0, "constraint": "x"}),
        ("unplug-lhs", {"clause": 0, "conjunct": 1}),
        ("unplug-rhs", {"clause": 0, "conjunct": 0}),
        ("drop-clause", {"kept": [0, 0]}),
        ("drop-clause", {"kept": [0, -1]}),
        ("drop-clause", {"kept": "all"}),
        ("forget-interpretation", {"clause": 1, "first": 1, "count": 2}),
    ],
)
def test_a_choice_that_does_not_fit_is_refused(name: str, choice: object) -> None:
    """A recorded choice names what another parent may not have."""
    with pytest.raises(Inapplicable):
        BY_NAME[name].repeat([EXAMPLES[0]], choice)


def clause_after(name: str, known: Known, choice: object, number: int) -> str:
    return show_clause(BY_NAME[name].repeat([known], choice).child.instance.clauses[number])


def test_plug_model_lhs_puts_the_formula_in() -> None:
    """Literals are folded as the reader does it; existential formulas give the clause new variables."""
    expected = (
        "(forall ((l List) (n Int) (h Int) (h!1 List)) "
        "(=> (and (= h!1 l) (>= n 0) (= ((_ is nil) h!1) (= n 0))) (len (cons h l) (+ n 1))))"
    )
    assert expected == clause_after("plug-model-lhs", EXAMPLES[2], {"clause": 1, "atom": 0}, 1)


def test_plug_model_rhs_negates_the_formula() -> None:
    """The bound variable of the model is called like one of the clause, and gets another name."""
    expected = (
        "(forall ((a (Array Int Int)) (k Int)) (=> (not (and (>= k 0) (forall ((k!1 Int)) "
        "(=> (and (<= 0 k!1) (< k!1 k)) (= (select a k!1) 7))))) false))"
    )
    known = known_sat(
        """(set-logic HORN) (declare-fun filled ((Array Int Int) Int) Bool)
        (assert (forall ((a (Array Int Int)) (k Int)) (filled a k)))""",
        filled="(and (>= x1 0) (forall ((k Int)) (=> (and (<= 0 k) (< k x1)) (= (select x0 k) 7))))",
    )
    assert expected == clause_after("plug-model-rhs", known, {"clause": 0}, 0)


def test_unplug_rhs_derives_the_fresh_predicate() -> None:
    """The query loses the conjunct and gets a head over its variables."""
    expected = "(forall ((x Int)) (=> (inv (- x)) (fresh_1 x)))"
    assert expected == clause_after("unplug-rhs", EXAMPLES[0], {"clause": 2, "conjunct": 0}, 2)


def test_a_fresh_name_is_nobody_elses() -> None:
    """Not even a variable's: the reader would rename that one."""
    known = known_sat(
        "(set-logic HORN) (declare-fun p (Int) Bool) (assert (forall ((fresh_1 Int)) (=> (> fresh_1 0) (p fresh_1))))",
        p="true",
    )
    made = BY_NAME["unplug-lhs"].repeat([known], {"clause": 0, "conjunct": 0})
    assert ["p", "fresh_2"] == [predicate.name for predicate in made.child.instance.predicates]
    assert read_instance(made.child.instance.text) == made.child.instance


def test_forget_interpretation_undoes_plugs_everywhere() -> None:
    """What was plugged left and right becomes one free predicate over the arguments that stood there."""
    known = known_sat(
        """(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (and (= x 0) (not (and (<= 0 x) (< x 5)))) false)))
        (assert (forall ((x Int)) (=> (and (<= 0 x) (< x 5)) (p (+ x 1)))))
        (assert (forall ((y Int) (z Int)) (=> (and (p y) (<= 0 (* 2 z)) (< (* 2 z) 5)) false)))""",
        p="true",
    )
    child = BY_NAME["forget-interpretation"].repeat([known], {"clause": 1, "first": 0, "count": 2}).child.instance
    assert [
        "(forall ((x Int)) (=> (= x 0) (fresh_1 x)))",
        "(forall ((x Int)) (=> (fresh_1 x) (p (+ x 1))))",
        "(forall ((y Int) (z Int)) (=> (and (p y) (fresh_1 (* 2 z))) false))",
    ] == [show_clause(clause) for clause in child.clauses]


def test_added_constraints_are_of_many_kinds() -> None:
    """False, theory terms, comparisons of the clause's own terms, and parts of other clauses all turn up."""
    entry = BY_NAME["add-constraint-lhs"]
    texts = set()
    for seed in range(200):
        made = entry.attempt([EXAMPLES[2]], (1,), Random(seed))
        texts.add("" if made is None else show_clause(made.child.instance.clauses[1]))
    for wanted in ("false", "(_ is cons)", "(mod ", "distinct", "(_ is nil) (", "(* "):
        assert any(wanted in text for text in texts), wanted
