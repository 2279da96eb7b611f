"""Models as Spacer prints them, and texts that are none."""

import pytest

from backends.model_reader import read_model
from backends.unreadable import LONGEST_WITNESS, Malformed, Unreadable
from chc.evaluate import evaluate
from chc.instance import Instance
from chc.model import model_to_json
from chc.printer import show_term
from chc.script import read_instance
from chc.terms import FALSE, integer
from tests.backends.golden.record import Recording, answer_of, instances, reading, recordings

INSTANCES = instances()
TWO = read_instance(
    """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Unused (Int Bool) Bool)
(declare-fun |a b| (Bool) Bool)
(assert (forall ((x Int)) (=> (> x 0) (P x))))
(assert (forall ((b Bool)) (=> (|a b| b) false)))
(check-sat)
"""
)
P = "(define-fun P ((x!0 Int)) Bool (> x!0 0))"
AB = "(define-fun |a b| ((x!0 Bool)) Bool false)"


def body(text: str, name: str = "P", instance: Instance = TWO) -> str:
    return show_term(read_model(text, instance).interpretations[name].body)


@pytest.mark.parametrize("recording", recordings(), ids=lambda each: each.release)
def test_golden(recording: Recording) -> None:
    """What each release prints as a model reads as it was recorded."""
    models = [sample for sample in recording.samples if sample.verdict == "sat"]
    assert len(models) > 15
    for sample in models:
        answer = answer_of(sample.stdout, for_witness=sample.for_witness)
        assert sample.read == reading(answer, INSTANCES[sample.instance]), sample.instance


@pytest.mark.parametrize("text", [f"({P} {AB})", f"(model {P}\n{AB})", f"(\n{AB}{P}) (:statistics 1)"])
def test_wrappers(text: str) -> None:
    """With the word `model` in front or without, in any order, whatever follows."""
    assert {"P", "Unused", "|a b|".strip("|")} == set(read_model(text, TWO).interpretations)
    assert "(> x!0 0)" == body(text)


def test_predicate_that_occurs_nowhere_may_be_missing() -> None:
    """Anything will do for it."""
    unused = read_model(f"({P} {AB})", TWO).interpretations["Unused"]
    assert (2, FALSE) == (len(unused.params), unused.body)


def test_helpers_are_expanded() -> None:
    """What is defined besides the predicates disappears in them, also under a shadowing name."""
    text = f"((define-fun k!0 ((x Int)) Int (ite (> x 3) 1 x)) (define-fun P ((x Int)) Bool (= (k!0 (+ x 1)) 1)) {AB})"
    read = read_model(text, TWO).interpretations["P"]
    holds = [evaluate(read.at((integer(number),)), {}) for number in (-1, 0, 1, 3, 4)]
    assert [False, True, False, True, True] == holds


def test_lets_that_bind_the_same_name_again() -> None:
    """z3 does so in inner scopes."""
    text = "(let ((a!1 (> x!0 0))) (let ((a!1 (and a!1 (< x!0 9)))) (or a!1 (= x!0 50))))"
    assert "(or (and (> x!0 0) (< x!0 9)) (= x!0 50))" == body(f"((define-fun P ((x!0 Int)) Bool {text}) {AB})")


def test_quantifier_with_weight() -> None:
    """The annotation is dropped, the bound variable kept apart from the parameter."""
    text = "(exists ((x!1 Int)) (! (and (> x!1 2) (= x!0 (+ 1 x!1))) :weight 0))"
    assert "exists" in body(f"((define-fun P ((x!0 Int)) Bool {text}) {AB})")


def test_deep_terms() -> None:
    """Nothing recurses."""
    depth = 30_000
    text = "(not " * depth + "(> x!0 0)" + ")" * depth
    assert "(not (not " in body(f"((define-fun P ((x!0 Int)) Bool {text}) {AB})")[:20]


def test_integers_where_reals_are_meant() -> None:
    """z3 prints both `2` and `2.0`."""
    instance = read_instance("(set-logic HORN)(declare-fun R (Real) Bool)(assert (R 1.5))(check-sat)")
    assert "(> x!0 2.0)" == body("((define-fun R ((x!0 Real)) Bool (> x!0 2)))", "R", instance)


MALFORMED = {
    "nothing": ("", "no model"),
    "only a comment": ("; sat", "no model"),
    "cut in a term": (f"({P} (define-fun |a b| ((x!0 Bool)) Bool (and x!0 (no", "breaks off"),
    "cut between definitions": (f"({P}\n", "breaks off"),
    "missing predicate": (f"({AB})", "says nothing about the predicate `P`"),
    "empty": ("()", "says nothing about the predicate `P`"),
    "defined twice": (f"({P} {AB} {P})", "defines `P` twice"),
    "too many parameters": (f"((define-fun P ((x!0 Int) (x!1 Int)) Bool true) {AB})", "takes (Int), not (Int Int)"),
    "wrong sort": (f"((define-fun P ((x!0 Bool)) Bool true) {AB})", "takes (Int), not (Bool)"),
    "no formula": (f"((define-fun P ((x!0 Int)) Int 3) {AB})", "is of sort Int"),
}


@pytest.mark.parametrize(("text", "reason"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(text: str, reason: str) -> None:
    """What cannot be a model in any reading counts against the solver."""
    with pytest.raises(Malformed, match=reason.replace("(", r"\(").replace(")", r"\)")):
        read_model(text, TWO)


UNREADABLE = {
    "an error instead": '(error "line 7 column 10: model is not available")',
    "statistics instead": "(:added-eqs 3)",
    "something else": f"(({P}))",
    "another command": f"((declare-fun k () Int) {P} {AB})",
    "calls another predicate": f"({AB} (define-fun P ((x Int)) Bool (|a b| true)))",
    "unknown function": f"((define-fun P ((x Int)) Bool (k!7 x)) {AB})",
    "unknown sort": f"((define-fun P ((x Float32)) Bool true) {AB})",
    "ill-sorted": f"((define-fun P ((x Int)) Bool (and x true)) {AB})",
    "a parameter twice": f"((define-fun P ((x Int) (x Int)) Bool true) {AB})",
    "body of another sort": f"((define-fun P ((x Int)) Bool 3) {AB})",
    "no parenthesis": "sat",
    "helper after its use": f"((define-fun P ((x Int)) Bool (h x)) (define-fun h ((x Int)) Bool true) {AB})",
    "superfluous parenthesis": f"({P} {AB} true)",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable(text: str) -> None:
    """What we do not understand may be our fault, and counts against nobody."""
    with pytest.raises(Unreadable) as caught:
        read_model(text, TWO)
    assert not isinstance(caught.value, Malformed), caught.value


def test_large_model() -> None:
    """Tens of thousands of conjuncts are read and written again."""
    conjuncts = " ".join(f"(distinct x!0 {number})" for number in range(20_000))
    model = read_model(f"((define-fun P ((x!0 Int)) Bool (and {conjuncts})) {AB})", TWO)
    assert 20_000 == len(model.interpretations["P"].body.args)
    assert "P" in model_to_json(model)


def test_flood() -> None:
    """A text that nobody means is not even taken apart."""
    with pytest.raises(Unreadable, match="longer than"):
        read_model("(" * (LONGEST_WITNESS + 1), TWO)
