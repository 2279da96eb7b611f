"""Hyper-resolution certificates, and texts that are none."""

import pytest

from backends.spacer_proof import is_goal_name, read_derivation
from backends.unreadable import LONGEST_WITNESS, Malformed, Unreadable
from chc.printer import show_atom
from chc.refutation import Derivation
from chc.script import read_instance
from tests.backends.golden.record import Recording, answer_of, instances, reading, recordings

INSTANCES = instances()
INSTANCE = read_instance(
    """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun |a b| (Bool) Bool)
(assert (P 0))
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int) (b Bool)) (=> (and (P x) (|a b| b) (> x 1)) false)))
(check-sat)
"""
)


def step(fact: str, *premises: str) -> str:
    return f"((_ hyper-res 0 0) (asserted true) {' '.join(premises)} {fact})"


def proof(root: str) -> str:
    return f"(mp {root} (asserted (=> query!0 false)) false)"


def facts(derivation: Derivation) -> list[tuple[str, tuple[int, ...]]]:
    return [(show_atom(each.fact), each.premises) for each in derivation.facts]


@pytest.mark.parametrize("recording", recordings(), ids=lambda each: each.release)
def test_golden(recording: Recording) -> None:
    """What each release prints as a certificate reads as it was recorded."""
    refutations = [sample for sample in recording.samples if sample.verdict == "unsat"]
    assert len(refutations) > 15
    for sample in refutations:
        answer = answer_of(sample.stdout, for_witness=sample.for_witness)
        assert sample.read == reading(answer, INSTANCES[sample.instance]), sample.instance


def test_facts_come_after_their_premises() -> None:
    """The last one is false."""
    text = proof(step("query!0", step("(P 1)", step("(P 0)")), step("(|a b| true)")))
    read = facts(read_derivation(text, INSTANCE))
    assert {"(P 0)", "(P 1)", "(|a b| true)", "false"} == {fact for fact, _ in read}
    assert all(premise < number for number, (_, premises) in enumerate(read) for premise in premises)
    fact, premises = read[-1]
    assert ("false", ["(P 1)", "(|a b| true)"]) == (fact, [read[premise][0] for premise in premises])


def test_shared_steps_are_read_once() -> None:
    """A `let` makes a graph of the tree."""
    body = step("query!0", "a!1", "a!1")
    text = f"(let ((a!1 {step('(P 1)', step('(P 0)'))})) {proof(body)})"
    assert [("(P 0)", ()), ("(P 1)", (0,)), ("false", (1, 1))] == facts(read_derivation(text, INSTANCE))


def test_doubling_by_sharing() -> None:
    """A graph whose tree would have 2^60 leaves."""
    names = [f"a!{number}" for number in range(61)]
    text = proof(step("query!0", names[-1]))
    for number in range(60, 0, -1):
        text = f"(let (({names[number]} {step('(P 1)', names[number - 1], names[number - 1])})) {text})"
    read = read_derivation(f"(let ((a!0 {step('(P 0)')})) {text})", INSTANCE)
    assert 62 == len(read.facts)


def test_deep_derivation() -> None:
    """Nothing recurses."""
    depth = 5_000
    opening = "".join("((_ hyper-res 0 0) (asserted true) " for number in range(depth))
    closing = "".join(f" (P {number}))" for number in range(depth))
    read = read_derivation(proof(step("query!0", f"{opening}{closing}")), INSTANCE)
    assert depth + 1 == len(read.facts)


def test_one_goal_leads_to_the_next() -> None:
    """With several queries z3 has a goal for each and one for all of them; for us they are all false."""
    text = proof(step("query!1", step("(query!0 3)", step("(P 3)"))))
    assert [("(P 3)", ()), ("false", (0,))] == facts(read_derivation(text, INSTANCE))


def test_derivation_of_something_else_than_false_is_passed_on() -> None:
    """Whether it ends where it should is for the checkers to say."""
    assert [("(P 3)", ())] == facts(read_derivation(proof(step("(P 3)")), INSTANCE))


@pytest.mark.parametrize("name", ["query!0", "query!12", "query!007"])
def test_goal_names(name: str) -> None:
    """These a user must not have."""
    assert is_goal_name(name)


@pytest.mark.parametrize("name", ["query", "query!", "query!x", "my_query!0", "query!0!1", "QUERY!0"])
def test_other_names(name: str) -> None:
    """These are free."""
    assert not is_goal_name(name)


@pytest.mark.parametrize("text", ["", "  \n", "; nothing", proof(step("query!0"))[:-1], "(mp", "mp)", "(let ((a"])
def test_malformed(text: str) -> None:
    """What breaks off cannot be a refutation in any reading."""
    with pytest.raises(Malformed):
        read_derivation(text, INSTANCE)


UNREADABLE = {
    "no derivation of false": "(asserted false)",
    "a proof of something else": f"(mp {step('query!0')} (asserted (=> query!0 true)) true)",
    "another rule": proof("((_ th-lemma arith) (asserted true) query!0)"),
    "no clause": proof("((_ hyper-res 0 0) (axiom true) query!0)"),
    "empty step": proof("()"),
    "a word": "proof",
    "mp alone": "(mp)",
    "mp of nothing": "(mp false)",
    "sliced predicate": proof(step("query!0", step("(P!slice!1 3)"))),
    "unknown value": proof(step("query!0", step("(P S!val!0)"))),
    "fact with a variable": proof(step("query!0", step("(P x)"))),
    "a formula as a fact": proof(step("query!0", step("(> 1 0)"))),
    "wrong number of arguments": proof(step("query!0", step("(P 1 2)"))),
    "rests on itself": f"(let ((a!1 {step('(P 1)', 'a!1')})) {proof(step('query!0', 'a!1'))})",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable(text: str) -> None:
    """What we do not understand may be our fault, and counts against nobody."""
    with pytest.raises(Unreadable) as caught:
        read_derivation(text, INSTANCE)
    assert not isinstance(caught.value, Malformed), caught.value


def test_flood() -> None:
    """A text that nobody means is not even taken apart."""
    with pytest.raises(Unreadable, match="longer than"):
        read_derivation("(" * (LONGEST_WITNESS + 1), INSTANCE)
