"""A disguise says the same, a refusal the contrary: by evaluation at facets' own values and at others."""

from random import Random

import pytest

from chc.build import conjunction
from chc.evaluate import evaluate
from chc.sorts import BOOL, INT, REAL, bitvec
from chc.terms import Term, variable
from chc.values import Value
from transformations.generated_disguise import disguise, refuse
from transformations.generated_facets import Facets
from transformations.generated_settings import Setting, ground_term

SETTING = Setting((INT, REAL, BOOL, bitvec(4)))
VARIABLES = tuple(variable(f"x{number}", sort) for number, sort in enumerate(SETTING.sorts))


def values(rng: Random) -> dict[Term, Value]:
    return {var: evaluate(ground_term(var.sort, SETTING, rng), {}) for var in VARIABLES}


@pytest.mark.parametrize("seed", range(40))
def test_a_disguise_is_equivalent(seed: int) -> None:
    """Both are true or both are false."""
    rng = Random(seed)
    facet = conjunction([Facets(SETTING, rng).draw(VARIABLES, values(rng)) for _ in range(2)])
    other = disguise(facet, rng)
    for _ in range(30):
        scope = values(rng)
        assert evaluate(facet, scope) == evaluate(other, scope)


@pytest.mark.parametrize("seed", range(40))
def test_a_refusal_contradicts(seed: int) -> None:
    """A statement and its refusal are never true together, and a simple one's is true where it is false."""
    rng = Random(seed)
    facet = Facets(SETTING, rng).draw(VARIABLES, values(rng))
    refused = refuse(facet, rng)
    for _ in range(30):
        scope = values(rng)
        assert evaluate(facet, scope) != evaluate(refused, scope)
