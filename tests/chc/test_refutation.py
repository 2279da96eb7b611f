"""Refutations: storage, and data that does not fit the instance."""

from __future__ import annotations

import pytest

from chc.instance import Atom
from chc.lexer import ReadError
from chc.refutation import Refutation, Step, refutation_from_json, refutation_to_json
from chc.script import read_instance
from chc.terms import integer

INSTANCE = read_instance("""
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (<= x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (P (- x 1))) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 0)) false)))
""")
REFUTATION = Refutation(
    (
        Step(Atom("P", (integer(-1),)), 0, (integer(-1),), ()),
        Step(Atom("P", (integer(0),)), 0, (integer(0),), ()),
        Step(Atom("P", (integer(1),)), 1, (integer(0),), (1, 0)),
        Step(None, 2, (integer(1),), (2,)),
    )
)


def step(fact: str | None, clause: int, values: list[str], premises: list[int]) -> dict[str, object]:
    return {"fact": fact, "clause": clause, "values": values, "premises": premises}


STORED = [
    step("(P (- 1))", 0, ["(- 1)"], []),
    step("(P 0)", 0, ["0"], []),
    step("(P 1)", 1, ["0"], [1, 0]),
    step(None, 2, ["1"], [2]),
]


def test_storage() -> None:
    """Plain data, and back."""
    assert {"steps": STORED} == refutation_to_json(REFUTATION)
    assert REFUTATION == refutation_from_json({"steps": STORED}, INSTANCE)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([], "the last step of the refutation does not derive false"),
        (STORED[:3], "the last step of the refutation does not derive false"),
        ([step("(P 0)", 7, [], [])], "step 0 names clause 7 of 3"),
        ([step("(P 0)", -1, [], [])], "step 0 names clause -1 of 3"),
        ([step("(P 0)", 0, [], [])], "step 0, by clause 0, has 0 values for 1 variables"),
        ([step("(P 0)", 0, ["true"], [])], "step 0, by clause 0, has a value of sort Bool for `x` of sort Int"),
        ([step("(P 0)", 0, ["0"], [0])], "step 0, by clause 0, has 1 premises for 0 atoms"),
        ([STORED[0], step(None, 2, ["1"], [1])], "step 1, by clause 2, has a premise that is no earlier step"),
        ([STORED[0], step(None, 2, ["1"], [-1])], "step 1, by clause 2, has a premise that is no earlier step"),
        ([step("(Q 0)", 0, ["0"], [])], "1:1: `Q` is not declared and is no operation of a supported theory"),
        ([step("(P x)", 0, ["0"], [])], "1:4: `x` is not declared and is no operation of a supported theory"),
        (
            [step("(P 0)", 0, ["(ite (P 1) 0 1)"], [])],
            "1:6: `P` is not declared and is no operation of a supported theory",
        ),
    ],
)
def test_data_that_does_not_fit(steps: list[dict[str, object]], message: str) -> None:
    with pytest.raises(ReadError) as caught:
        refutation_from_json({"steps": steps}, INSTANCE)
    assert message == str(caught.value)


def test_data_of_another_shape() -> None:
    with pytest.raises(ReadError, match="the data is not a refutation: Object missing required field `steps`"):
        refutation_from_json({}, INSTANCE)
