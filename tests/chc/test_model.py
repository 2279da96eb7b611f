"""Models: where atoms hold, what fits a predicate, storage."""

from __future__ import annotations

import pytest

from chc.build import apply
from chc.instance import Atom, Predicate
from chc.lexer import ReadError
from chc.model import Interpretation, Model, misfit, model_from_json, model_to_json
from chc.printer import show_term
from chc.script import read_instance
from chc.sorts import BOOL, INT
from chc.terms import TRUE, integer, quantifier, variable

X, Y = variable("x", INT), variable("y", INT)
LESS = Interpretation((X, Y), apply("<", (X, Y)))
INSTANCE = read_instance("(declare-fun P (Int Int) Bool)(declare-fun Q () Bool)")
MODEL = Model({"Q": Interpretation((), TRUE), "P": LESS})
STORED = {"P": {"params": [["x", "Int"], ["y", "Int"]], "body": "(< x y)"}, "Q": {"params": [], "body": "true"}}


def test_where_atoms_hold() -> None:
    """Arguments replace parameters all at once, and capture nothing."""
    assert "(< y x)" == show_term(MODEL.holds(Atom("P", (Y, X))))
    bounded = Interpretation((X,), quantifier("exists", (Y,), apply("<", (X, Y))))
    assert "(exists ((y!1 Int)) (< y y!1))" == show_term(bounded.at((Y,)))


@pytest.mark.parametrize(
    ("interpretation", "expected"),
    [
        (LESS, None),
        (Interpretation((X,), TRUE), "`P` takes (Int Int), not (Int)"),
        (Interpretation((X, variable("p", BOOL)), TRUE), "`P` takes (Int Int), not (Int Bool)"),
        (Interpretation((X, Y), integer(1)), "the interpretation of `P` is of sort Int, not a formula"),
        (Interpretation((X, X), TRUE), "the interpretation of `P` names two arguments alike"),
        (
            Interpretation((X, Y), apply("<", (X, variable("z", INT)))),
            "the interpretation of `P` speaks of `z`, which is no argument",
        ),
    ],
)
def test_misfits(interpretation: Interpretation, expected: str | None) -> None:
    """In words, for whoever sent the model."""
    assert expected == misfit(interpretation, Predicate("P", (INT, INT)))


def test_storage() -> None:
    """Plain data, predicates in alphabetical order, and back."""
    assert STORED == model_to_json(MODEL)
    assert ["P", "Q"] == list(model_to_json(MODEL))
    assert MODEL == model_from_json(STORED, INSTANCE)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the data is not a model: Expected `object`, got `array`"),
        ({"P": {"params": []}}, "the data is not a model: Object missing required field `body` - at `$[...]`"),
        ({"P": STORED["P"]}, "the model says nothing about the predicate `Q`"),
        ({**STORED, "Q": {"params": [["x", "Int"]], "body": "true"}}, "`Q` takes (), not (Int)"),
        ({**STORED, "Q": {"params": [], "body": "1"}}, "the interpretation of `Q` is of sort Int, not a formula"),
        (
            {**STORED, "Q": {"params": [], "body": "(P 1 2)"}},
            "1:1: `P` is not declared and is no operation of a supported theory",
        ),
        (
            {**STORED, "Q": {"params": [], "body": "x"}},
            "1:1: `x` is not declared and is no operation of a supported theory",
        ),
        ({**STORED, "Q": {"params": [["x", "U"]], "body": "true"}}, "1:1: the sort `U` is not declared"),
    ],
)
def test_data_that_is_no_model(data: object, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        model_from_json(data, INSTANCE)
    assert message == str(caught.value)
